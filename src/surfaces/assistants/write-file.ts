/** Replaces a file of the user completely or not at all. Keeps its mode, and follows a link to it. */
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** The text of a file; undefined if the file does not exist. */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export function replaceFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const there = statSync(file, { throwIfNoEntry: false });
  const target = there ? realpathSync(file) : file;
  const draft = `${target}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    if (there) chmodSync(draft, there.mode);
    renameSync(draft, target);
  } finally {
    rmSync(draft, { force: true });
  }
}
