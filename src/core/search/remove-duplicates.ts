/** Stages: candidates that say what a better one says already are merged into it, by three ways of comparing. */
import type { Explanation } from '../model/hit.ts';
import { type Duplicate, dedupeContent, dedupeNgrams, dedupeSemantic, nearSketches } from '../rank/dedupe.ts';
import type { Candidate, SearchServices, SearchState } from './state.ts';

/**
 * Candidates among which near duplicates are looked for. To compare all would cost milliseconds where the threshold is 0;
 * were it fewer for a short answer than for a long one, the short one would not be the beginning of the long one.
 */
const COMPARED = 60;

/** Same text; all candidates are compared, by the hashes of their texts. */
export async function removeCopies(state: SearchState, { retrieval }: SearchServices): Promise<SearchState> {
  const { candidates, found, request } = state;
  if (!request.settings.contentDedupEnabled) return state;
  const hashes = candidates.map(({ place }) => found.contents[place]!);
  const alike = Map.groupBy(hashes.keys(), (index) => hashes[index]!);
  const compared = [...alike].flatMap(([hash, indices]) =>
    hash === 0 || indices.length === 1 ? [] : indices,
  );
  if (compared.length === 0) return state;
  const textOf = await textsOf(compared, candidates, retrieval);
  return merge(state, 'same text', dedupeContent(hashes, textOf));
}

/** Nearly the same text; among the best candidates. */
export async function removeNearCopies(
  state: SearchState,
  { retrieval, passageFacts }: SearchServices,
): Promise<SearchState> {
  const { candidates, request } = state;
  const { ngramDedupEnabled, ngramDedupThreshold } = request.settings;
  if (!ngramDedupEnabled) return state;
  const sketches = await passageFacts.sketches(candidates.slice(0, COMPARED).map(({ slot }) => slot));
  const compared = nearSketches(sketches, ngramDedupThreshold);
  if (compared.length === 0) return state;
  const textOf = await textsOf(compared, candidates, retrieval);
  return merge(state, 'shared trigrams', dedupeNgrams(sketches, textOf, ngramDedupThreshold));
}

/** Nearly the same meaning; among the best candidates. The last way of the three, so that clusters can be counted. */
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

/** Reads the texts that have to be compared, at once. */
async function textsOf(
  indices: readonly number[],
  candidates: readonly Candidate[],
  retrieval: SearchServices['retrieval'],
): Promise<(index: number) => string> {
  const texts = await retrieval.texts(indices.map((index) => candidates[index]!.slot));
  const known = new Map(indices.map((index, order) => [index, texts[order]!]));
  return (index) => known.get(index) ?? '';
}

/** Every removed candidate, with whatever had been merged into it, is reported by exactly one survivor. */
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
    return [
      {
        ...candidate,
        merged: [...merged, ...twins.map(({ place }) => place)],
        explanation: request.explain
          ? [...candidate.explanation, explain(measure, group, twins)]
          : candidate.explanation,
      },
    ];
  });
  return { ...state, candidates: left };
}

function explain(measure: string, group: readonly Duplicate[], twins: readonly Candidate[]): Explanation {
  const parts = group.map(({ similarity }, index) => ({ label: twins[index]!.id, value: similarity }));
  return { label: `duplicates merged, by ${measure}`, value: parts.length, parts };
}
