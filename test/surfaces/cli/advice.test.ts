/** Advice to run docfuse index names the folders that were typed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adviceFor } from '../../../src/surfaces/cli/failure.ts';
import { createPlayground } from './docfuse.ts';

const playground = createPlayground({
  'my notes/a.md': '# Alpha\n\nThe first letter.\n',
  'notes/a.md': '# Alpha\n',
});
beforeAll(async () => {
  expect((await playground.runHere(['index', 'notes', '--no-embed'])).code).toBe(0);
});
afterAll(() => playground[Symbol.dispose]());

test.each([
  [['doctor'], 'Create it: docfuse index "my notes".\n'],
  [['status'], 'never; run docfuse index "my notes"\n'],
  [['search', '--no-sync', 'foo'], 'There is no index yet; docfuse index "my notes" makes it.\n'],
  [['list'], 'To index these folders, run docfuse index "my notes".\n'],
])('%s of a folder', async (command, said) => {
  const { stdout, stderr } = await playground.runHere([...command, 'my notes']);
  expect(stdout + stderr).toContain(said);
});

test('an index without vectors', async () => {
  const status = await playground.runHere(['status', 'notes']);
  expect(status.stdout).toContain('docfuse index notes makes them, or says why it cannot');
});

test.each(['list', 'serve'])('%s of an index that is damaged', async (command) => {
  await playground.runHere(['index', 'notes', '--no-embed', '--index', 'spoilt']);
  playground.write({ 'spoilt/index.sqlite': 'no database, but as long as a page of one '.repeat(200) });
  const { code, stderr } = await playground.runHere([command, 'notes', '--index', 'spoilt']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('`docfuse index notes --rebuild`')]);
});

test('only the command is meant', () => {
  const text = 'Run `docfuse index --rebuild`; docfuse indexes lists them; x is not a docfuse index.';
  expect(adviceFor(text, ['a', 'b'])).toBe(
    'Run `docfuse index a b --rebuild`; docfuse indexes lists them; x is not a docfuse index.',
  );
  expect(adviceFor(text, [])).toBe(text);
});
