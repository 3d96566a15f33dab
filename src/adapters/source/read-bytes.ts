/** Reads files of an untrusted folder, and says in words why one is left out. */
import { constants, readlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { sep } from 'node:path';
import type { SkippedFile } from '../../core/ports.ts';

/** Does not block on a named pipe and follows no link: either may have replaced the file since its path was looked up. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * The opened file is the requested one, even if somebody replaces a folder above it by a link at that moment: Linux
 * tells where an open file is. Elsewhere only the file itself is known to be no link.
 * @param real absolute, without symbolic links
 * @param path what the file is called in the answer when it is left out
 * @throws the error of the system if the file cannot be opened
 */
export async function readBytes(
  real: string,
  path: string,
  maxBytes: number,
): Promise<Uint8Array | SkippedFile> {
  const handle = await open(real, FLAGS);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return { path, reason: 'unreadable', detail: 'not a regular file' };
    if (!isAt(handle.fd, real)) return { path, reason: 'unreadable', detail: 'moved while it was opened' };
    if (stats.size > maxBytes) return tooLarge(path, stats.size, maxBytes);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** A file system that ignores letter case or accents may spell the same path differently. */
function isAt(descriptor: number, real: string): boolean {
  let place: string;
  try {
    place = readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return true; // not Linux, or without /proc
  }
  const same = (path: string) => path.normalize().toLowerCase();
  // A file that a save replaced meanwhile is still the requested file.
  return same(place.replace(/ \(deleted\)$/, '')) === same(real.replace(/ \(deleted\)$/, ''));
}

/** Whether `path` is `root` or lies in it; both absolute and without symbolic links. */
export function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

export function tooLarge(path: string, size: number, maxBytes: number): SkippedFile {
  return { path, reason: 'too_large', detail: `${size} bytes, more than ${maxBytes}` };
}

export function unreadable(path: string, error: unknown): SkippedFile {
  // Node replaces bytes that are not UTF-8 by this character, so the name it gives leads to no file.
  if (path.includes('\ufffd') && (error as NodeJS.ErrnoException).code === 'ENOENT')
    return { path, reason: 'unreadable', detail: 'its name is not UTF-8' };
  return { path, reason: 'unreadable', detail: error instanceof Error ? error.message : String(error) };
}
