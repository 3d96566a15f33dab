import { expect, test } from 'vitest';
import { createVault } from './vault.ts';

test('in a list, what is dated ahead of now comes last: a slip or an appointment, not news', async () => {
  const dated = (days: number) =>
    `---\ndate: ${new Date(Date.now() + days * 86_400_000).toISOString()}\n---\n# A\n\nA lantern.\n`;
  const vault = createVault({
    'old.md': dated(-900),
    'new.md': dated(-1),
    'far.md': dated(900),
    'zone.md': dated(0.5),
  });
  const index = await vault.open();
  await index.sync({ embed: false });
  const { hits } = await index.search('path:*.md');
  expect(hits.map(({ path }) => path)).toEqual(['zone.md', 'new.md', 'old.md', 'far.md']);
});

test('filters alone pass over passages that show a reader nothing', async () => {
  const definitions = '[a]: https://example.com/a\n'.repeat(200);
  const vault = createVault({
    'a.md': `${definitions}\n# Anchors\n\n${'Drop the anchor slowly. '.repeat(100)}\n`,
  });
  const index = await vault.open();
  await index.sync({ embed: false });
  const { hits } = await index.search('path:a.md', { parents: false });
  expect(hits.map(({ text }) => text)).toEqual([expect.stringContaining('Drop the anchor')]);
});
