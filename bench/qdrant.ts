/**
 * How answers from Qdrant compare with those of the embedded index that was published there: nDCG@10 and time of judged sets.
 * Usage: node bench/qdrant.ts <judged set>…
 * The server is that of QDRANT_URL, else the bridge of the tests, which runs Qdrant's engine in a Python process.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { evaluate } from '../src/engine/evaluate/evaluate.ts';
import { openToRank, readJudgedSet } from '../src/engine/evaluate/judged-set.ts';
import { open } from '../src/engine/open.ts';
import { openBridge } from '../test/support/qdrant/open-bridge.ts';
import { keep } from './record.ts';

const sets = process.argv.slice(2);
if (sets.length === 0) throw new Error('usage: node bench/qdrant.ts <judged set>…');

const server = process.env.QDRANT_URL;
const bridge = server === undefined ? await openBridge() : undefined;
const url = server ?? bridge!.url;
const work = await mkdtemp(join(tmpdir(), 'docfuse-qdrant-'));
const modes = ['hybrid', 'keyword', 'semantic'] as const;
const rows: Record<string, Record<string, number>> = {};
try {
  for (const set of sets) {
    const name = `bench-${basename(set)}`.replace(/[^\w-]/g, '-');
    const settings = { qdrant: { url, name } };
    const asked = { set, modes, open: { indexPath: join(work, name), settings } };
    const own = await evaluate(asked);
    await using index = await open(openToRank(await readJudgedSet(set), asked.open));
    await index.sync({ publish: true });
    await using published = await open({ indexPath: `${url.replace('http', 'qdrant')}/${name}`, cwd: work });
    const there = await evaluate({
      ...asked,
      ask: (_, query, options) => published.search(query, options),
    });
    for (const [place, mode] of modes.entries()) {
      const [embedded, qdrant] = [own, there].map((each) => each.modes[place]!);
      rows[`${basename(set)} ${mode}`] = {
        embedded: embedded!.metrics.ndcg10,
        qdrant: qdrant!.metrics.ndcg10,
        difference: qdrant!.metrics.ndcg10 - embedded!.metrics.ndcg10,
        embeddedMs: embedded!.latency.p50,
        qdrantMs: qdrant!.latency.p50,
      };
    }
    console.table(rows);
  }
  await keep('qdrant', { server: server === undefined ? 'bridge' : 'QDRANT_URL', metric: 'nDCG@10', rows });
} finally {
  bridge?.close();
  await rm(work, { recursive: true });
}
