/** Reads bytes at any position: of a file, of a section of other bytes, or of content that is made when it is read. */
import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { openPlain } from './read-bytes.ts';

export interface Bytes {
  readonly size: number;
  /** Reads `length` bytes from `position` on, which counts from 0. @throws Error if the bytes end earlier */
  read(position: number, length: number): Promise<Buffer>;
}

/** Bytes read at once for a shorter read: the next reads are mostly for the bytes that follow. */
const WINDOW = 64 * 1024;

/**
 * Opens a file. Closes it after two seconds without a read, and opens it again for the next read.
 * @param real absolute, without symbolic links
 * @throws Error if it is not a regular file; all errors of the system. `read` also throws Error if the file has changed since
 */
export async function openFileBytes(real: string) {
  const first = await openPlain(real);
  const { size, mtimeMs } = first.stats;
  const stamp = stampOf(first.stats);
  const opened = keepWhileUsed<FileHandle>(
    async () => {
      const { handle, stats } = await openPlain(real);
      if (stampOf(stats) === stamp) return handle;
      await handle.close();
      throw new Error('the archive has changed meanwhile');
    },
    (handle) => handle.close(),
    first.handle,
  );
  let window = { start: 0, bytes: Buffer.alloc(0) };

  async function read(position: number, length: number): Promise<Buffer> {
    requireWithin(size, position, length);
    if (position < window.start || position + length > window.start + window.bytes.length) {
      const wanted = Math.min(Math.max(length, WINDOW), size - position);
      const bytes = Buffer.allocUnsafe(wanted);
      const { bytesRead } = await opened.use((handle) => handle.read(bytes, 0, wanted, position));
      if (bytesRead < wanted) throw new Error('the archive has become shorter');
      if (length >= WINDOW) return bytes;
      window = { start: position, bytes };
    }
    return window.bytes.subarray(position - window.start, position - window.start + length);
  }
  return { size, stamp, modified: mtimeMs, read };
}

/** Identifies the state of a file. */
export function stampOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
}

/** Returns a view of `size` bytes, from position `start` on. */
export function slice(bytes: Bytes, start: number, size: number): Bytes {
  return {
    size,
    async read(position, length) {
      requireWithin(size, position, length);
      return bytes.read(start + position, length);
    },
  };
}

/**
 * Makes the bytes at the first read, drops them after two seconds without a read, and makes them again for the next read.
 * @param size expected number of bytes that `make` returns. Reads are checked against the actual number
 */
export function bytesMadeOf(make: () => Promise<Buffer>, size: number): Bytes {
  const made = keepWhileUsed(make, async () => {});
  return {
    size,
    read: (position, length) =>
      made.use(async (bytes) => {
        requireWithin(bytes.length, position, length);
        return bytes.subarray(position, position + length);
      }),
  };
}

function requireWithin(size: number, position: number, length: number): void {
  if (position < 0 || position + length > size) throw new Error('the archive ends too early');
}

/** How long an unused value stays open. The timer does not keep the process alive. */
const IDLE_MS = 2_000;

/**
 * Keeps something open while it is used and shortly after. Returns `use`, which opens a value if none is open, and rejects with the
 * error of `open` or of the work.
 * @param value a value that is already open. @default none
 */
function keepWhileUsed<T>(open: () => Promise<T>, close: (value: T) => Promise<void>, value?: T) {
  let opened: Promise<T> | undefined = value === undefined ? undefined : Promise.resolve<T>(value);
  let users = 0;
  let timer: NodeJS.Timeout | undefined;

  function closeLater(): void {
    timer = setTimeout(() => {
      void opened?.then(close).catch(() => {});
      opened = undefined;
    }, IDLE_MS).unref();
  }

  if (opened) closeLater();
  return {
    async use<R>(work: (value: T) => Promise<R>): Promise<R> {
      clearTimeout(timer);
      users++;
      try {
        opened ??= open().catch((error) => {
          opened = undefined; // the next use tries again
          throw error;
        });
        return await work(await opened);
      } finally {
        if (--users === 0) closeLater();
      }
    },
  };
}
