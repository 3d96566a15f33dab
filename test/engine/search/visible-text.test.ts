/** Answers from pages with markup. */
import { expect, test } from 'vitest';
import { formatPassages } from '../../../src/surfaces/operations/format-passages.ts';
import { toWire } from '../../../src/surfaces/operations/wire.ts';
import { createVault } from '../vault.ts';

test('a page of components alone shows its title, and a snippet shows no markup', async () => {
  const vault = createVault({
    'zymurgy.mdx': 'import { Card } from \'./card\'\n\n<Card href="/a" />\n\n<Card>\n</Card>\n',
    'guide.mdx':
      '# Guide\n\n<Steps>\n<Step title="Brew">\n\nA zymurgy course.\n\n</Step>\n</Steps>\n{/* end */}\n',
  });
  const index = await vault.open();
  await index.sync();
  const { hits } = await index.search('zymurgy', { minConfidence: 0 });
  const snippets = hits.map(({ path, snippet }) => [path, snippet.text, snippet.startLine]);
  expect(snippets.sort()).toEqual([
    ['guide.mdx', 'Brew\n\nA zymurgy course.', 4],
    ['zymurgy.mdx', 'zymurgy', 1],
  ]);
});

test('a page of front matter alone shows its description, else its title', async () => {
  const vault = createVault({
    'a.md': '---\ntitle: Turning lanterns\ndesc: ""\n---\n',
    'b.md': '---\ntitle: Wicks\ndesc: Trimmed for lanterns.\n---\n',
  });
  const index = await vault.open();
  await index.sync();
  const { hits } = await index.search('lanterns', { minConfidence: 0, mode: 'keyword' });
  const snippets = hits.map(({ path, snippet }) => [path, snippet.text]);
  expect(snippets.sort()).toEqual([
    ['a.md', 'Turning lanterns'],
    ['b.md', 'Trimmed for lanterns.'],
  ]);
  expect(formatPassages(toWire(hits.slice(0, 1)), ({ path }) => path)).toContain(hits[0]!.snippet.text);
});
