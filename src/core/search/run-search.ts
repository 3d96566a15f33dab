/** Runs the stages of a search. If copies took the places of other passages, those up to the merging of copies run once more. */
import type { Clock } from '../ports.ts';
import { runPipeline, stagesFor } from './stages.ts';
import type { SearchServices, SearchState, Stage } from './state.ts';

/** More candidates are asked for if fewer different texts are left than this share of what one lane was asked for. */
const MIN_SHARE = 0.3;
/** Factor by which more different texts are asked for, because the next candidates may have more copies. */
const RESERVE = 1.5;
/** From this number of candidates of a lane on, no more are asked for: each takes some microseconds. */
const MAX_DEPTH = 6_400;

/** The trace has the stages of the last run alone. */
export async function runSearch(
  start: SearchState,
  { retrieval, ...others }: SearchServices,
  clock: Clock,
  signal?: AbortSignal,
): Promise<SearchState> {
  const stages = stagesFor(start.request);
  const end = stages.findIndex(({ name }) => name === 'semantic_dedup') + 1;
  const run = (part: readonly Stage[], from: SearchState) =>
    runPipeline(part, from, { ...others, retrieval }, clock, signal);
  let state = await run(stages.slice(0, end), start);
  const { asked } = state;
  const depthFactor = factorFor(state);
  if (asked && depthFactor > 1) {
    retrieval.release?.(asked);
    const vector = await asked.vector; // the query is not embedded again
    state = await run(stages.slice(0, end), { ...start, depthFactor, ...(vector && { vector }) });
  }
  state = await run(stages.slice(end), state);
  if (state.asked) retrieval.release?.(state.asked);
  return state;
}

/**
 * Returns 1 unless a lane has more candidates, at least half as many candidates as it gave are sure, and few of them are left after
 * duplicates were merged. No number depends on how many hits are wanted, up to half of `candidates`.
 */
function factorFor({ asked, found, trace }: SearchState): number {
  if (!asked) return 1;
  const { depth, lanes } = asked;
  const left = (stage: string) => trace.find((each) => each.stage === stage)?.candidates ?? 0;
  const different = left('semantic_dedup');
  const hasMore = lanes.some((lane) => (found.lanes[lane]?.ranked.length ?? 0) >= depth);
  if (!hasMore || left('threshold') < depth / 2 || different >= MIN_SHARE * depth) return 1;
  const wanted = Math.ceil((RESERVE * MIN_SHARE * depth) / different);
  return Math.max(1, Math.min(wanted, Math.floor(MAX_DEPTH / depth)));
}
