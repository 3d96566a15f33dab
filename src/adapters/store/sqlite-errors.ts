/** Turns errors of SQLite and the file system into messages that tell a user what to do. */
import { DocfuseError, type ErrorCode } from '../../core/errors.ts';

/**
 * Wraps all functions of a port: the storage errors that they throw become DocfuseErrors about the file. For generators, errors
 * while the result is being read are converted, too.
 */
export function guardAll<Port extends object>(file: string, port: Port): Port {
  const guard =
    (work: (...input: unknown[]) => unknown) =>
    (...input: unknown[]) => {
      try {
        const result = work(...input);
        return result instanceof Iterator ? guardRows(file, result) : result;
      } catch (cause) {
        throw explainStorageError(cause, file);
      }
    };
  return Object.fromEntries(Object.entries(port).map(([name, work]) => [name, guard(work)])) as Port;
}

function* guardRows(file: string, rows: Iterable<unknown>): Iterable<unknown> {
  try {
    yield* rows;
  } catch (cause) {
    throw explainStorageError(cause, file);
  }
}

/** Converts a storage error to a DocfuseError. Returns any other error unchanged, for example a programming error. */
export function explainStorageError(cause: unknown, file: string): unknown {
  if (cause instanceof DocfuseError || !(cause instanceof Error)) return cause;
  const kind = kindOf(cause);
  if (kind === undefined) return cause;
  const [code, message, remedy] = PROBLEMS[kind](file, cause.message);
  return new DocfuseError(code, message, remedy, { cause });
}

/** Whether an error means damaged content. False if the content is sound, but cannot be read at the moment. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && kindOf(error) === 'damaged';
}

/** Whether an error means that another process has locked the index. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && kindOf(error) === 'busy';
}

/** Whether SQLite or the file system failed. False if a value could not be decoded. */
export function isStorageTrouble(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return typeof errcode === 'number' || (typeof code === 'string' && code in KIND_OF_CODE);
}

type Kind = 'damaged' | 'busy' | 'full' | 'denied' | 'io';
type Problem = readonly [code: ErrorCode, message: string, remedy: string];

const PROBLEMS: Readonly<Record<Kind, (file: string, reason: string) => Problem>> = {
  damaged: (file, reason) => [
    'index_damaged',
    `The index ${file} is damaged (${reason}).`,
    'Rebuild it with `docfuse index --rebuild`; your documents are not affected.',
  ],
  busy: (file) => [
    'index_busy',
    `The index ${file} is being written by another process.`,
    'Wait until the other docfuse is done, then try again.',
  ],
  full: (file) => [
    'storage',
    `The disk that holds the index ${file} is full.`,
    'Free some space and try again; what was indexed before is kept.',
  ],
  denied: (file, reason) => [
    'storage',
    `The index ${file} cannot be opened or written (${reason}).`,
    'Check that you may write to its folder, or choose another place for the index.',
  ],
  io: (file, reason) => [
    'storage',
    `The disk failed while the index ${file} was read or written (${reason}).`,
    'Check the disk, or choose another place for the index.',
  ],
};

/** Kinds by primary result code: the low byte of the extended result code. Each comment begins with SQLite's name for the code. */
const KIND_OF_RESULT: Readonly<Record<number, Kind>> = {
  1: 'damaged', // ERROR: the statements are fixed, so they fail only if a table has changed
  2: 'damaged', // INTERNAL
  3: 'denied', // PERM
  5: 'busy', // BUSY
  6: 'busy', // LOCKED
  8: 'denied', // READONLY
  10: 'io', // IOERR
  11: 'damaged', // CORRUPT
  13: 'full', // FULL
  14: 'denied', // CANTOPEN
  15: 'busy', // PROTOCOL: other processes took the locks of the log first, too many times
  18: 'damaged', // TOOBIG: a stored length is wrong
  19: 'damaged', // CONSTRAINT: rows contradict an index
  20: 'damaged', // MISMATCH
  23: 'denied', // AUTH
  26: 'damaged', // NOTADB
};

/** IOERR_SHMSIZE: not enough disk space for the shared-memory file. */
const NO_ROOM_TO_SHARE = 4874;

const KIND_OF_CODE: Readonly<Record<string, Kind>> = {
  EACCES: 'denied',
  ENOENT: 'denied', // a folder cannot be made, for example under /proc
  EPERM: 'denied',
  EROFS: 'denied',
  EISDIR: 'denied',
  ENOTDIR: 'denied',
  EEXIST: 'denied',
  ENAMETOOLONG: 'denied',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EIO: 'io',
};

function kindOf(error: Error): Kind | undefined {
  // SyntaxError: damaged JSON. RangeError: a damaged or missing row (rows.ts, document-tables.ts).
  if (error instanceof SyntaxError || error instanceof RangeError) return 'damaged';
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (errcode === NO_ROOM_TO_SHARE) return 'full';
  if (typeof errcode === 'number') return KIND_OF_RESULT[errcode & 0xff];
  return typeof code === 'string' ? KIND_OF_CODE[code] : undefined;
}
