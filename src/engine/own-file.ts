/** Ownership of files: reads small files only if they are this user's, and tells whether a file is another user's. */
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

/** Opening does not block on a pipe and does not follow a link. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
/** Bits of a mode by which others could write. */
export const OTHERS_WRITE = 0o022;
/** Bits of a mode by which others could do anything. */
export const OTHERS_ANYTHING = 0o077;

export interface OwnFileOptions {
  /** A longer file is not read. */
  readonly maxBytes: number;
  /** Bits that its mode must not have. @default none */
  readonly forbidden?: number;
}

/** The bytes of a file; undefined if it is missing, a link, no regular file, too long, not this user's, or has forbidden bits. */
export function readOwnFile(file: string, { maxBytes, forbidden = 0 }: OwnFileOptions): Buffer | undefined {
  let opened: number | undefined;
  try {
    // Where the system cannot refuse links while opening.
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
 * Whether a folder is this user's, and no other can make or replace files in it.
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

/** Systems without numbers for users have no such modes either. */
function isOwn({ uid, mode }: Stats, forbidden: number): boolean {
  const own = process.geteuid?.();
  return own === undefined || (uid === own && (mode & forbidden) === 0);
}

/**
 * The other user of this machine to whom a file belongs, who may read or replace what is written there.
 * A link and its target are looked at. Files of root do not count as foreign: root may do everything anyway.
 * @returns the user as people read it; undefined for this user's file, root's, a missing one, and on systems without user numbers
 */
export function foreignOwner(file: string): string | undefined {
  const own = process.geteuid?.();
  if (own === undefined) return undefined;
  const foreign = [statsOf(lstatSync, file), statsOf(statSync, file)].find(
    (stats) => stats !== undefined && stats.uid !== own && stats.uid !== 0,
  );
  return foreign && `user ${foreign.uid}`;
}

/** An unreadable file fails later, when it is opened. */
function statsOf(look: (file: string) => Stats, file: string): Stats | undefined {
  try {
    return look(file);
  } catch {
    return undefined;
  }
}
