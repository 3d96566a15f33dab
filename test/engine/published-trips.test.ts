/** How often a search of a publication in PostgreSQL waits for the server. A server may be far away: each wait takes a round trip. */
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { SearchMode } from '../../src/core/model/query.ts';
import { open } from '../../src/engine/open.ts';
import { openPglite } from '../support/postgres/open-pglite.ts';
import { SMALL_MODEL } from '../support/small-model.ts';

const pglite = await openPglite();
afterAll(() => pglite.close());
beforeAll(() => void vi.stubEnv('DOCFUSE_TEST_PG_PASSWORD', 'right').stubEnv('PGUSER', 'postgres'));

/**
 * Counts statements, and the longest chain of statements each of which was sent after the one before was answered. The chain may be
 * counted too long: a statement that waits for a short chain may be sent after a statement of a longer one was answered.
 */
function countTrips() {
  const count = { statements: 0, trips: 0 };
  const pool = pg.Pool.prototype as unknown as { connect(): Promise<pg.PoolClient> };
  const connect = pool.connect;
  const spy = vi.spyOn(pool, 'connect').mockImplementation(async function (this: typeof pool) {
    const trip = count.trips + 1;
    count.statements++;
    const client = await connect.call(this);
    const { release } = client;
    client.release = (failed) => {
      count.trips = Math.max(count.trips, trip);
      client.release = release;
      release(failed);
    };
    return client;
  });
  return { count, stop: () => spy.mockRestore() };
}

test('a search waits for the state, the lanes, what survivors need, links and texts', async () => {
  await using work = await mkdtempDisposable(join(tmpdir(), 'docfuse-trips-'));
  const docs = join(work.path, 'docs');
  await mkdir(docs);
  const words = ['lantern', 'harbour', 'keeper', 'signal'];
  for (let number = 0; number < 40; number++) {
    // Sections are no near copies of each other: those would be read until enough different ones are found.
    const own = (part: number) =>
      Array.from({ length: 40 }, (_, at) =>
        ((number * 3 + part + 1) * 7919 + at * 104_729).toString(36),
      ).join(' ');
    const sections = [0, 1, 2].map(
      (part) => `## Part ${part}\n\nThe ${words[(number + part) % 4]} is lit again. ${own(part)}\n`,
    );
    const text = `# ${words[number % 4]} ${number}\n\nSee [[${(number + 7) % 40}]].\n\n${sections.join('\n')}`;
    await writeFile(join(docs, `${number}.md`), text);
  }
  const place = { url: pglite.url, name: 'trips', connections: 1, password_env: 'DOCFUSE_TEST_PG_PASSWORD' };
  const settings = { postgres: place, embedding: { model: SMALL_MODEL } };
  await using own = await open({ roots: [docs], indexPath: join(work.path, 'index'), settings });
  await own.sync({ publish: true });
  await using published = await open({
    indexPath: `${pglite.url.replace('postgres@', '')}?name=trips`,
    settings,
  });
  // Opens the model, the list of words and the sample of vectors.
  await published.search('part', { minConfidence: 0 });

  const { count, stop } = countTrips();
  onTestFinished(stop);
  const expectAtMost = async (query: string, mode: SearchMode, statements: number, trips: number) => {
    Object.assign(count, { statements: 0, trips: 0 });
    const { hits } = await published.search(query, { mode, minConfidence: 0 });
    expect(hits.length).toBeGreaterThan(0);
    expect(count.statements).toBe(statements);
    expect(count.trips).toBeLessThanOrEqual(trips);
  };
  // The trips of docs/decisions/0110-round-trips.md: edition, counts of words, lanes, survivors, passages of linked documents, texts
  // to compare, texts to show. One trip fewer than there: no linked document is unknown.
  await expectAtMost('lantern harbour', 'hybrid', 11, 7);
  // Counts and most texts of these passages are known.
  await expectAtMost('lantern harbour of a', 'hybrid', 10, 6);
  await expectAtMost('keeper signal', 'keyword', 9, 6);
  await expectAtMost('who lights it?', 'semantic', 6, 6);
}, 120_000);
