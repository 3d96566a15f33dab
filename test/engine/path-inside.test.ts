import { posix, win32 } from 'node:path';
import { expect, test } from 'vitest';
import { pathInside } from '../../src/engine/path-inside.ts';

test('a folder holds itself, what lies in it, and what is only called like the way up', () => {
  expect(pathInside('/notes', '/notes', posix)).toBe('');
  expect(pathInside('/notes', '/notes/a/b.md', posix)).toBe('a/b.md');
  expect(pathInside('/notes', '/notes/..old/b.md', posix)).toBe('..old/b.md');
  expect(pathInside('/', '/notes', posix)).toBe('notes');
});

test('neither what lies above or beside it, nor another drive, is inside', () => {
  expect(pathInside('/notes', '/', posix)).toBeUndefined();
  expect(pathInside('/notes', '/notes-2/a.md', posix)).toBeUndefined();
  expect(pathInside('C:\\notes', 'D:\\notes\\a.md', win32)).toBeUndefined();
  expect(pathInside('C:\\notes', 'C:\\notes\\a.md', win32)).toBe('a.md');
});
