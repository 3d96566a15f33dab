/** Finds hits that lack a number of the query: `Phase 3` is surely no answer to a question about `Phase 4`. */
import { fold } from '../text/fold.ts';
import type { Candidate, SearchServices, SearchState } from './state.ts';

/** Returns the numbers and versions in a text. */
const numbersIn = (text: string): readonly string[] => fold(text).match(/\d+(?:\.\d+)*/g) ?? [];

/**
 * Returns for each candidate whether it lacks a number or version that was typed: in its text, its headings, and the title, aliases
 * and path of its document. Reads nothing if no number was typed. `1.2` is another version than `1.2.3`.
 */
export async function lackNumbers(
  candidates: readonly Candidate[],
  { request: { query } }: SearchState,
  { retrieval }: Pick<SearchServices, 'retrieval'>,
): Promise<readonly boolean[]> {
  const typed = numbersIn(query.plain);
  if (typed.length === 0) return [];
  const chunks = await retrieval.chunks(candidates.map(({ slot }) => slot));
  const documents = await retrieval.documents(candidates.map(({ document }) => document));
  return chunks.map((chunk, index) => {
    const { title, text, path, headingPath, aliases } = { ...chunk, ...documents[index] };
    const held = numbersIn([title, text, path, headingPath, aliases].join());
    return !typed.every((number) => held.includes(number));
  });
}
