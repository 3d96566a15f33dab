import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchWithHypothesis } from '../../../src/surfaces/operations/search.ts';
import { createPlayground } from './docfuse.ts';

const playground = createPlayground(
  {
    'docs/sea.md': '# Coast\n\nThe moon pulls on the oceans, and so tides rise and fall twice a day.\n',
    'docs/dough.md': '# Kitchen\n\nYeast turns sugar into gas, so the dough grows before the oven.\n',
  },
  { packagedModel: true },
);
const HYPOTHESIS = 'Lunar gravity causes water levels at shores to go up or down';
const find = (...args: string[]) => playground.runHere(['search', 'why', 'docs', ...args]);

beforeAll(async () => {
  expect((await playground.runHere(['index', 'docs'])).code).toBe(0);
});
afterAll(() => playground[Symbol.dispose]());

test('search --hypothesis answers as the operation search_with_hypothesis', async () => {
  const { code, stdout } = await find('--hypothesis', HYPOTHESIS, '--json', '-n', '1');
  expect(code).toBe(0);
  const answer = searchWithHypothesis.output.parse(JSON.parse(stdout));
  expect(answer).toMatchObject({ query: 'why', hypothesis: HYPOTHESIS, mode: 'semantic' });
  expect(answer.hits.map(({ path }) => path)).toEqual(['sea.md']);
});

test('an option that says nothing about a hypothesis is refused, not ignored', async () => {
  const { code, stderr } = await find('--hypothesis', HYPOTHESIS, '--mode', 'keyword');
  expect(code).toBe(2);
  expect(stderr).toContain('--hypothesis');
  expect(stderr).toContain('--mode');
});

test('it is no command of its own', async () => {
  const { code } = await playground.runHere(['search_with_hypothesis', 'why']);
  expect(code).toBe(2);
});

test('a value out of range points to the help of search', async () => {
  const { code, stderr } = await find('--hypothesis', HYPOTHESIS, '-n', '0');
  expect(code).toBe(2);
  expect(stderr).toContain('--top-n');
  expect(stderr).toContain('docfuse search --help');
});
