/** Chooses what is shown below the hits: the best passages that the threshold set apart. */
import { holdDown } from './apply-threshold.ts';
import { chooseParents } from './choose-parents.ts';
import type { Candidate, SearchState } from './state.ts';

/**
 * One passage of each further document, in the order of the ranking, until `minDocuments` are shown. A right answer in
 * other words than the question's often has little confidence, but stands near the top.
 */
export function chooseUnsure(state: SearchState): readonly Candidate[] {
  const { candidates, unsure, found, request } = state;
  const { minDocuments = 0, explain } = request;
  const documents = new Set(candidates.map(({ document }) => document));
  const contents = new Set(candidates.map(({ place }) => found.contents[place]));
  const chosen: Candidate[] = [];
  for (const candidate of unsure) {
    if (documents.size >= minDocuments) break;
    const { document, place } = candidate;
    const content = found.contents[place];
    // 0 stands for a passage without text, which copies nothing.
    if (documents.has(document) || (content !== 0 && contents.has(content))) continue;
    documents.add(document);
    contents.add(content);
    chosen.push(candidate);
  }
  return chooseParents({ ...state, candidates: holdDown(chosen, explain) }).candidates;
}
