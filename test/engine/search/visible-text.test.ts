/** Answers from pages with markup. */
import { expect, test } from 'vitest';
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
