/** Addresses that open a file in an editor. */
import { expect, test } from 'vitest';
import { editorLink, isTemplate } from '../../../src/surfaces/web/editors.ts';

test.each([
  ['myeditor://open?file={file}&line={line}', true],
  ['  idea://open?file={file}  ', true],
  ['x-my.editor+1:{file}', true],
  ['myeditor://open', false],
  ['{file}', false],
  ['/{file}', false],
  ['javascript:alert("{file}")', false],
  ['JavaScript:{file}', false],
  [' javascript:{file}', false],
  ['java\tscript:{file}', false],
  ['\u0001javascript:{file}', false],
  ['vbscript:{file}', false],
  ['data:text/html,{file}', false],
  ['blob:{file}', false],
  ['file://{file}', false],
  ['view-source:{file}', false],
  ['https://evil.example/{file}', false],
])('%j is a template: %j', (text, is) => {
  expect(isTemplate(text)).toBe(is);
});

test('what stands for file and line is replaced once, and written for an address', () => {
  const own = { name: 'own', template: 'my://x?f={file}&l={line}&g={file}' } as const;
  expect(editorLink(own, '/a b/{line}&$1.md', 7)).toBe(
    'my://x?f=%2Fa%20b%2F%7Bline%7D%26%241.md&l=7&g=%2Fa%20b%2F%7Bline%7D%26%241.md',
  );
  expect(editorLink({ name: 'own', template: 'javascript:{file}' }, '/a.md', 1)).toBeUndefined();
  expect(editorLink({ name: 'vscode', template: '' }, '/a.pdf', 1)).toBeUndefined();
  expect(editorLink({ name: 'vscode', template: '' }, 'C:\\n\\a.md', 2)).toBe('vscode://file/C:/n/a.md:2');
});
