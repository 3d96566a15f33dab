/** The discovery file that a running server writes into the folder of its index, so that commands and assistants find the server. */
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
import { foreignOwner, readOwnFile } from '../../engine/own-file.ts';
import { placeFile } from './place-file.ts';

export interface DiscoveryFile {
  readonly version: string;
  readonly pid: number;
  /** When that process began, as the system counts it; another process may get the same number later. */
  readonly process_start: string;
  /** Tells this run of the server from any other. */
  readonly run: string;
  /** Where to connect to. */
  readonly host: string;
  readonly port: number;
  readonly index_path: string;
  /** Digest of collections and settings: with others the same question may have another answer. */
  readonly config: string;
}

const FILE = 'server.json';
/** How every discovery file begins. */
const BEGINNING = '{"version":"';
/** No server writes a discovery file as long as this. */
const MAX_BYTES = 16 * 1024;
const TEXTS = ['version', 'process_start', 'run', 'host', 'index_path', 'config'] as const;

/**
 * The discovery file in the folder of an index, if it is this user's and the process that it names is alive. Only a proof shows
 * that this process is the server.
 * @param forbidden bits that the mode of the file must not have; a file system without modes shows all of them. @default none
 */
export function readDiscoveryFile(indexPath: string, forbidden?: number): DiscoveryFile | undefined {
  return readAt(join(indexPath, FILE), forbidden);
}

function readAt(file: string, forbidden = 0): DiscoveryFile | undefined {
  const text = readOwnFile(file, { maxBytes: MAX_BYTES, forbidden })?.toString('utf8');
  if (text === undefined) return undefined;
  let discovery: DiscoveryFile;
  try {
    discovery = JSON.parse(text) as DiscoveryFile;
  } catch {
    return undefined; // written in part
  }
  const sound =
    isWithin(discovery?.pid, 0x7fff_ffff) &&
    isWithin(discovery.port, 0xffff) &&
    TEXTS.every((key) => typeof discovery[key] === 'string');
  // A moved folder takes its discovery file along, but the server makes a new index in the old place.
  return sound && isSameFolder(discovery.index_path, dirname(file)) && isAlive(discovery)
    ? discovery
    : undefined;
}

function isWithin(value: unknown, max: number): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= max;
}

/**
 * Writes the discovery file, whole or not at all, readable for its owner alone. If the file system has no links, it is copied into place.
 * @returns false when another server that is alive has written one
 * @throws DocfuseError `storage` where a folder is in its place, or nothing can be written
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
      `The server cannot write into ${discovery.index_path}, by which others find it: ${(cause as Error).message}.`,
      'Make room, or let the folder of the index be written; docfuse search and docfuse mcp need neither.',
      { cause },
    );
  }
  try {
    // Linking fails if there is a discovery file, so only one of two servers that start at once succeeds.
    for (let attempt = 0; attempt < 3; attempt++) {
      // A copy can be seen half written: another server may have removed it.
      if (placeFile(draft, file) && readAt(file)?.run === discovery.run) return true;
      if (readAt(file)) return false;
      removeDead(file, `${draft}.old`);
    }
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes the discovery file, if it is still the one of this run. */
export function removeDiscoveryFile({ index_path, run }: DiscoveryFile): void {
  if (readDiscoveryFile(index_path)?.run === run) rmSync(join(index_path, FILE), { force: true });
}

/** When a process began; empty if the system does not tell. */
export function processStart(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may hold spaces and brackets; the start is the 20th field after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/** A process of another user is not this user's server. */
function isAlive({ pid, process_start }: DiscoveryFile): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A discovery file without a start is believed only on systems that do not tell when processes began.
  const isTold = process_start !== '' || processStart(process.pid) === '';
  return isTold && processStart(pid) === process_start;
}

/** Compares the folders themselves: links give one folder several paths. */
function isSameFolder(one: string, other: string): boolean {
  if (!isAbsolute(one)) return false;
  if (one === other) return true;
  const [a, b] = [one, other].map((folder) => statSync(folder, { throwIfNoEntry: false }));
  return a !== undefined && a.dev === b?.dev && a.ino === b.ino;
}

/**
 * Takes the file of a dead server out of the way. Another server may have replaced it meanwhile: a file whose process is alive goes back.
 * @throws DocfuseError `storage` for a file that no server of this user has written
 */
function removeDead(file: string, aside: string): void {
  const refuse = (why: string, remedy: string) => new DocfuseError('storage', `${file}${why}.`, remedy);
  if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw refuse(' is a folder, where the discovery file of the server belongs', 'Move it away.');
  const owner = foreignOwner(file);
  if (owner !== undefined) {
    const why = `, where the discovery file of the server belongs, belongs to ${owner}, not to you`;
    throw refuse(why, 'Choose another place for the index.');
  }
  if (!isWrittenByServer(file)) {
    const remedy = 'Choose another folder for the index, or move the file away.';
    throw refuse(' is not the discovery file of a server, and stands where that belongs', remedy);
  }
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

/** Whether a server wrote this file, whole or in part. A file that is gone counts as one: nothing is lost. */
function isWrittenByServer(file: string): boolean {
  const text = readOwnFile(file, { maxBytes: MAX_BYTES })?.toString('utf8');
  if (text === undefined) return lstatSync(file, { throwIfNoEntry: false }) === undefined;
  try {
    const { run, process_start } = JSON.parse(text) as Partial<DiscoveryFile>;
    return run !== undefined && process_start !== undefined;
  } catch {
    return BEGINNING.startsWith(text.slice(0, BEGINNING.length));
  }
}
