/**
 * How fast passages are embedded by an indexer alone, and with workers beside it. Usage: node bench/embedding-workers.ts FOLDER [ROUNDS] [cores|services]
 * Needs a server at DOCFUSE_PG_URL. Two set-ups, because one machine has few cores:
 * - `cores`: the packaged model in one thread, the indexer on core 0, a worker on core 1 (taskset).
 * - `services`: each process has an embedding service of its own, which takes 20 ms for a text and one text at a time. This shows
 *   whether the table keeps several embedders busy. It tells nothing about a model.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { open } from '../src/engine/open.ts';
import { vectorKey } from '../src/engine/workspace/vector-key.ts';
import { keep } from './record.ts';

const TEXT_MS = 20;
const url = process.env.DOCFUSE_PG_URL;
const [folder, rounds = '2', only = ''] = process.argv.slice(2);
if (!folder || !url)
  throw new Error('usage: DOCFUSE_PG_URL=… node bench/embedding-workers.ts FOLDER [ROUNDS] [cores|services]');

if (process.env.BENCH_INDEX) {
  const { indexPath, settings } = JSON.parse(process.env.BENCH_INDEX);
  await using index = await open({ roots: [folder], indexPath, settings });
  await index.sync({ embed: false });
  const [began, used] = [performance.now(), process.cpuUsage()];
  const { embedded } = await index.sync();
  const { user, system } = process.cpuUsage(used);
  const seconds = (performance.now() - began) / 1000;
  console.log(JSON.stringify({ embedded, seconds, processorSeconds: (user + system) / 1e6 }));
} else await measure();

interface Report {
  readonly embedded: number;
  readonly seconds: number;
  /** Of the indexer. With a worker that is as fast, it is half of that without one, however busy the machine is. */
  readonly processorSeconds: number;
}

/** A service that embeds one text at a time. */
async function startService() {
  let last = Promise.resolve();
  const server = createServer(async (request, response) => {
    const { input } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as {
      input: string | string[];
    };
    const texts = [input].flat();
    last = last.then(() => sleep(TEXT_MS * texts.length));
    await last;
    const data = texts.map((text, index) => ({
      index,
      embedding: Array.from({ length: 384 }, (_, at) => vectorKey(text).charCodeAt(at % 32) - 70),
    }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { server, settings: { provider: 'openai', model: 'slow', dimensions: 384, base_url } };
}

function start(core: number | undefined, args: readonly string[], env: object): ChildProcess {
  const command = [...(core === undefined ? [] : ['taskset', '-c', `${core}`]), process.execPath, ...args];
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  return spawn(command[0]!, command.slice(1), { stdio: [...stdio], env: { ...process.env, ...env } });
}

async function indexAlone(core: number | undefined, settings: object) {
  const work = await mkdtemp(join(tmpdir(), 'docfuse-workers-'));
  const own = JSON.stringify({ indexPath: join(work, 'index'), settings });
  const child = start(core, [import.meta.filename, folder!], { BENCH_INDEX: own });
  const said = Buffer.concat(await child.stdout!.toArray()).toString();
  await rm(work, { recursive: true });
  return JSON.parse(said) as Report;
}

async function withWorkers(cores: readonly (number | undefined)[], models: readonly object[]) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client
    .query('DROP TABLE IF EXISTS docfuse.jobs; UPDATE docfuse.layout SET version = 2')
    .catch(() => {});
  await client.end();
  const args = (model: object) =>
    Object.entries(model).flatMap(([key, value]) => ['--set', `embedding.${key}=${value}`]);
  const program = join(import.meta.dirname, '../bin/docfuse.js');
  const workers = models
    .slice(1)
    .map((model, place) =>
      start(cores[place + 1], [program, 'worker', '--quiet', '--index', url!, ...args(model)], {}),
    );
  if (workers.length > 0) await sleep(3_000); // they have started
  const postgres = { url, workers: true };
  const report = await indexAlone(cores[0], { embedding: models[0], postgres });
  for (const worker of workers) worker.kill();
  await Promise.all(workers.map((worker) => once(worker, 'exit')));
  return report;
}

async function measure(): Promise<void> {
  const services = await Promise.all([startService(), startService(), startService()]);
  const slow = services.map(({ settings }) => settings);
  const one = { threads: 1 };
  const runs = {
    'cores, no table': () => indexAlone(0, { embedding: one }),
    'cores, table, no worker': () => withWorkers([0], [one]),
    'cores, table, 1 worker': () => withWorkers([0, 1], [one, one]),
    'services, no table': () => indexAlone(undefined, { embedding: slow[0] }),
    'services, table, no worker': () => withWorkers([], slow.slice(0, 1)),
    'services, table, 1 worker': () => withWorkers([], slow.slice(0, 2)),
    'services, table, 2 workers': () => withWorkers([], slow),
  };
  const rows: Record<string, { readonly rate: number[]; readonly processorSeconds: number[] }> = {};
  let passages = 0;
  for (let round = 0; round < Number(rounds); round++) {
    for (const [name, run] of Object.entries(runs).filter(([each]) => each.startsWith(only))) {
      const report = await run();
      rows[name] ??= { rate: [], processorSeconds: [] };
      const { rate, processorSeconds } = rows[name];
      passages = report.embedded;
      rate.push(Number((passages / report.seconds).toFixed(1)));
      processorSeconds.push(Number(report.processorSeconds.toFixed(1)));
      console.log(name, report);
    }
  }
  for (const { server } of services) server.close();
  const unit = 'passages a second, and processor time of the indexer; one number a round';
  await keep('embedding-workers', { folder, passages, textMs: TEXT_MS, unit, rows });
}
