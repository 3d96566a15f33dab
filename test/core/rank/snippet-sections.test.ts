/** Snippets of passages with several sections: what one option says must not be read as said of another. */
import { expect, test } from 'vitest';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { matchFinder } from '../../../src/core/rank/find-matches.ts';
import { snippet } from '../../../src/core/rank/snippet.ts';

const FILLER = 'Nothing of note happens in this sentence at all. ';
const MINIMUM =
  '#### `retry-mintimeout`\n\n* Default: 10000\n\nThe "minTimeout" to use when fetching packages.\n\n';
const TIMEOUT = '#### `fetch-timeout`\n\n* Default: 300000\n\nHow long to wait for an answer.\n\n';

/** The snippet of a query in which all words weigh the same. */
const shown = (text: string, query: string, codeBlocks: Parameters<typeof snippet>[2] = {}) =>
  snippet(text, matchFinder(parseQuery(query)), codeBlocks).text;

test.each([
  ['in a short passage', `${MINIMUM}${TIMEOUT}`],
  ['in a long passage', `${MINIMUM}${TIMEOUT}${FILLER.repeat(9)}`],
  ['before the others', `${TIMEOUT}${MINIMUM}${FILLER.repeat(9)}`],
])('shows the section that has the name as its heading, %s', (_, text) => {
  const found = shown(text, 'default fetch-timeout');
  expect(found).toContain('300000');
  expect(found.startsWith('* Default: 300000') || found.startsWith('#### `fetch-timeout`')).toBe(true);
});

test('of two sections with the same words, shows the one that has them as its heading', () => {
  const offline =
    '#### `offline`\n\nForces it; to miss less, see --prefer-offline, also in prefer-offline.\n\n';
  const prefer = '#### `prefer-offline`\n\n* Default: false\n\nSkips checks.\n\n';
  expect(shown(`${prefer}${offline}`, 'prefer-offline')).toMatch(/^\* Default: false/);
  const { best, start } = snippet(`${prefer}${offline}`, matchFinder(parseQuery('prefer-offline')));
  expect(best).toBe(start);
  expect(shown(`${offline}${prefer}`, 'prefer-offline')).toMatch(/^#### `prefer-offline`/);
});

test('a section with more of the words comes before one with the name of a part of them', () => {
  const text = `## Tokens\n\nWhat they are.\n\n## Rotating\n\nTokens expire; rotate them.\n\n${FILLER.repeat(9)}`;
  expect(shown(text, 'when do tokens expire')).toMatch(/^## Rotating/);
});

test('a comment in code is no heading', () => {
  const block = '```sh\n# install\nrun it\n```\n';
  const text = `Before you begin, read on to install it.\n\n${block}\nThat is all.\n`;
  const [start, end] = [text.indexOf('```sh'), text.indexOf('```sh') + block.length];
  const code = { block: { language: 'sh', start: 0, end: 0, code: '' }, start, end, content: undefined };
  expect(shown(text, 'install', { codeBlocks: [code as never] })).toMatch(/^Before you begin/);
});

test('the headings above the heading count, too', () => {
  const options = (of: string, value: number) => `## ${of}\n\n### Timeout\n\n* Default: ${value}\n\n`;
  const text = `${FILLER}\n\n${options('Fetch', 300)}${options('Push', 77)}${FILLER.repeat(9)}`;
  expect(shown(text, 'push timeout default')).toMatch(/^### Timeout\n\n\* Default: 77/);
  expect(shown(text, 'fetch timeout default')).toMatch(/^### Timeout\n\n\* Default: 300/);
});
