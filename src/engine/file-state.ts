/** Tells whether another process has replaced an index, or written to it. */
import { existsSync, statSync } from 'node:fs';

export interface FileState {
  readonly inode: number;
  /** Differs after every write by others, and while they write. */
  readonly written: string;
}

/** @returns undefined when there is no such file */
export function stateOf(file: string): FileState | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats && { inode: stats.ino, written: `${stats.mtimeMs} ${existsSync(`${file}-wal`)}` };
}
