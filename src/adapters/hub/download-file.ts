/** Downloads a file: continues after an interruption, and checks the bytes before use. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import { piecesOf } from '../remote/request.ts';
import { HUB, type Hub, type HubFile } from './hub.ts';

export interface DownloadOptions {
  readonly hub: Hub;
  readonly model: string;
  readonly file: HubFile;
  /** Path for the file. Until the file is complete and checked, it is called `<target>.part`. */
  readonly target: string;
  /** Called with the number of bytes of this file that are on the disk so far. */
  readonly onBytes: (bytes: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** The download fails after this number of consecutive connections without a new byte. */
const MAX_FRUITLESS = 3;

/**
 * Downloads the file, or the rest of it after an interruption. Does nothing if the file exists with the right checksum.
 * @throws DocfuseError `remote` if bytes are missing or wrong, `not_found`, `aborted`; errors of the file system
 */
export async function downloadFile(options: DownloadOptions): Promise<void> {
  const { file, target, onBytes } = options;
  if (existsSync(target) && (await matches(target, file))) return onBytes(file.size);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const part = `${target}.part`;
  // An empty file needs no request.
  if (file.size === 0) await writeFile(part, '');
  let there = await sizeOf(part);
  if (there > file.size) there = 0;
  for (let fruitless = 0; there < file.size; ) {
    const before = there;
    const failure = await append(options, part, there);
    there = await sizeOf(part);
    fruitless = there > before ? 0 : fruitless + 1;
    if (there < file.size && fruitless >= MAX_FRUITLESS) {
      throw (
        failure ??
        new DocfuseError(
          'remote',
          `Only ${there} of ${file.size} bytes of ${file.path} of ${options.model} were received.`,
          'Try again later; the received bytes are kept.',
        )
      );
    }
  }
  if (there > file.size || !(await matches(part, file))) {
    await rm(part, { force: true });
    throw new DocfuseError(
      'remote',
      `The downloaded ${file.path} of ${options.model} does not match the checksum that the hub announced.`,
      'Pull the model again. If this happens again, the mirror or a proxy changes files.',
    );
  }
  await rename(part, target);
}

/** Appends the bytes of one connection. @returns the reason if the connection broke */
async function append(
  options: DownloadOptions,
  part: string,
  offset: number,
): Promise<DocfuseError | undefined> {
  const { hub, model, file, onBytes, signal } = options;
  const answer = await hub.open(model, file.path, offset, signal);
  // Some servers send another part than requested.
  const range = answer.headers.get('content-range');
  const resumed = answer.status === 206 && range?.startsWith(`bytes ${offset}-`);
  await using handle = await open(part, resumed ? 'a' : 'w');
  try {
    // 416: the server has no bytes at `offset`, so the partial file is wrong. `open` with `w` has already emptied it.
    if (answer.status === 416) return undefined;
    let there = resumed ? offset : 0;
    for await (const piece of piecesOf(answer, { service: HUB, signal })) {
      await handle.write(piece);
      there += piece.byteLength;
      onBytes(Math.min(there, file.size));
      if (there > file.size) return undefined;
    }
    return undefined;
  } catch (error) {
    if (error instanceof DocfuseError && error.code === 'remote') return error;
    throw error;
  } finally {
    await answer.body?.cancel().catch(() => {});
  }
}

/** Whether a file has the announced checksum. A Git object id is the SHA-1 of a header with the length, followed by the bytes. */
async function matches(path: string, { size, checksum }: HubFile): Promise<boolean> {
  const [kind, digest] = checksum.split(':');
  const hash = kind === 'sha256' ? createHash('sha256') : createHash('sha1').update(`blob ${size}\0`);
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(piece as Buffer);
  return hash.digest('hex') === digest;
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}
