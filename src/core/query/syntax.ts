/** Splits a query into clauses: words, phrases, exclusions and `field:value` pairs. Everything else is read as words. */
import type { Filters } from '../model/query.ts';
import { isUnspaced } from '../text/scripts.ts';

/** For each field of a query: the key in `Filters` for `field:value`, then the key for `-field:value`. */
export const FILTER_KEYS = {
  path: ['path', 'exclude'],
  tag: ['tag', 'notTag'],
  category: ['category', 'notCategory'],
  author: ['author', 'notAuthor'],
  lang: ['lang', 'notLang'],
} as const satisfies Readonly<Record<string, readonly [keyof Filters, keyof Filters]>>;
export type FilterField = keyof typeof FILTER_KEYS;

export const QUERY_FIELDS: readonly string[] = ['title', ...Object.keys(FILTER_KEYS)];
type QueryField = 'title' | FilterField;

/** One part of the query: a word, a phrase or a `field:value` pair. */
export interface Clause {
  /** The text to search, without quotes, field name, minus and asterisk. */
  readonly text: string;
  readonly field?: QueryField;
  readonly quoted: boolean;
  readonly negated: boolean;
  /** Whether the clause is a prefix, as in `word*`. */
  readonly prefix: boolean;
}

/**
 * Reads the clauses of a query; never fails.
 *
 * A minus excludes the word directly after it, unless the minus and the word look like a command-line flag: `-g`, `--global`,
 * `-std=c11`, `-40` and up to four consonants (`-xzf`) are read as words. In a question about an option, such as
 * `-permissive compiler option`, a flag at the start is also read as a word. To exclude a text that looks like a flag, quote it:
 * `-"css"`.
 */
export function readClauses(query: string): readonly Clause[] {
  const text = query.replace(SMART_QUOTES, '"');
  const clauses: Clause[] = [];
  let index = 0;
  for (;;) {
    index = endOf(GAP, text, index);
    if (index >= text.length) return clauses;
    OPERATOR.lastIndex = index;
    const match = clauses.length === 0 && ABOUT_OPTION.test(text) ? null : OPERATOR.exec(text);
    const clause = match && readOperator(match);
    const end = clause ? index + match[0].length : endOf(CHUNK, text, index);
    clauses.push(clause || readWord(text.slice(index, end), false));
    index = end;
  }
}

const SMART_QUOTES = /[“”„‟«»＂]/g;
/** White space, and opening brackets before a quoted phrase. */
const GAP = /(?:\s|[([{](?=-?"))*/y;
const CHUNK = /\S+/y;
/** A query that begins with a flag and says that it is about an option. */
const ABOUT_OPTION = /^\s*-\p{L}\S*\s(?:.*\s)?(?:flag|option|parameter|switch|argument)(?:s|es)?(?!\p{L})/iu;
const OPERATOR = new RegExp(`(-?)(?:(${QUERY_FIELDS.join('|')}):(?!:|//))?(?:"([^"]*)"|([^\\s"]\\S*))`, 'iy');

function endOf(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : index;
}

/** Returns the clause of an operator, or undefined if the text only looks like an operator. */
function readOperator(match: RegExpExecArray): Clause | undefined {
  const [, minus, name, quotedText, word = ''] = match;
  const negated = minus === '-';
  const quoted = quotedText !== undefined;
  if (name === undefined) {
    if (quoted) return { text: quotedText, quoted, negated, prefix: false };
    return negated && EXCLUDABLE.test(word) && !FLAG.test(word) ? readWord(word, true) : undefined;
  }
  const field = name.toLowerCase() as QueryField;
  const value = quoted ? quotedText.trim() : word.replace(/[,;]$/, '');
  if (!LETTER_OR_DIGIT.test(value)) return undefined;
  if (field === 'title' && !quoted) return { ...readWord(value, negated), field };
  return { text: value, field, quoted, negated, prefix: false };
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Returns the words of two and more letters that follow a minus, and that are read as flags all the same. */
export function wordsReadAsFlags(query: string): readonly string[] {
  if (ABOUT_OPTION.test(query)) return [];
  const typed = Array.from(
    query.matchAll(/(?<!\S)-(\p{L}{2,})(?=[^\s\p{L}\p{N}+#=]*(?!\S))/gu),
    ([, word]) => word!,
  );
  return typed.filter((word) => FLAG.test(word));
}

/** Writes the exclusion of a word. */
export const exclusionOf = (word: string) => (FLAG.test(word) ? `-"${word}"` : `-${word}`);

const EXCLUDABLE = /^\.?\p{L}[^=]*$/u;
const FLAG = /^(?:[a-z]|[b-df-hj-np-tv-z]{2,4})[^\p{L}\p{N}+#]*$/iu;

function readWord(chunk: string, negated: boolean): Clause {
  const prefix = PREFIX.exec(chunk)?.[1];
  // Unspaced scripts are indexed in pairs of characters, so a prefix of more than two characters would match nothing.
  if (prefix !== undefined && ![...prefix].some(isUnspaced))
    return { text: prefix, quoted: false, negated, prefix: true };
  return { text: chunk, quoted: false, negated, prefix: false };
}

/** At least two letters or digits, then the asterisk and optional punctuation. */
const PREFIX = /^([\p{L}\p{N}][\p{L}\p{N}\p{M}_.:-]*[\p{L}\p{N}\p{M}_])\*[)\],.;:!?]*$/u;
