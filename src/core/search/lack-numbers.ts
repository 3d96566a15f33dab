/** Finds hits that lack a number of the query: `Phase 3` is surely no answer to a question about `Phase 4`. */
import { analyze } from '../text/analyze.ts';
import type { Candidate, SearchServices, SearchState } from './state.ts';

/** A number or a version. */
const NUMBER = /^\d+(?:\.\d+)*$/;

/**
 * Returns the candidates that lack a number or version of the query, in their text, their headings, and the names and path of their
 * document. Reads nothing if the query has no number.
 */
export async function lackNumbers(
  candidates: readonly Candidate[],
  { request: { query } }: SearchState,
  { retrieval }: Pick<SearchServices, 'retrieval'>,
): Promise<ReadonlySet<Candidate>> {
  const numbers = query.terms.map(({ term }) => term).filter((term) => NUMBER.test(term));
  if (numbers.length === 0) return new Set();
  const [chunks, documents] = await Promise.all([
    retrieval.chunks(candidates.map(({ slot }) => slot)),
    retrieval.documents(candidates.map(({ document }) => document)),
  ]);
  const lacks = (_: Candidate, index: number) => {
    const { text = '', headingPath = [] } = chunks[index] ?? {};
    const { title = '', aliases = [], path = '' } = documents[index] ?? {};
    const terms = new Set<string>();
    for (const each of [text, ...headingPath, title, ...aliases, path])
      analyze(each, (term) => void terms.add(term));
    return !numbers.every((number) => terms.has(number));
  };
  return new Set(candidates.filter(lacks));
}
