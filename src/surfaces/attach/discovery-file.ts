/** The discovery file that a running server writes into the folder of its index. Commands and assistants find the server by it. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import { parseJson } from '../../core/model/json.ts';
import { digestConfig, type IndexLocation } from '../../engine/config/locate-index.ts';
import { isOwnFolder, OTHERS_WRITE, readOwnFile } from '../../engine/own-file.ts';
import { VERSION } from '../../engine/version.ts';
import { placeFile } from './place-file.ts';
import { readServerSecret } from './server-secret.ts';

export interface DiscoveryFile {
  readonly version: string;
  readonly pid: number;
  /** Start time of process `pid`, in the system's unit; empty if unknown. Distinguishes a later process with the same `pid`. */
  readonly process_start: string;
  /** Random id of this run of the server. */
  readonly run: string;
  /** Address to connect to. */
  readonly host: string;
  readonly port: number;
  readonly index_path: string;
  /** Digest of collections and settings. A server with another digest may give other answers. */
  readonly config: string;
}

/** A discovery file, with the key that its server must know. */
export interface KnownServer extends DiscoveryFile {
  readonly secret: Uint8Array;
}

const FILE = 'server.json';
/** First characters of every discovery file. */
const BEGINNING = '{"version":"';
/** Max bytes of a discovery file; servers write far less. */
const MAX_BYTES = 16 * 1024;
const TEXTS = ['version', 'process_start', 'run', 'host', 'index_path', 'config'] as const;

/**
 * Reads the discovery file in the folder of an index. Undefined if the file is missing, invalid or another user's, or if the
 * process named in it does not run. That process may be another program: only a proof shows that it is the server.
 * @param forbidden permission bits that make us ignore the file. Where a file system reports all bits as set, every file is
 * ignored. @default 0
 */
export function readDiscoveryFile(indexPath: string, forbidden?: number): DiscoveryFile | undefined {
  return readAt(join(indexPath, FILE), forbidden);
}

function readAt(file: string, forbidden = 0): DiscoveryFile | undefined {
  const text = readOwnFile(file, { maxBytes: MAX_BYTES, forbidden })?.toString('utf8');
  if (text === undefined) return undefined;
  // A partly written file is not JSON, so it counts as invalid.
  const discovery = parseJson(text) as DiscoveryFile;
  const sound =
    isWithin(discovery?.pid, 0x7fff_ffff) &&
    isWithin(discovery.port, 0xffff) &&
    TEXTS.every((key) => typeof discovery[key] === 'string');
  // If the folder was moved or copied, the file names the old path. The server serves that path, so the file is ignored here.
  return sound && isSameFolder(discovery.index_path, dirname(file)) && isAlive(discovery)
    ? discovery
    : undefined;
}

function isWithin(value: unknown, max: number): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= max;
}

/**
 * Writes a draft that only its owner can read, then gives it the name of the discovery file with a hard link. If the file system
 * has no links, the draft is copied.
 * @returns false if another running server has written a discovery file
 * @throws DocfuseError `storage` if writing fails, or if a folder or a file that no server wrote has that name
 */
export function writeDiscoveryFile(discovery: DiscoveryFile): boolean {
  const file = join(discovery.index_path, FILE);
  const draft = `${file}.${discovery.run}`;
  try {
    mkdirSync(discovery.index_path, { recursive: true, mode: 0o700 });
    writeFileSync(draft, JSON.stringify(discovery), { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    if (existsSync(draft)) rmSync(draft, { force: true });
    throw new DocfuseError(
      'storage',
      `The server cannot write its discovery file into ${discovery.index_path}: ${(cause as Error).message}.`,
      'Free disk space, or make the folder of the index writable; docfuse search and docfuse mcp work without a server.',
      { cause },
    );
  }
  try {
    // Linking fails if there is a discovery file, so only one of two servers that start at once succeeds.
    for (let attempt = 0; attempt < 3; attempt++) {
      // Read the file back: another server may have removed it while it was only partly copied.
      if (placeFile(draft, file) && readAt(file)?.run === discovery.run) return true;
      if (readAt(file)) return false;
      removeDead(file, `${draft}.old`);
    }
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes the discovery file if it still belongs to this run of the server. */
export function removeDiscoveryFile({ index_path, run }: DiscoveryFile): void {
  if (readDiscoveryFile(index_path)?.run === run) rmSync(join(index_path, FILE), { force: true });
}

/** The address of a server, such as `http://127.0.0.1:7331`. */
export function addressOf({ host, port }: Pick<DiscoveryFile, 'host' | 'port'>): string {
  return `http://${hostInUrl(host)}:${port}`;
}

/** A host as written in a URL: IPv6 addresses are in brackets. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** Start time of a process, in clock ticks since the system started; empty if the system does not provide it. */
export function processStart(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The process name may contain spaces and brackets; the start time is the 20th field after the name.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/** Whether the process runs and has the start time that the file names. False for a process of another user. */
function isAlive({ pid, process_start }: DiscoveryFile): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // An empty start time is accepted only on systems that provide none.
  const isAcceptable = process_start !== '' || processStart(process.pid) === '';
  return isAcceptable && processStart(pid) === process_start;
}

/** Compares device and inode if the paths differ: with links, one folder has several paths. */
function isSameFolder(one: string, other: string): boolean {
  if (!isAbsolute(one)) return false;
  if (one === other) return true;
  const [a, b] = [one, other].map((folder) => statSync(folder, { throwIfNoEntry: false }));
  return a !== undefined && a.dev === b?.dev && a.ino === b.ino;
}

/**
 * Removes the file of a dead server. Renames the file first, then reads it: a file that another server wrote in the meantime gets
 * its name back.
 * @throws DocfuseError `storage` for a file that no server of this user wrote
 */
function removeDead(file: string, aside: string): void {
  if (!isWrittenByServer(file))
    throw new DocfuseError(
      'storage',
      `${file} was not written by a server of yours, but the server must write its discovery file there.`,
      'Choose another folder for the index, or move the file away.',
    );
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return;
  }
  try {
    if (readAt(aside)) placeFile(aside, file);
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Whether a server of this user wrote this file, completely or partly. Also true if the file no longer exists. */
function isWrittenByServer(file: string): boolean {
  const text = readOwnFile(file, { maxBytes: MAX_BYTES })?.toString('utf8');
  if (text === undefined) return lstatSync(file, { throwIfNoEntry: false }) === undefined;
  const whole = parseJson(text) as Partial<DiscoveryFile> | null | undefined;
  if (whole === undefined) return BEGINNING.startsWith(text.slice(0, BEGINNING.length));
  return whole?.run !== undefined && whole.process_start !== undefined;
}

/**
 * Returns the server of this index if its process runs and its version, collections and settings are the same as here.
 * The caller must still ask for a proof that this server is at the address.
 * @param cwd folder that relative paths of models refer to. @default the working directory
 */
export function findServer({ config, indexPath }: IndexLocation, cwd?: string): KnownServer | undefined {
  const discovery = readDiscoveryFile(indexPath, OTHERS_WRITE);
  if (discovery?.version !== VERSION || discovery.config !== digestConfig(config, cwd)) return undefined;
  const secret = isOwnFolder(indexPath) ? readServerSecret() : undefined;
  return secret && { ...discovery, secret };
}
