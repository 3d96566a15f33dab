/** Checks the owner of files: reads small files that belong to this user, and finds files of another user. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';

/** With these flags, opening does not wait for a pipe and fails for a link. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
/** Mode bits that let other users write. */
export const OTHERS_WRITE = 0o022;
/** Mode bits that give other users any right. */
export const OTHERS_ANYTHING = 0o077;

/** Reads a regular file of this user; undefined if it is missing, a link, too long, another user's, or has forbidden mode bits. */
export function readOwnFile(
  file: string,
  { maxBytes, forbidden = 0 }: { readonly maxBytes: number; readonly forbidden?: number },
): Buffer | undefined {
  let opened: number | undefined;
  try {
    // Without O_NOFOLLOW, opening a link does not fail.
    if (!constants.O_NOFOLLOW && lstatSync(file).isSymbolicLink()) return undefined;
    opened = openSync(file, FLAGS);
    const stats = fstatSync(opened);
    if (!stats.isFile() || stats.size > maxBytes || !isOwn(stats, forbidden)) return undefined;
    const bytes = Buffer.alloc(maxBytes + 1);
    const length = readSync(opened, bytes, 0, bytes.length, 0);
    return length > maxBytes ? undefined : bytes.subarray(0, length);
  } catch {
    return undefined;
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

/**
 * Whether a folder belongs to this user, and no other user can create or replace files in it.
 * @param look `lstatSync` for a folder that must not be a link. @default statSync
 */
export function isOwnFolder(folder: string, look: (folder: string) => Stats = statSync): boolean {
  try {
    const stats = look(folder);
    return stats.isDirectory() && isOwn(stats, OTHERS_WRITE);
  } catch {
    return false;
  }
}

/** Whether this user owns a file, and it has no forbidden bits. True on Windows, which has neither user ids nor mode bits. */
function isOwn({ uid, mode }: Stats, forbidden: number): boolean {
  const own = process.geteuid?.();
  return own === undefined || (uid === own && (mode & forbidden) === 0);
}

/**
 * Returns another user who owns a file, such as `user 1001`: that user may read or replace its content. Checks a link and its
 * target. Root is not reported, because root may do everything anyway.
 * @returns undefined for a file of this user or of root, a missing file, and on systems without user ids
 */
export function foreignOwner(file: string): string | undefined {
  const own = process.geteuid?.();
  if (own === undefined) return undefined;
  const foreign = [statsOf(lstatSync, file), statsOf(statSync, file)].find(
    (stats) => stats !== undefined && stats.uid !== own && stats.uid !== 0,
  );
  return foreign && `user ${foreign.uid}`;
}

/** Returns undefined if the file cannot be examined: opening the file then fails, too. */
function statsOf(look: (file: string) => Stats, file: string): Stats | undefined {
  try {
    return look(file);
  } catch {
    return undefined;
  }
}
