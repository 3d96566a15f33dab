/** Stages: candidates that say what a better one says already are merged into it, by three ways of comparing. */
import type { Explanation } from '../model/hit.ts';
import { dedupeContent } from '../rank/dedupe-content.ts';
import { dedupeNgrams } from '../rank/dedupe-ngrams.ts';
import { dedupeSemantic } from '../rank/dedupe-semantic.ts';
import type { Duplicate } from '../rank/merge-duplicates.ts';
import { createReach } from './reach.ts';
import type { Candidate, SearchServices, SearchState } from './state.ts';

/** Same text; all candidates are compared. */
export function removeCopies(state: SearchState, { readTexts }: SearchServices): SearchState {
  if (!state.request.settings.contentDedupEnabled) return state;
  const texts = readTexts(state.candidates.map(({ slot }) => slot));
  return merge(state, 'same text', dedupeContent(texts));
}

/** Nearly the same text; as deep as the answer can reach. */
export function removeNearCopies(state: SearchState, { readTexts }: SearchServices): SearchState {
  const { candidates, request } = state;
  if (!request.settings.ngramDedupEnabled) return state;
  const textOf = (index: number) => readTexts([candidates[index]!.slot])[0] ?? '';
  const isEnough = createReach(request, candidates);
  const { ngramDedupThreshold } = request.settings;
  return merge(
    state,
    'shared trigrams',
    dedupeNgrams(candidates.length, textOf, ngramDedupThreshold, isEnough),
  );
}

/** Nearly the same meaning; as deep as the answer can reach. */
export function removeRestatements(state: SearchState, { vectorOf }: SearchServices): SearchState {
  const { candidates, request } = state;
  if (!request.settings.dedupEnabled) return state;
  const vectorAt = (index: number) => vectorOf(candidates[index]!.slot);
  const isEnough = createReach(request, candidates);
  const { dedupSimilarityThreshold } = request.settings;
  return merge(
    state,
    'cosine',
    dedupeSemantic(candidates.length, vectorAt, dedupSimilarityThreshold, isEnough),
  );
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
        merged: [...merged, ...twins.map(({ id }) => id)],
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
