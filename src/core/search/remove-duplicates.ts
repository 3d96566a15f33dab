/** Stages that merge a candidate into a better one with the same content. They compare texts, trigrams and embeddings. */
import { type Duplicate, dedupeContent, dedupeNgrams, dedupeSemantic } from '../rank/dedupe.ts';
import type { Candidate, SearchServices, SearchState } from './state.ts';

/**
 * Number of different texts, the best first, that are compared for near duplicates: comparing all candidates can take milliseconds.
 * The number does not depend on how many hits are wanted, so a short answer is the start of a long one.
 */
const COMPARED = 60;

/** Max number of texts that are compared for near duplicates: each takes a tenth of a millisecond. */
const MAX_COMPARED = 1_600;

/** Merges candidates with the same text. Compares all candidates, by the hashes of their texts. */
export async function removeCopies(state: SearchState, { retrieval }: SearchServices): Promise<SearchState> {
  const { candidates, found, request } = state;
  if (!request.settings.contentDedupEnabled) return state;
  const hashes = candidates.map(({ place }) => found.contents[place]!);
  const alike = Map.groupBy(hashes.keys(), (index) => hashes[index]!);
  const compared = [...alike].flatMap(([hash, indices]) =>
    hash === 0 || indices.length === 1 ? [] : indices,
  );
  if (compared.length === 0) return state;
  const texts = await retrieval.texts(compared.map((index) => candidates[index]!.slot));
  const known = new Map(compared.map((index, order) => [index, texts[order]!]));
  const duplicates = dedupeContent(hashes, (index) => known.get(index) ?? '');
  return merge(state, 'same text', duplicates);
}

/** Merges texts that are nearly the same, until `COMPARED` different texts are left. */
export async function removeNearCopies(
  state: SearchState,
  { retrieval, passageFacts }: SearchServices,
): Promise<SearchState> {
  const { candidates, request } = state;
  const { ngramDedupEnabled, ngramDedupThreshold } = request.settings;
  if (!ngramDedupEnabled) return state;
  const slotsOf = (indices: readonly number[]) => indices.map((index) => candidates[index]!.slot);
  const duplicates = await dedupeNgrams({
    count: Math.min(candidates.length, MAX_COMPARED),
    wanted: COMPARED,
    threshold: ngramDedupThreshold,
    sketchesOf: (indices) => passageFacts.sketches(slotsOf(indices)),
    textsOf: (indices) => retrieval.texts(slotsOf(indices)),
  });
  return merge(state, 'shared trigrams', duplicates);
}

/**
 * Merges texts with nearly the same meaning, among the best candidates. This is the last of the three stages, so it also counts the
 * candidates that have duplicates.
 */
export async function removeRestatements(
  state: SearchState,
  { retrieval }: SearchServices,
): Promise<SearchState> {
  const { dedupEnabled, dedupSimilarityThreshold } = state.request.settings;
  const compared = dedupEnabled ? state.candidates.slice(0, COMPARED) : [];
  const vectors = await retrieval.vectors(compared.map(({ slot }) => slot));
  const left = merge(state, 'cosine', dedupeSemantic(vectors, dedupSimilarityThreshold));
  return { ...left, clusters: left.candidates.filter(({ merged }) => merged !== undefined).length };
}

/**
 * Removes duplicates. Each removed candidate is added to `merged` of exactly one remaining candidate, together with its own
 * `merged` candidates.
 */
function merge(state: SearchState, measure: string, duplicates: readonly Duplicate[]): SearchState {
  if (duplicates.length === 0) return state;
  const { candidates, request } = state;
  const removed = new Set(duplicates.map(({ index }) => index));
  const groups = Map.groupBy(duplicates, ({ of }) => of);
  const left = candidates.flatMap((candidate, index): Candidate[] => {
    if (removed.has(index)) return [];
    const group = groups.get(index);
    if (!group) return [candidate];
    const twins = group.map((duplicate) => candidates[duplicate.index]!);
    const merged = [candidate, ...twins].flatMap((each) => each.merged ?? []);
    const all = { ...candidate, merged: [...merged, ...twins.map(({ place }) => place)] };
    if (!request.explain) return [all];
    const parts = group.map(({ similarity }, at) => ({ label: twins[at]!.id, value: similarity }));
    const told = { label: `duplicates merged, by ${measure}`, value: parts.length, parts };
    return [{ ...all, explanation: [...candidate.explanation, told] }];
  });
  return { ...state, candidates: left };
}
