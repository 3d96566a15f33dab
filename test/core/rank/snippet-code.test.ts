import { expect, test } from 'vitest';
import { parseDocument } from '../../../src/core/markdown/parse-document.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { matchFinder } from '../../../src/core/rank/find-matches.ts';
import { codeStretches } from '../../../src/core/rank/matching-code.ts';
import { snippet } from '../../../src/core/rank/snippet.ts';

const FILLER = 'Some plain words fill the page before and after what is looked for. '.repeat(6);

test('the words after a code block are shown if they weigh more than those in it', () => {
  const code = '```py\napp.addMiddleware(First)\napp.addMiddleware(Second)\n```';
  const after = 'The order of execution is that of the stack: the last middleware runs first.';
  const text = `${FILLER}\n\n${code}\n\n${after}\n\n${FILLER}`;
  const { codeBlocks } = parseDocument('a.md', text);
  const found = snippet(text, matchFinder(parseQuery('middleware execution order')), {
    codeBlocks: codeStretches({ text, overlap: 0, startLine: 1, codeBlocks }),
  });
  expect(found.text).toContain('order of execution');
});
