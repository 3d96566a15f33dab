/** Keeps what a benchmark measured, with the date and the machine it was measured on. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { dirname, join, relative } from 'node:path';

const RESULTS = join(import.meta.dirname, 'results');

/**
 * Writes `measured` as JSON.
 * @param file overwritten if it is there. @default `bench/results/<name>-<date>.json`, with the time where that is taken
 * @returns the path written, relative to the working directory
 */
export async function record(name: string, measured: object, file?: string): Promise<string> {
  const date = new Date().toISOString();
  const target = file ?? freePath(RESULTS, name, date);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, `${JSON.stringify({ name, date, machine: machine(), ...measured }, null, 2)}\n`);
  return relative(process.cwd(), target);
}

/** The same, and says where. */
export async function keep(name: string, measured: object, file?: string): Promise<string> {
  const path = await record(name, measured, file);
  console.log(`Kept in ${path}`);
  return path;
}

/** So that one day's figures never replace others. @param date ISO 8601 */
export function freePath(folder: string, name: string, date: string): string {
  const ofDay = join(folder, `${name}-${date.slice(0, 10)}.json`);
  // Sorts behind the first of the day.
  return existsSync(ofDay) ? join(folder, `${name}-${date.slice(0, 19).replaceAll(':', '')}.json`) : ofDay;
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
