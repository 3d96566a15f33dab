/** Tells a slow program from a busy machine. */
import { existsSync, readFileSync } from 'node:fs';

/** Milliseconds for which the main thread of a process was ready to run and others had the processor; 0 where only Linux would say. */
export function processorWait(pid: number): number {
  const file = `/proc/${pid}/schedstat`;
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[1]) / 1e6 : 0;
}
