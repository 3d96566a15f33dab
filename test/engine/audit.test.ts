import { expect, test } from 'vitest';
import { createVault } from './vault.ts';

const PARTS = Array.from(
  { length: 9 },
  (_, part) => `## Part ${part}\n\n${`Words of part ${part}. `.repeat(60)}\n\n`,
);
const FILES = {
  'a.md': `# Long\n\n${PARTS.join('')}`,
  'b.md': `# Long\n\n${PARTS.join('')}`,
  'c.md': `# Long\n\n${PARTS.join('')}## Last\n\nOther words.\n`,
  'd.md': '# Links\n\n[[gone]]\n\n[a](a.md) [[b]] [lost](lost.md)\n',
  'e.md': '---\ntags: [x]\n---\n# Other\n\n[[nowhere]]\n',
  'empty.md': '',
  'blank.md': '',
};

test('audit finds broken links, copies and the documents with the most passages', async () => {
  const vault = createVault(FILES);
  await using index = await vault.open();
  await index.sync({ embed: false });
  const { brokenLinks, duplicates, sizes } = await index.audit();
  expect(brokenLinks).toMatchObject({
    count: 3,
    shown: [
      { path: 'd.md', title: 'Links', line: 3, target: 'gone' },
      { path: 'd.md', line: 5, target: 'lost.md' },
      { path: 'e.md', line: 6, target: 'nowhere' },
    ],
  });
  expect(duplicates).toMatchObject({
    count: 1,
    documents: 2,
    shown: [{ path: 'a.md', copyCount: 2, copies: [{ path: 'b.md', share: 1 }, { path: 'c.md' }] }],
  });
  expect(duplicates.shown[0]!.copies[1]!.share).toBeCloseTo(8 / 9);
  const { chunks } = (await index.list()).documents.find(({ path }) => path === 'a.md')!;
  expect(sizes.largest[0]).toMatchObject({ path: 'a.md', chunks, bytes: FILES['a.md'].length });
  expect(sizes.spread.reduce((sum, { documents }) => sum + documents, 0)).toBe(7);
  expect(sizes.spread.at(-1)).toEqual({ upTo: 16, documents: 3 });
});

test('audit keeps to the filters and to the limit, and counts what it leaves out', async () => {
  const vault = createVault(FILES);
  await using index = await vault.open();
  await index.sync({ embed: false });
  const { brokenLinks, duplicates, sizes } = await index.audit({ limit: 1 });
  expect([brokenLinks.count, brokenLinks.shown.length, sizes.largest.length]).toEqual([3, 1, 1]);
  expect(duplicates.shown[0]).toMatchObject({ copyCount: 2, copies: [{ path: 'b.md' }] });
  const narrow = await index.audit({ filters: { tag: ['x'] } });
  expect(narrow.brokenLinks).toMatchObject({ count: 1, shown: [{ path: 'e.md' }] });
  expect(narrow.duplicates.count).toBe(0);
  expect(narrow.sizes.largest.map(({ path }) => path)).toEqual(['e.md']);
});
