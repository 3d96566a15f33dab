/** A published index says what it cannot do exactly. */
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { open } from '../../src/engine/open.ts';
import { openPglite } from '../support/postgres/open-pglite.ts';
import { SMALL_MODEL } from '../support/small-model.ts';

const pglite = await openPglite();
afterAll(() => pglite.close());
beforeAll(() => void vi.stubEnv('DOCFUSE_TEST_PG_PASSWORD', 'right').stubEnv('PGUSER', 'postgres'));

test('status, doctor and explained answers say so if a graph finds the vectors, and only then', async () => {
  await using work = await mkdtempDisposable(join(tmpdir(), 'docfuse-limits-'));
  const docs = join(work.path, 'docs');
  await mkdir(docs);
  await writeFile(join(docs, 'light.md'), '# Light\n\nThe keeper lights the lantern.\n');
  const settings = {
    postgres: {
      url: pglite.url,
      name: 'limits',
      connections: 1,
      password_env: 'DOCFUSE_TEST_PG_PASSWORD',
    },
    embedding: { model: SMALL_MODEL },
  };
  const indexPath = join(work.path, 'index');
  await using own = await open({ roots: [docs], indexPath, settings });
  await own.sync({ publish: true });
  const address = `${pglite.url.replace('postgres@', '')}?name=limits`;
  const said = async () => {
    await using published = await open({ indexPath: address, settings });
    const { warnings } = await published.status();
    const { hits, notice } = await published.search('lantern', { explain: true, minConfidence: 0 });
    expect(hits).toHaveLength(1);
    return [
      warnings.map(({ message }) => message).join(' '),
      (await published.check()).find(({ name }) => name === 'abilities')?.detail,
      notice,
    ];
  };
  for (const text of await said()) {
    expect(text).toContain('acronyms are not written out');
    expect(text).not.toContain('graph');
  }
  // More passages than are compared one by one.
  await pglite.db.exec(
    "UPDATE docfuse.publications SET state = jsonb_set(state, '{passages,count}', '60000')",
  );
  for (const text of await said()) expect(text).toContain('found by a graph');
  const { notice } = await own.search('lantern', { explain: true, minConfidence: 0 });
  expect(notice).toBeUndefined();
}, 60_000);
