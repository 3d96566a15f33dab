/** Runs the stages of a search. If copies took the places of other passages, those up to the merging of copies run once more. */
import type { Clock } from '../ports.ts';
import { runPipeline, stagesFor } from './stages.ts';
import type { SearchServices, SearchState, Stage } from './state.ts';

/** If fewer different texts than this share of the candidates are left, more candidates are asked for. */
const MIN_SHARE = 0.2;
/** Factor by which more different texts are asked for, because the next candidates may have more copies. */
const RESERVE = 1.5;
/** From this number of candidates of a lane on, no more are asked for: a near copy takes a tenth of a millisecond. */
const MAX_DEPTH = 1_600;

/** @param start the initial state of the request */
export async function runSearch(
  start: SearchState,
  services: SearchServices,
  clock: Clock,
  signal?: AbortSignal,
): Promise<SearchState> {
  const stages = stagesFor(start.request);
  const end = stages.findIndex(({ name }) => name === 'semantic_dedup') + 1;
  const run = (part: readonly Stage[], from: SearchState) => runPipeline(part, from, services, clock, signal);
  const merged = await run(stages.slice(0, end), start);
  const depthFactor = factorFor(merged);
  const deeper = depthFactor > 1 ? await run(stages.slice(0, end), { ...start, depthFactor }) : merged;
  return run(stages.slice(end), deeper);
}

/**
 * Returns 1 unless a lane has more candidates, most of those found are sure, and few different texts are left of them. The number
 * of texts does not depend on how many hits are wanted, up to half of `candidates`.
 */
function factorFor({ asked, found, trace }: SearchState): number {
  const left = (stage: string) => trace.find((each) => each.stage === stage)?.candidates ?? 0;
  const { depth = 0 } = asked ?? {};
  const different = left('semantic_dedup');
  const hasMore = Object.values(found.lanes).some(({ ranked }) => ranked.length >= depth);
  if (!hasMore || left('threshold') < depth / 2 || different >= MIN_SHARE * depth) return 1;
  return Math.min(
    Math.ceil((RESERVE * MIN_SHARE * depth) / different),
    Math.max(1, Math.floor(MAX_DEPTH / depth)),
  );
}
