/** Stage: one hit for each parent, the best child standing for it. */
import type { Candidate, SearchServices, SearchState } from './state.ts';

/** Reads no more candidates than it takes to fill the answer. Those without a parent stand for themselves. */
export function chooseParents(state: SearchState, { readChunks }: SearchServices): SearchState {
  const { parents, topN } = state.request;
  if (!parents) return state;
  const families = new Map<string, Candidate>();
  for (const candidate of state.candidates) {
    if (families.size === topN) break;
    const parentId = readChunks([candidate.slot])[0]?.parentId;
    const family = parentId === undefined ? candidate.id : `${candidate.document}/${parentId}`;
    const first = families.get(family);
    if (first) {
      if (candidate.merged)
        families.set(family, { ...first, merged: [...(first.merged ?? []), ...candidate.merged] });
      continue;
    }
    families.set(family, parentId === undefined ? candidate : { ...candidate, parentId });
  }
  return { ...state, candidates: [...families.values()] };
}
