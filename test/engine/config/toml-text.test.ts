import { expect, it } from 'vitest';
import { setNumbers } from '../../../src/engine/config/toml-text.ts';

const FILE = `# My notes
index_path = "index"   # beside this file

[search]
# more words
keyword_weight = 1.5   # was 1
fusion = "convex"

[search.advanced]
graph_depth = 2

[[collections]]
path = "notes"
`;

it('replaces a value in its place, adds what is new at the end of the table, and leaves all else alone', () => {
  expect(setNumbers(FILE, { keyword_weight: 0.7, title_weight: 2 })).toBe(
    FILE.replace('keyword_weight = 1.5', 'keyword_weight = 0.7').replace(
      'fusion = "convex"\n',
      'fusion = "convex"\ntitle_weight = 2\n',
    ),
  );
});

it.each([
  ['', '[search]\ntitle_weight = 2\n'],
  ['index_path = "i"\n', 'index_path = "i"\n\n[search]\ntitle_weight = 2\n'],
  [
    '[search.advanced]\ngraph_depth = 2',
    '[search.advanced]\ngraph_depth = 2\n\n[search]\ntitle_weight = 2\n',
  ],
  ['[search]\r\n"title_weight" = 1\r\n', '[search]\r\n"title_weight" = 2\r\n'],
  ['[ search ] # mine\n\n\n[chunking]\n', '[ search ] # mine\ntitle_weight = 2\n\n\n[chunking]\n'],
  ['date = 2026-01-31\n[search]\n', 'date = 2026-01-31\n[search]\ntitle_weight = 2\n'],
  [
    '[search]\nadvanced = """\ntitle_weight = 1\n"""\n',
    '[search]\nadvanced = """\ntitle_weight = 1\n"""\ntitle_weight = 2\n',
  ],
])('%j', (before, after) => {
  expect(setNumbers(before, { title_weight: 2 })).toBe(after);
});

it.each([
  'search = { title_weight = 1 }\n',
  'search.title_weight = 1\n',
  '[search]\nadvanced = """\n[x]\n"""\n',
  'text = """\n[search]\ntitle_weight = 1\n"""\n',
  '[search]\nnot toml',
])('gives up on %j instead of changing what it means', (text) => {
  expect(setNumbers(text, { title_weight: 2 })).toBeUndefined();
});
