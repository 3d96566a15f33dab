/** Adds to a query the names that its neighbouring words make when they are written together. */
import type { ParsedQuery, QueryTerm } from '../model/query.ts';
import { type Analyzer, AUTO_ANALYZER } from '../text/analyzer.ts';
import { fold } from '../text/fold.ts';
import { readTokens, type Token } from './terms.ts';

/** More words than these make no name. */
const MAX_WORDS = 3;
/** A longer query is a question, not a name asked for in words: there, words that stand together by chance cost more than names gain. */
export const MAX_NAME_QUERY_LENGTH = 8;

/**
 * The query with a term for each joined form of two or three neighbouring words that the collection has: `note path` also finds
 * `notePath`, `note_path` and `note-path`, and `pre processing` or `pre-processing` finds `preprocessing`. They do
 * not count for the bound; a passage that holds one covers the words it is made of. Queries of more than eight words stay as they
 * are. Words with anything but a space or a hyphen between them, or with other letters than a–z, are not joined.
 * @param countOf how many passages hold a term
 * @param analyzers of the languages the documents are in. @default `AUTO_ANALYZER` alone
 */
export function joinWords(
  query: ParsedQuery,
  countOf: (term: string) => number,
  analyzers: readonly Analyzer[] = [AUTO_ANALYZER],
): ParsedQuery {
  const said = new Set(query.terms.map(({ term }) => term));
  const added: QueryTerm[] = [];
  const words = readTokens(query.plain, [AUTO_ANALYZER]).filter(({ role }) => role === 'word');
  if (words.length > MAX_NAME_QUERY_LENGTH) return query;
  for (let first = 0; first < words.length; first++) {
    for (let count = 2; count <= MAX_WORDS; count++) {
      const run = words.slice(first, first + count);
      if (run.length < count || !run.every(isPlainWord) || !areNeighbours(run, query.plain)) break;
      const parts = run.map(({ surface }) => fold(surface));
      for (const term of [...termsOf(parts.join(''), analyzers), parts.join('_'), parts.join('-')]) {
        if (said.has(term) || countOf(term) === 0) continue;
        said.add(term);
        added.push({
          term,
          surface: run.map(({ surface }) => surface).join(' '),
          prefix: false,
          standsFor: run.flatMap(({ surface }) => termsOf(surface, analyzers).slice(0, 1)),
        });
      }
    }
  }
  return added.length === 0 ? query : { ...query, terms: [...query.terms, ...added] };
}

function termsOf(word: string, analyzers: readonly Analyzer[]): readonly string[] {
  return readTokens(word, analyzers).flatMap(({ term, forms = [] }) => [term, ...forms]);
}

function isPlainWord({ role, surface }: Token): boolean {
  return role === 'word' && /^[a-z]+$/i.test(surface);
}

function areNeighbours(run: readonly Token[], text: string): boolean {
  return run.every(({ surface, end }, index) => {
    const before = run[index - 1];
    return before === undefined || /^[ -]$/.test(text.slice(before.end, end - surface.length));
  });
}
