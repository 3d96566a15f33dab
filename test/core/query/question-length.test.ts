import { expect, it } from 'vitest';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { questionLength } from '../../../src/core/query/terms.ts';

it.each([
  ['token rotation', 2],
  ['how is the token rotated in the nightly build?', 4],
  // Terms are single characters and pairs of them.
  ['トークンの更新はどこで設定しますか', 1],
  ['token token token', 1],
  ['token,build;nightly/rotation—backup', 5],
  ['get_user_by_id std::vector.push_back front-matter C++ don’t', 5],
  ['', 0],
])('%s: %d', (text, words) => {
  expect(questionLength(parseQuery(text))).toBe(words);
});
