/** Keeps what a benchmark measured, with the date and the machine it was measured on. */
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { dirname, join, relative } from 'node:path';

const RESULTS = join(import.meta.dirname, 'results');

/**
 * Writes `measured` as JSON.
 * @param file @default `bench/results/<name>-<date>.json`
 * @returns the path written, relative to the working directory
 */
export async function record(name: string, measured: object, file?: string): Promise<string> {
  const date = new Date().toISOString();
  const target = file ?? join(RESULTS, `${name}-${date.slice(0, 10)}.json`);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, `${JSON.stringify({ name, date, machine: machine(), ...measured }, null, 2)}\n`);
  return relative(process.cwd(), target);
}

function machine(): object {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
  };
}
