/** Runs a list of stages and records what each took and left. */
import type { Clock } from '../ports.ts';
import type { SearchServices, SearchState, Stage } from './state.ts';

/**
 * Runs `stages` in order.
 * @param signal checked between stages, where its reason is thrown, and handed to each
 */
export async function runPipeline(
  stages: readonly Stage[],
  start: SearchState,
  services: SearchServices,
  clock: Clock,
  signal?: AbortSignal,
): Promise<SearchState> {
  let state = start;
  for (const stage of stages) {
    signal?.throwIfAborted();
    const began = clock.monotonic();
    const next = await stage.run(state, services, signal);
    const milliseconds = clock.monotonic() - began;
    const trace = { stage: stage.name, milliseconds, candidates: next.candidates.length };
    state = { ...next, trace: [...state.trace, trace] };
  }
  if (state.asked) services.retrieval.release?.(state.asked);
  return state;
}
