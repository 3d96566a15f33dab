/** Reads single lines of a text file that is too large to load. */
import { closeSync, openSync, readSync } from 'node:fs';

export interface LineReader {
  /** The line that begins at a byte offset, read as latin1; empty at the end of the file. */
  lineAt(offset: number): string;
  close(): void;
}

/** Read at once: most lines are shorter. */
const STEP = 1024;

export function openLineReader(file: string): LineReader {
  const descriptor = openSync(file, 'r');
  const buffer = Buffer.alloc(STEP);
  return {
    lineAt(offset) {
      let line = '';
      for (let at = offset; ; at += STEP) {
        const length = readSync(descriptor, buffer, 0, STEP, at);
        const end = buffer.subarray(0, length).indexOf('\n');
        line += buffer.toString('latin1', 0, end < 0 ? length : end);
        if (end >= 0 || length < STEP) return line;
      }
    },
    close: () => closeSync(descriptor),
  };
}
