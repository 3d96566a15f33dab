/**
 * How answers from a server compare with those of the embedded index that was published there: nDCG@10 and time of judged sets.
 * Usage: node bench/published.ts qdrant|postgres <judged set>…
 * The server is that of QDRANT_URL or DOCFUSE_PG_URL, else the one of the tests: Qdrant's engine in a Python process, or PostgreSQL
 * in this process.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { evaluate } from '../src/engine/evaluate/evaluate.ts';
import { openPglite } from '../test/support/postgres/open-pglite.ts';
import { evaluatePublished } from '../test/support/published/evaluate-published.ts';
import { openBridge } from '../test/support/qdrant/open-bridge.ts';
import { keep } from './record.ts';

const [engine, ...sets] = process.argv.slice(2);
const usage = 'usage: node bench/published.ts qdrant|postgres <judged set>…';
if (sets.length === 0 || (engine !== 'qdrant' && engine !== 'postgres')) throw new Error(usage);

const given = engine === 'qdrant' ? process.env.QDRANT_URL : process.env.DOCFUSE_PG_URL;
const own = given === undefined ? await (engine === 'qdrant' ? openBridge() : openPglite()) : undefined;
const url = given ?? own!.url;
// The client sends a password, whatever it is.
if (own) process.env.PGPASSWORD ??= 'none';
const addressOf = (name: string) =>
  engine === 'qdrant' ? `${url.replace('http', 'qdrant')}/${name}` : `${url}?name=${name}`;
const work = await mkdtemp(join(tmpdir(), 'docfuse-published-'));
const modes = ['hybrid', 'keyword', 'semantic'] as const;
const rows: Record<string, Record<string, number>> = {};
try {
  for (const set of sets) {
    const name = `bench-${basename(set)}`.replace(/[^\w-]/g, '-');
    // PostgreSQL in this process takes one connection.
    const settings = { [engine]: { url, name, ...(engine === 'postgres' && own && { connections: 1 }) } };
    const asked = { set, modes, open: { indexPath: join(work, name), settings } };
    const here = await evaluate(asked);
    const there = await evaluatePublished({ ...asked, address: addressOf(name) });
    console.log(`published in ${Math.round(there.milliseconds)} ms`);
    for (const [place, mode] of modes.entries()) {
      const [embedded, published] = [here, there.evaluation].map((each) => each.modes[place]!);
      rows[`${basename(set)} ${mode}`] = {
        embedded: embedded!.metrics.ndcg10,
        published: published!.metrics.ndcg10,
        difference: published!.metrics.ndcg10 - embedded!.metrics.ndcg10,
        embeddedMs: embedded!.latency.p50,
        publishedMs: published!.latency.p50,
      };
    }
    console.table(rows);
  }
  const server = given === undefined ? 'that of the tests' : 'given';
  await keep(engine, { server, metric: 'nDCG@10', rows });
} finally {
  await own?.close();
  await rm(work, { recursive: true });
}
