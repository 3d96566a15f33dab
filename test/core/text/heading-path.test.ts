import { expect, test } from 'vitest';
import { headingPathAt } from '../../../src/core/text/heading-path.ts';

const TEXT = `
# Tags

Labels.

## Creating \`tags\` ##

### Inline

Write \`#tag\`.

\`\`\`md
# Code
## Code
\`\`\`

Explorer
--------

Browse it. { #no-heading }

### The [panel](a.md) {#panel}
Last.
`;
const at = (words: string, path = ['Tags']) => {
  const line = TEXT.trimStart().split('\n').indexOf(words);
  return headingPathAt(path, TEXT, line);
};

test.each([
  ['Labels.', ['Tags']],
  ['## Creating `tags` ##', ['Tags', 'Creating tags']],
  ['Write `#tag`.', ['Tags', 'Creating tags', 'Inline']],
  ['## Code', ['Tags', 'Creating tags', 'Inline']],
  ['Browse it. { #no-heading }', ['Tags', 'Explorer']],
  ['Last.', ['Tags', 'Explorer', 'The panel']],
])('the headings above the line %j', (line, path) => expect(at(line)).toEqual(path));

test('go on from the path of the passage, which may name some of them', () => {
  expect(at('Last.', ['Book', 'Tags', 'Explorer'])).toEqual(['Book', 'Tags', 'Explorer', 'The panel']);
  expect(at('Last.', ['Book'])).toEqual(['Book', 'Tags', 'Explorer', 'The panel']);
  expect(headingPathAt(['Book'], '', 1)).toEqual(['Book']);
});

test('a line of one dash makes a heading, as the page shows it', () => {
  expect(headingPathAt([], 'Explorer\n-\n\nBrowse it.', 3)).toEqual(['Explorer']);
});

test('an underlined heading keeps the marks at its end', () => {
  expect(headingPathAt([], 'About C #\n---\n\nText.', 3)).toEqual(['About C #']);
  expect(headingPathAt([], '## About C ##\n\nText.', 2)).toEqual(['About C']);
});
