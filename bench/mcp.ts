/** Time of `query_documents` over stdio, beside the same search in this process, at 1,000 documents. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { percentile } from '../src/core/evaluate/statistics.ts';
import { open } from '../src/engine/open.ts';
import { connectMcp } from './connect-mcp.ts';
import { keep } from './record.ts';
import { createWords, writeDocuments } from './synthetic-documents.ts';
import { timed } from './timed.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000' },
    queries: { type: 'string', default: '300' },
    out: { type: 'string' },
  },
});
/** Asked first, and not counted. */
const WARMING = 20;

const work = await mkdtemp(join(tmpdir(), 'docfuse-mcp-'));
const indexPath = join(work, 'index');
const words = createWords();
const folder = await writeDocuments(join(work, 'documents'), Number(values.documents), words);
await using index = await open({ roots: [folder], indexPath });
await index.sync();

const client = await connectMcp(join(import.meta.dirname, '..'), indexPath, folder);
const times = { here: [] as number[], stdio: [] as number[], added: [] as number[] };
for (let number = 0; number < WARMING + Number(values.queries); number++) {
  const query = words(5);
  const here = () => timed(() => index.search(query));
  const stdio = () => timed(() => client.callTool({ name: 'query_documents', arguments: { query } }));
  // In turn and in changing order, so that a busy machine slows both alike.
  const first = number % 2 === 0;
  const early = first ? await here() : undefined;
  const asked = await stdio();
  const alone = early ?? (await here());
  if (number < WARMING) continue;
  times.here.push(alone);
  times.stdio.push(asked);
  times.added.push(asked - alone);
}
await client.close();

const p50 = {
  here: percentile(times.here, 0.5),
  stdio: percentile(times.stdio, 0.5),
  added: percentile(times.added, 0.5),
};
const p95 = { here: percentile(times.here, 0.95), stdio: percentile(times.stdio, 0.95) };
console.log(`in process  p50 ${p50.here.toFixed(1)} ms  p95 ${p95.here.toFixed(1)} ms`);
console.log(`over stdio  p50 ${p50.stdio.toFixed(1)} ms  p95 ${p95.stdio.toFixed(1)} ms`);
console.log(`difference, query by query  p50 ${p50.added.toFixed(2)} ms`);
const measured = { documents: Number(values.documents), queries: times.here.length, p50, p95 };
await keep('mcp', measured, values.out);
await rm(work, { recursive: true });
