import { expect, it } from 'vitest';
import { makeProbePairs } from '../../bench/probe-pairs.ts';
import { parseDocument } from '../../src/core/markdown/parse-document.ts';

it('asks for the document that never says what the other one of its subject is about', () => {
  const documents = Object.entries({
    'a.md': '# Publish to GitHub\n\nPush the pages.\n',
    'b.md': '# Publish to Netlify\n\nNo account at GitHub is needed, nor a template.\n',
    'c.md': '# Publish to Vercel\n\nDrag the folder; templates of Netlify work.\n',
    'd.md': '# Publish templates\n\nFor GitHub, Netlify and Vercel.\n',
  }).map(([path, text]) => parseDocument(path, text));
  const pairs = makeProbePairs(documents, 40, ['without', 'minus']);
  const ofKind = (wanted: string) =>
    pairs
      .filter(({ kind }) => kind === wanted)
      .map(({ query, path }) => `${query}: ${path}`)
      .sort();
  // Two never say Vercel, so that asks for neither; `template` is a form of `templates`.
  expect(ofKind('without')).toEqual([
    'publish without github: c.md',
    'publish without netlify: a.md',
    'publish without templates: a.md',
  ]);
  expect(ofKind('minus')).toEqual([
    'publish -github: c.md',
    'publish -netlify: a.md',
    'publish -templates: a.md',
  ]);
});
