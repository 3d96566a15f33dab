/** Stage: one hit for each parent, the best child standing for it. */
import type { Explanation } from '../model/hit.ts';
import type { Candidate, SearchState } from './state.ts';

/**
 * Goes through all candidates, so that the answer is filled while there are any, and what is folded into a hit does not
 * depend on how many hits are wanted. A candidate stands for itself when it has no parent, or when its parent holds a word
 * the query excludes: what was asked not to be seen must not come back around a passage without it.
 */
export function chooseParents(state: SearchState): SearchState {
  const { parents, explain } = state.request;
  if (!parents) return state;
  const families = new Map<string, Candidate[]>();
  for (const candidate of state.candidates) {
    const shown = state.found.parents[candidate.place];
    const name = shown === undefined ? candidate.id : `${candidate.document}/${shown}`;
    const family = families.get(name);
    if (family) family.push(candidate);
    else families.set(name, [shown === undefined ? candidate : { ...candidate, parentId: shown }]);
  }
  return { ...state, candidates: [...families.values()].map((family) => unite(family, explain)) };
}

/** The best child of a parent takes over the duplicates of the others. */
function unite(family: readonly Candidate[], explain: boolean): Candidate {
  if (family.length === 1) return family[0]!;
  const [best, ...others] = family;
  const merged = [best!, ...others].flatMap((each) => each.merged ?? []);
  const explanation = explain ? [...best!.explanation, explainFamily(others)] : best!.explanation;
  return { ...best!, ...(merged.length > 0 && { merged }), explanation };
}

function explainFamily(others: readonly Candidate[]): Explanation {
  const parts = others.map(({ id, score }) => ({ label: id, value: score }));
  return { label: 'passages of the same section', value: others.length, parts };
}
