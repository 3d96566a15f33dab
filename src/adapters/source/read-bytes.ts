/** Reads files of a folder that anybody may have written, and says in words why one is left out. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { sep } from 'node:path';
import type { SkippedFile } from '../../core/ports.ts';

/**
 * Not blocking, because a named pipe may stand in the place of a file.
 * @param real absolute, without symbolic links
 * @param path what the file is called in the answer when it is left out
 * @throws what the system says of a file that cannot be opened
 */
export async function readBytes(
  real: string,
  path: string,
  maxBytes: number,
): Promise<Uint8Array | SkippedFile> {
  const handle = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return { path, reason: 'unreadable', detail: 'not a regular file' };
    if (stats.size > maxBytes) return tooLarge(path, stats.size, maxBytes);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Whether `path` is `root` or lies in it; both absolute and without symbolic links. */
export function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

export function tooLarge(path: string, size: number, maxBytes: number): SkippedFile {
  return { path, reason: 'too_large', detail: `${size} bytes, more than ${maxBytes}` };
}

export function unreadable(path: string, error: unknown): SkippedFile {
  return { path, reason: 'unreadable', detail: error instanceof Error ? error.message : String(error) };
}
