/** An index whose settings ask for embedding workers, while their server is away. */
import { expect, test } from 'vitest';
import { createVault } from './vault.ts';

const pages = Object.fromEntries(
  Array.from({ length: 70 }, (_, page) => [`${page}.md`, `# Page ${page}\n\nword${page} stands here\n`]),
);
const postgres = { url: 'postgres://me@127.0.0.1:9/search', connections: 1 };

test('a run warns once that workers could not be asked, and makes all vectors', async () => {
  const vault = createVault(pages);
  await using index = await vault.open({ settings: { postgres: { ...postgres, workers: true } } });
  const { embedded, warnings } = await index.sync();
  expect(embedded).toBe(70);
  expect(warnings).toEqual([
    {
      path: '',
      message: expect.stringMatching(
        /without embedding workers: PostgreSQL at 127\.0\.0\.1:9 does not answer/,
      ),
    },
  ]);
  const again = await index.sync({ rebuild: true });
  expect(again.warnings).toEqual([]);
}, 60_000);

test('without the address of the database, the first run warns that workers embed nothing', async () => {
  const vault = createVault({ 'a.md': '# A\n\ntext\n' });
  await using index = await vault.open({ settings: { postgres: { workers: true } } });
  const message = 'Workers embed nothing: postgres.workers is set, but postgres.url is missing.';
  expect(await index.sync()).toMatchObject({ embedded: 1, warnings: [{ path: '', message }] });
  expect((await index.sync()).warnings).toEqual([]);
});

test('few passages are embedded here at once, and without the setting all are', async () => {
  const few = createVault({ 'a.md': '# A\n\ntext\n' });
  await using small = await few.open({ settings: { postgres: { ...postgres, workers: true } } });
  expect(await small.sync()).toMatchObject({ embedded: 1, warnings: [] });
  const many = createVault(pages);
  await using large = await many.open({ settings: { postgres } });
  expect(await large.sync()).toMatchObject({ embedded: 70, warnings: [] });
});
