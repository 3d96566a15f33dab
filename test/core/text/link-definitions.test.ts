import { expect, test } from 'vitest';
import { withoutLinkDefinitions } from '../../../src/core/text/link-definitions.ts';

test('definitions go, all else stays to the letter', () => {
  const text =
    'See [a] and [b][c].\n\n[a]: other.md "Other page"\n  [c]: <x y.md>\n\n- [ ] a task\n- [x]: done\n';
  expect(withoutLinkDefinitions(text)).toBe('See [a] and [b][c].\n\n\n\n\n- [ ] a task\n- [x]: done\n');
});

test('footnotes keep their words', () => {
  expect(withoutLinkDefinitions('[^1]: The note itself.')).toBe('[^1]: The note itself.');
});
