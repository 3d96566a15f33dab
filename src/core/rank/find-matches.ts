/** Where the words of a query stand in a text. */
import type { ParsedQuery, QueryTerm } from '../model/query.ts';
import { tokenizeText } from '../text/analyze.ts';
import type { Tokenizer } from '../text/token.ts';

export interface Match {
  /** The query's terms it holds, as in the index: of `getUserById` the whole and the parts that were asked for. */
  readonly terms: readonly string[];
  /** UTF-16 offsets: start inclusive, end exclusive. */
  readonly start: number;
  readonly end: number;
}

/**
 * Matched words in text order; nested ones (`getUser`, `user`) are one match as wide as the widest.
 * @param tokenize as the text was indexed. @default `tokenizeText`
 */
export function findMatches(
  text: string,
  { terms }: Pick<ParsedQuery, 'terms'>,
  tokenize: Tokenizer = tokenizeText,
): Match[] {
  const exact = new Map(terms.filter((term) => !term.prefix).flatMap(readings));
  const prefixes = terms.filter((term) => term.prefix).map((term) => term.term);
  const matches: { terms: string[]; start: number; end: number }[] = [];
  tokenize(text, (word, _position, start, end) => {
    const term = exact.get(word) ?? prefixes.find((prefix) => word.startsWith(prefix));
    if (term === undefined) return;
    const last = matches.at(-1);
    if (last && start < last.end) {
      last.terms.push(term);
      last.start = Math.min(start, last.start);
      last.end = Math.max(end, last.end);
    } else matches.push({ terms: [term], start, end });
  });
  return matches;
}

/** A term under its own name, its forms and its spellings. */
function readings({
  term,
  forms = [],
  spellings,
}: QueryTerm): readonly (readonly [word: string, term: string])[] {
  return [term, ...forms, ...(spellings?.terms ?? [])].map((word) => [word, term] as const);
}
