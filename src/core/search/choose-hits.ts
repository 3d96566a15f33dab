/**
 * Stages that choose the candidates to show: how many per document, under which parents, in which order, and which
 * unsure ones.
 */
import type { Explanation } from '../model/hit.ts';
import { limitPerDocument, spreadDocuments } from '../rank/variety.ts';
import type { Candidate, SearchState } from './state.ts';
import { holdDown } from './trust-hits.ts';

/** Limits the passages per document, unless MMR is on: MMR has already moved repeated passages down. */
export function limitDocuments(state: SearchState): SearchState {
  const { mmrEnabled, maxChunksPerDoc } = state.request.settings;
  const limit = mmrEnabled ? 0 : maxChunksPerDoc;
  return { ...state, candidates: limitPerDocument(state.candidates, ({ document }) => document, limit) };
}

/**
 * Makes one hit per parent; its best child represents it. Reads all candidates: the answer has as many hits as
 * possible, and the children of a hit do not depend on the number of hits. A candidate is its own hit if it has no
 * parent, or if the parent holds an excluded word, which must not be shown.
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

/** Moves the duplicates of all children to the best child. */
function unite(family: readonly Candidate[], explain: boolean): Candidate {
  const [best, ...others] = family as [Candidate, ...Candidate[]];
  if (others.length === 0) return best;
  const merged = family.flatMap((each) => each.merged ?? []);
  const parts = others.map(({ id, score }) => ({ label: id, value: score }));
  const told: Explanation = { label: 'passages of the same section', value: others.length, parts };
  const explanation = explain ? [...best.explanation, told] : best.explanation;
  return { ...best, ...(merged.length > 0 && { merged }), explanation };
}

/** Puts different documents first; skipped if MMR is on, which does the same. */
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
 * Chooses what is shown below the hits: among the passages below the threshold, the best one of each document that is
 * not shown yet, until `minDocuments` are shown. A right answer in other words than the query often has low confidence,
 * but a high rank.
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
    // 0 marks a passage without text, which is no copy.
    if (documents.has(document) || (content !== 0 && contents.has(content))) continue;
    documents.add(document);
    contents.add(content);
    chosen.push(candidate);
  }
  return chooseParents({ ...state, candidates: holdDown(chosen, explain) }).candidates;
}
