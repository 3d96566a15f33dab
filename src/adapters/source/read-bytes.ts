/** Reads files of an untrusted folder, and gives the reason if a file or the folder is left out. */
import { constants, readlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { sep } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import type { SkippedFile } from '../../core/ports.ts';

/** Opens without blocking on a named pipe and without following a link: either may have replaced the file meanwhile. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Reads a file. On Linux, checks the path of the opened file: another process may have replaced a folder above it by a link.
 * Other systems do not report that path, so only the file itself is known not to be a link.
 * @param real absolute, without symbolic links
 * @param path name of the file in the result if it is left out
 * @throws Error if the file is not a regular file at this place, or cannot be opened
 */
export async function readBytes(
  real: string,
  path: string,
  maxBytes: number,
): Promise<Uint8Array | SkippedFile> {
  const { handle, stats } = await openPlain(real);
  await using _ = handle;
  if (stats.size > maxBytes) return tooLarge(path, stats.size, maxBytes);
  return await handle.readFile();
}

/**
 * Opens a regular file; see `readBytes`.
 * @throws Error if it is another kind of file or lies elsewhere, also all errors of the system
 */
export async function openPlain(real: string) {
  const handle = await open(real, FLAGS);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error('not a regular file');
    if (!isAt(handle.fd, real)) throw new Error('moved while it was opened');
    return { handle, stats };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Whether the open file lies at `real`. Ignores letter case and the encoding of accents, which some file systems change. */
function isAt(descriptor: number, real: string): boolean {
  let place: string;
  try {
    place = readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return true; // not Linux, or without /proc
  }
  const same = (path: string) => path.normalize().toLowerCase();
  // If another program replaces the file after it was opened, Linux adds ` (deleted)` to this path. The opened file is still read.
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
  // Node replaces bytes that are not UTF-8 by this character, so no file has the name that Node reports.
  if (path.includes('\ufffd') && (error as NodeJS.ErrnoException).code === 'ENOENT')
    return { path, reason: 'unreadable', detail: 'its name is not UTF-8' };
  return { path, reason: 'unreadable', detail: error instanceof Error ? error.message : String(error) };
}

/** Returns the error for a root that cannot be listed. @param cause the error of the system */
export function rootUnreadable(root: string, cause: unknown): DocfuseError {
  const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
  return new DocfuseError(
    'not_found',
    missing ? `There is no file or folder ${root}.` : `${root} cannot be read (${(cause as Error).message}).`,
    missing ? 'Check the path.' : 'Check its permissions.',
    { cause },
  );
}

/** Returns the error for an empty root that had documents before. */
export function rootEmpty(root: string): DocfuseError {
  return new DocfuseError(
    'not_found',
    `${root} is empty. Maybe its drive is not mounted.`,
    'Restore its files. If you removed them on purpose, run `docfuse index --rebuild` to remove them from the index.',
  );
}
