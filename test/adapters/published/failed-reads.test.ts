/** A read that fails while nobody listens to it would end the process. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openPostgres } from '../../../src/adapters/postgres/engine.ts';
import type { EditionReader } from '../../../src/adapters/published/engine.ts';
import { publish } from '../../../src/adapters/published/publish.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { openPglite } from '../../support/postgres/open-pglite.ts';
import { memorySource, openRetrieval } from '../../support/published/publish-memory.ts';

const LOST = new Error('The connection is lost.');

/** @param failing makes the reader fail */
async function openFailing(failing: (reader: EditionReader) => EditionReader) {
  const unheard = vi.fn();
  process.on('unhandledRejection', unheard);
  onTestFinished(() => void process.off('unhandledRejection', unheard));
  const pglite = await openPglite();
  onTestFinished(() => pglite.close());
  const place = { url: pglite.url, password: 'none', passwordEnv: 'PGPASSWORD', connections: 1 };
  const engine = await openPostgres({ ...place, name: 'failing' });
  onTestFinished(() => engine.close());
  const files = [{ path: '0.md', text: '# Alpha\n\nalpha beta\n' }];
  await publish(engine, memorySource(files), { now: Date.now });
  const retrieval = await openRetrieval({ ...engine, reader: (state) => failing(engine.reader(state)) });
  return { retrieval, unheard };
}

test('if both reads of sections fail, the caller gets one error', async () => {
  const { retrieval, unheard } = await openFailing((reader) => ({
    ...reader,
    async read(_, __, { keys }) {
      if (!keys.includes('parents')) await wait(20);
      throw LOST;
    },
  }));
  await expect(retrieval.sections([{ document: 0, id: 'any' }])).rejects.toBe(LOST);
  await wait(40);
  expect(unheard).not.toHaveBeenCalled();
});

test('if the query cannot be embedded while its phrase is looked up, the caller gets that error', async () => {
  const { retrieval, unheard } = await openFailing((reader) => ({
    ...reader,
    async *pages(...asked) {
      await wait(20);
      yield* reader.pages(...asked);
    },
  }));
  const vector = Promise.reject<Float32Array>(LOST);
  const lanes = ['keyword', 'semantic'] as const;
  await expect(
    retrieval.retrieve({ query: parseQuery('"alpha beta"'), filters: {}, lanes, depth: 5, vector }),
  ).rejects.toBe(LOST);
  await wait(40);
  expect(unheard).not.toHaveBeenCalled();
});
