import { posix, win32 } from 'node:path';
import { expect, test } from 'vitest';
import type { IndexLocation } from '../../../src/engine/config/locate-index.ts';
import { fromHere } from '../../../src/surfaces/cli/paths.ts';

function typed(pattern: string, cwd: string, root: string, system: typeof posix) {
  const location = () =>
    ({ config: { collections: [{ root, kind: 'folder' }] } }) as unknown as IndexLocation;
  const { filters } = fromHere({ filters: { path: [pattern] } }, location, cwd, system);
  return (filters as { readonly path: readonly string[] }).path[0];
}

test.each([
  ['./notes/a', '/ada', '/ada/notes', '/ada/notes/a'],
  ['../other/*.md', '/ada/notes', '/ada/notes', '../other/*.md'],
  ['../a.md', '/ada/notes/b', '/ada/notes', '/ada/notes/a.md'],
  ['notes/a', '/ada', '/ada/notes', '/ada/notes/a'],
  ['guide/a', '/ada', '/ada/notes', 'guide/a'],
  ['guide\\*', '/ada', '/ada/notes', 'guide\\*'],
])('%s typed in %s', (pattern, cwd, root, meant) => {
  expect(typed(pattern, cwd, root, posix)).toBe(meant);
});

test.each([
  ['.\\notes\\a', 'C:\\ada', 'C:\\ada\\notes', 'C:\\ada\\notes\\a'],
  ['..\\a.md', 'C:\\ada\\notes\\b', 'C:\\ada\\notes', 'C:\\ada\\notes\\a.md'],
  ['notes\\a', 'C:\\ada', 'C:\\ada\\notes', 'C:\\ada\\notes\\a'],
  ['guide\\*.md', 'C:\\ada', 'C:\\ada\\notes', 'guide/*.md'],
])('%s typed on Windows in %s', (pattern, cwd, root, meant) => {
  expect(typed(pattern, cwd, root, win32)).toBe(meant);
});
