import { expect, test } from 'vitest';
import { runPipeline } from '../../../src/core/search/stages.ts';
import { initialState, type SearchServices, type Stage } from '../../../src/core/search/state.ts';

const clock = (() => {
  let now = 0;
  return { now: () => 0, monotonic: () => now++ };
})();
const start = initialState({} as Parameters<typeof initialState>[0]);
const services = {} as SearchServices;
const candidate = {
  slot: 1,
  id: 'a',
  document: 1,
  place: 0,
  fused: 1,
  absolute: 1,
  score: 1,
  explanation: [],
};

const fill: Stage = { name: 'fill', run: (state) => ({ ...state, candidates: [candidate, candidate] }) };
const halve: Stage = {
  name: 'halve',
  run: async (state) => ({ ...state, candidates: state.candidates.slice(1) }),
};

test('runs the stages in order and records what each left and how long it took', async () => {
  const { trace, candidates } = await runPipeline([fill, halve], start, services, clock);
  expect(candidates).toHaveLength(1);
  expect(trace).toEqual([
    { stage: 'fill', milliseconds: 1, candidates: 2 },
    { stage: 'halve', milliseconds: 1, candidates: 1 },
  ]);
});

test('an aborted signal stops before the next stage', async () => {
  const controller = new AbortController();
  const abort: Stage = {
    name: 'abort',
    run: (state) => {
      controller.abort(new Error('stop'));
      return state;
    },
  };
  await expect(runPipeline([abort, fill], start, services, clock, controller.signal)).rejects.toThrow('stop');
});
