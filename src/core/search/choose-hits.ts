/** Stages that choose which candidates are shown: how many of a document, as which parents, in which order, and which unsure ones. */
import type { Explanation } from '../model/hit.ts';
import { limitPerDocument, spreadDocuments } from '../rank/variety.ts';
import type { Candidate, SearchState } from './state.ts';
import { holdDown } from './trust-hits.ts';

/** Limits the passages of a document, unless MMR is on: then repeated passages are already far down. */
export function limitDocuments(state: SearchState): SearchState {
  const { mmrEnabled, maxChunksPerDoc } = state.request.settings;
  const limit = mmrEnabled ? 0 : maxChunksPerDoc;
  return { ...state, candidates: limitPerDocument(state.candidates, ({ document }) => document, limit) };
}

/**
 * One hit for each parent, the best child standing for it. Goes through all candidates, so that the answer is filled while there are any,
 * and what is folded into a hit does not depend on how many hits are wanted. A candidate stands for itself when it has no
 * parent, or when its parent holds a word the query excludes: what was asked not to be seen must not come back around a passage without it.
 */
export function chooseParents(state: SearchState): SearchState {
  const { parents, explain } = state.request;
  if (!parents) return state;
  const families = new Map<string, Candidate[]>();
  for (const candidate of state.candidates) {
    const parentId = state.found.parents[candidate.place];
    const name = parentId === undefined ? candidate.id : `${candidate.document}/${parentId}`;
    const family = families.get(name);
    if (family) family.push(candidate);
    else families.set(name, [parentId === undefined ? candidate : { ...candidate, parentId }]);
  }
  return { ...state, candidates: [...families.values()].map((family) => unite(family, explain)) };
}

/** The best child of a parent takes over the duplicates of the others. */
function unite(family: readonly Candidate[], explain: boolean): Candidate {
  const [best, ...others] = family as [Candidate, ...Candidate[]];
  if (others.length === 0) return best;
  const merged = family.flatMap((each) => each.merged ?? []);
  const parts = others.map(({ id, score }) => ({ label: id, value: score }));
  const told: Explanation = { label: 'passages of the same section', value: others.length, parts };
  const explanation = explain ? [...best.explanation, told] : best.explanation;
  return { ...best, ...(merged.length > 0 && { merged }), explanation };
}

/** Different documents first; MMR does that where it is on. */
export function spread(state: SearchState): SearchState {
  const { explain, settings } = state.request;
  if (settings.mmrEnabled) return state;
  const candidates = spreadDocuments(
    state.candidates,
    ({ document }) => document,
    ({ fused }) => fused,
  );
  const isMoved = candidates.some((candidate, index) => candidate !== state.candidates[index]);
  return isMoved ? { ...state, candidates: holdDown(candidates, explain) } : state;
}

export function takeTop(state: SearchState): SearchState {
  return { ...state, candidates: state.candidates.slice(0, state.request.topN) };
}

/**
 * What is shown below the hits: of the passages that the threshold set apart, the best one of each further document, until `minDocuments` are
 * shown. A right answer in other words than the question's often has little confidence, but stands near the top.
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
