/** Lets a short form find what it stands for, and the long form the short one, as the collection itself says. */
import type { ParsedQuery, PhraseTerms, QueryTerm } from '../model/query.ts';
import { type Analyzer, AUTO_ANALYZER } from '../text/analyzer.ts';
import { fold } from '../text/fold.ts';
import { MAX_NAME_QUERY_LENGTH } from './join-words.ts';
import { collectTokens, type Token, uniquePhrases } from './terms.ts';

/** What is known of short forms. */
export interface KnownAcronyms {
  /** What a term stands for, the most usual first. */
  readonly longFormsOf: (term: string) => readonly PhraseTerms[];
  /** Terms that stand for adjacent words. */
  readonly shortFormsOf: (terms: readonly string[]) => readonly string[];
  /** Whether a folded word is one of the language: `plan` is, though some project may be called PLAN. */
  readonly isWord: (word: string) => boolean;
}

/** How many long forms stand for a short one at most. */
const MAX_FORMS = 2;
/** A longer name is not looked up by its words. */
const MAX_WORDS = 6;

/**
 * The query in which a short form also stands where one of its two most usual long forms does, and, when it has at most eight words,
 * a term is added for the short form of a long one, which covers its words and does not count for the bound. A form the query
 * says itself adds nothing. What is embedded stays as typed.
 * @param analyzers of the languages the documents are in. @default `AUTO_ANALYZER` alone
 */
export function expandAcronyms(
  query: ParsedQuery,
  known: KnownAcronyms,
  analyzers: readonly Analyzer[] = [AUTO_ANALYZER],
): ParsedQuery {
  const readings = analyzers.map((analyzer) =>
    collectTokens(query.plain, analyzer, analyzer.isStopWord).filter(({ role }) => role === 'word'),
  );
  const said = new Set(readings.flat().map(({ term }) => term));
  const terms = query.terms.map((term) => withLongForms(term, said, known));
  const names = readings.filter(({ length }) => length <= MAX_NAME_QUERY_LENGTH);
  const added = shortForms(names, said, known);
  const isSame = added.length === 0 && terms.every((term, index) => term === query.terms[index]);
  return isSame ? query : { ...query, terms: [...terms, ...added] };
}

function withLongForms(term: QueryTerm, said: ReadonlySet<string>, known: KnownAcronyms): QueryTerm {
  if (term.prefix || term.field !== undefined || term.standsFor) return term;
  const longForms = known.longFormsOf(term.term);
  const isSure = longForms.length > 0 && (CAPITALS.test(term.surface) || !known.isWord(fold(term.surface)));
  if (!isSure || longForms.some((words) => words.every((word) => said.has(word.term)))) return term;
  return { ...term, variants: uniquePhrases([...(term.variants ?? []), ...longForms.slice(0, MAX_FORMS)]) };
}

const CAPITALS = /\p{Lu}.*\p{Lu}/u;

/** A definition is kept in the terms of its own language, so each reading is looked up by itself. */
function shortForms(
  readings: readonly (readonly Token[])[],
  said: ReadonlySet<string>,
  { shortFormsOf }: KnownAcronyms,
): readonly QueryTerm[] {
  const added = new Map<string, QueryTerm>();
  for (const run of readings.flatMap(runsOf)) {
    const standsFor = run.map(({ term }) => term);
    const surface = run.map((word) => word.surface).join(' ');
    for (const term of shortFormsOf(standsFor)) {
      if (!said.has(term)) added.set(term, { term, surface, prefix: false, standsFor });
    }
  }
  return [...added.values()];
}

/** All stretches of two words or more that may be a name. */
function runsOf(words: readonly Token[]): readonly (readonly Token[])[] {
  return words.flatMap((_, first) => {
    const most = Math.min(words.length - first, MAX_WORDS);
    return Array.from({ length: Math.max(0, most - 1) }, (_, more) => words.slice(first, first + 2 + more));
  });
}
