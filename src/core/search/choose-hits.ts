/** Stages that choose the hits: they limit hits per document, make one hit per parent, order hits, and add unsure ones. */
import type { Explanation } from '../model/hit.ts';
import { limitPerDocument, spreadDocuments } from '../rank/variety.ts';
import type { Candidate, SearchState } from './state.ts';
import { limitToHitAbove } from './trust-hits.ts';

/** Limits the passages per document, unless MMR is on: MMR has already moved repeated passages down. */
export function limitDocuments(state: SearchState): SearchState {
  const { mmrEnabled, maxChunksPerDoc } = state.request.settings;
  const limit = mmrEnabled ? 0 : maxChunksPerDoc;
  return { ...state, candidates: limitPerDocument(state.candidates, limit) };
}

/**
 * Makes one hit per parent, represented by its best child. In a ranked search, this runs before the hits are cut to `topN`: the
 * answer is full, and its first hits do not depend on `topN`. A candidate stays a hit by itself if it has no parent, or if its
 * parent has an excluded word and so must not be shown.
 */
export function chooseParents(state: SearchState): SearchState {
  const { parents, explain } = state.request;
  if (!parents) return state;
  const shown = state.candidates.map((candidate): Candidate => {
    const parentId = state.found.parents[candidate.place];
    return parentId === undefined ? candidate : { ...candidate, parentId };
  });
  const families = Map.groupBy(shown, ({ id, document, parentId }) =>
    parentId === undefined ? id : `${document}/${parentId}`,
  );
  return { ...state, candidates: [...families.values()].map((family) => unite(family, explain)) };
}

/** Makes one candidate from the passages of one parent: the best of them, with all duplicates that were merged into any of them. */
function unite(family: readonly Candidate[], explain: boolean): Candidate {
  const [best, ...others] = family as [Candidate, ...Candidate[]];
  if (others.length === 0) return best;
  const merged = family.flatMap((each) => each.merged ?? []);
  const parts = others.map(({ id, score }) => ({ label: id, value: score }));
  const told: Explanation = { label: 'passages of the same section', value: others.length, parts };
  const explanation = explain ? [...best.explanation, told] : best.explanation;
  return { ...best, ...(merged.length > 0 && { merged }), explanation };
}

/** Moves further passages of a document below other documents. Does nothing if MMR is on, because MMR does the same. */
export function spread(state: SearchState): SearchState {
  const { explain, settings } = state.request;
  if (settings.mmrEnabled) return state;
  const candidates = spreadDocuments(state.candidates);
  const isMoved = candidates.some((candidate, index) => candidate !== state.candidates[index]);
  return isMoved ? { ...state, candidates: limitToHitAbove(candidates, explain) } : state;
}

export function takeTop(state: SearchState): SearchState {
  return { ...state, candidates: state.candidates.slice(0, state.request.topN) };
}

/**
 * Chooses the unsure passages that are shown below the hits: the best one of each further document, until `minDocuments`
 * documents or `topN` passages are shown. A right answer that uses other words than the query often has low confidence, but a
 * high rank.
 */
export function chooseUnsure(state: SearchState): readonly Candidate[] {
  const { candidates, unsure, found, request } = state;
  const { minDocuments = 0, topN, explain } = request;
  const documents = new Set(candidates.map(({ document }) => document));
  const contents = new Set(candidates.map(({ place }) => found.contents[place]));
  const chosen: Candidate[] = [];
  for (const candidate of unsure) {
    if (documents.size >= minDocuments || candidates.length + chosen.length >= topN) break;
    const { document, place } = candidate;
    const content = found.contents[place];
    // 0 is the hash of a passage without text; such passages are not copies of each other.
    if (documents.has(document) || (content !== 0 && contents.has(content))) continue;
    documents.add(document);
    contents.add(content);
    chosen.push(candidate);
  }
  return chooseParents({ ...state, candidates: limitToHitAbove(chosen, explain) }).candidates;
}
