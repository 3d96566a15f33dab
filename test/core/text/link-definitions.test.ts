import { expect, test } from 'vitest';
import { withoutLinkDefinitions } from '../../../src/core/text/link-definitions.ts';
import { growth, NOISY } from './growth.ts';

test('definitions go, all else stays to the letter', () => {
  const text =
    'See [a] and [b][c].\n\n[a]: other.md "Other page"\n  [c]: <x y.md>\n\n- [ ] a task\n- [x]: done\n';
  expect(withoutLinkDefinitions(text)).toBe('See [a] and [b][c].\n\n\n\n\n- [ ] a task\n- [x]: done\n');
});

test.each([
  '[Note]: restart the server first',
  '[Note]: deprecated.',
  '[Later]: see a.md and b.md',
  '[a]: <x y.md> and more',
  '[a]: b.md "an open title',
])('%s is text', (line) => {
  expect(withoutLinkDefinitions(line)).toBe(line);
});

test.each([
  '[a]: b.md',
  '[a]:b.md  ',
  "[a]: #part 'Its title'",
  '[a]: <x y.md> (Its \\( title)',
  '[a]: other "Its \\" title"',
  '[Ä b]: /page_2',
])('%s is a definition', (line) => {
  expect(withoutLinkDefinitions(line)).toBe('');
});

test.each(['[a]: ', '[a]: "', "[a]: b '", '[a]: (\\', '[a]:<'])(
  'time grows in step with %j repeated',
  NOISY,
  (unit) => expect(growth(withoutLinkDefinitions, unit)).toBeLessThan(4),
);

test('footnotes keep their words', () => {
  expect(withoutLinkDefinitions('[^1]: The note itself.')).toBe('[^1]: The note itself.');
});
