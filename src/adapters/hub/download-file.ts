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
  /** Where the file is to be; until it is complete and checked it is called `<target>.part`. */
  readonly target: string;
  /** Called with the bytes of this file that are there so far. */
  readonly onBytes: (bytes: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Maximum number of consecutive connections that break without a byte. */
const FRUITLESS = 3;

/**
 * Continues where an earlier call stopped. A complete file is checked and kept.
 * @throws DocfuseError `remote` if the hub does not provide the file or its bytes are wrong, `aborted`, `storage`
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
    if (there < file.size && fruitless >= FRUITLESS) {
      throw (
        failure ??
        new DocfuseError(
          'remote',
          `Only ${there} of ${file.size} bytes of ${file.path} of ${options.model} came.`,
          'Run it again later; what has come is kept.',
        )
      );
    }
  }
  if (there > file.size || !(await matches(part, file))) {
    await rm(part, { force: true });
    throw new DocfuseError(
      'remote',
      `The bytes of ${file.path} of ${options.model} are not those the hub announced.`,
      'Pull the model again; if it happens again, the mirror or a proxy changes files.',
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
  const resumed = answer.status === 206 && startOf(answer) === offset;
  const handle = await open(part, resumed ? 'a' : 'w');
  try {
    // A part that is longer than the file cannot be continued.
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
    await handle.close();
  }
}

/** First byte of a partial answer; some servers send another part than was asked for. */
function startOf(answer: Response): number | undefined {
  const start = /^bytes (\d+)-/.exec(answer.headers.get('content-range') ?? '')?.[1];
  return start === undefined ? undefined : Number(start);
}

/** A Git object id is the SHA-1 of a header with the length and then the bytes. */
async function matches(path: string, { size, checksum }: HubFile): Promise<boolean> {
  const [kind, digest] = checksum.split(':');
  const hash = kind === 'sha256' ? createHash('sha256') : createHash('sha1').update(`blob ${size}\0`);
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(piece as Buffer);
  return hash.digest('hex') === digest;
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
