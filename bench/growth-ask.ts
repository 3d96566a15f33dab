/** Child process of `growth.ts`: opens an index, asks its questions in every mode, and prints what that took as JSON. */
import { percentile } from '../src/core/evaluate/statistics.ts';
import { SEARCH_MODES } from '../src/core/model/query.ts';
import { open } from '../src/engine/open.ts';
import { createWords } from './synthetic-documents.ts';

const QUERIES = 100;
const MIB = 2 ** 20;

const [folder, indexPath, vocabulary] = process.argv.slice(2);
const words = createWords(Number(vocabulary));
const began = process.cpuUsage();
await using index = await open({ roots: [folder!], indexPath: indexPath! });
await index.search(words(5));
const opened = processorMs(began);
const residentOpen = process.memoryUsage.rss() / MIB;

const modes: Record<string, { cpu: number; p50: number; p95: number }> = {};
for (const mode of SEARCH_MODES) {
  const wall: number[] = [];
  const before = process.cpuUsage();
  for (let query = 0; query < QUERIES; query++) {
    const start = performance.now();
    await index.search(words(5), { mode });
    wall.push(performance.now() - start);
  }
  const cpu = processorMs(before) / QUERIES;
  modes[mode] = { cpu, p50: percentile(wall, 0.5), p95: percentile(wall, 0.95) };
}
console.log(JSON.stringify({ opened, residentOpen, modes, resident: process.memoryUsage.rss() / MIB }));

function processorMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}
