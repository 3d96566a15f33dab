/** The note that a running server writes into the folder of its index, so that commands and assistants find the server. */
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

export interface ServerNote {
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
/** How every note begins. */
const BEGINNING = '{"version":"';
/** No server writes a note as long as this. */
const MAX_BYTES = 16 * 1024;
const TEXTS = ['version', 'process_start', 'run', 'host', 'index_path', 'config'] as const;

/**
 * The note of an index in this folder, if it is this user's and the process it speaks of is alive. Whether that is a server is
 * told by its proof alone.
 * @param forbidden bits that the mode of the file must not have; a file system without modes shows all of them. @default none
 */
export function readServerNote(indexPath: string, forbidden?: number): ServerNote | undefined {
  return readNote(join(indexPath, FILE), forbidden);
}

function readNote(file: string, forbidden = 0): ServerNote | undefined {
  const text = readOwnFile(file, { maxBytes: MAX_BYTES, forbidden })?.toString('utf8');
  if (text === undefined) return undefined;
  let note: ServerNote;
  try {
    note = JSON.parse(text) as ServerNote;
  } catch {
    return undefined; // written in part
  }
  const sound =
    isWithin(note?.pid, 0x7fff_ffff) &&
    isWithin(note.port, 0xffff) &&
    TEXTS.every((key) => typeof note[key] === 'string');
  // A moved folder takes its note along, but the server makes a new index in the old place.
  return sound && isSameFolder(note.index_path, dirname(file)) && isAlive(note) ? note : undefined;
}

function isWithin(value: unknown, max: number): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= max;
}

/**
 * Leaves the note, whole or not at all, readable for its owner alone; where the file system has no links, it is copied into
 * place instead.
 * @returns false when another server that is alive has left one
 * @throws DocfuseError `storage` where a folder is in its place, or nothing can be written
 */
export function writeServerNote(note: ServerNote): boolean {
  const file = join(note.index_path, FILE);
  const draft = `${file}.${note.run}`;
  try {
    mkdirSync(note.index_path, { recursive: true, mode: 0o700 });
    writeFileSync(draft, JSON.stringify(note), { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    if (existsSync(draft)) rmSync(draft, { force: true });
    throw new DocfuseError(
      'storage',
      `The server cannot write into ${note.index_path}, by which others find it: ${(cause as Error).message}.`,
      'Make room, or let the folder of the index be written; docfuse search and docfuse mcp need neither.',
      { cause },
    );
  }
  try {
    // Linking fails if there is a note, so only one of two servers that start at once succeeds.
    for (let attempt = 0; attempt < 3; attempt++) {
      // A copy can be seen half written: another server may have removed it.
      if (placeFile(draft, file) && readNote(file)?.run === note.run) return true;
      if (readNote(file)) return false;
      removeDead(file, `${draft}.old`);
    }
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes the note, if it is still the one of this run. */
export function removeServerNote({ index_path, run }: ServerNote): void {
  if (readServerNote(index_path)?.run === run) rmSync(join(index_path, FILE), { force: true });
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
function isAlive({ pid, process_start }: ServerNote): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A note without a start is believed only on systems that do not tell when processes began.
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
 * Takes a dead note out of the way. Others may have found it too, and one of them replaced it since: a note that is alive goes back.
 * @throws DocfuseError `storage` for a file that no server of this user has written
 */
function removeDead(file: string, aside: string): void {
  const refuse = (why: string, remedy: string) => new DocfuseError('storage', `${file}${why}.`, remedy);
  if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw refuse(' is a folder, where the note of the server belongs', 'Move it away.');
  const owner = foreignOwner(file);
  if (owner !== undefined) {
    const why = `, where the note of the server belongs, belongs to ${owner}, not to you`;
    throw refuse(why, 'Choose another place for the index.');
  }
  if (!isNote(file)) {
    const remedy = 'Choose another folder for the index, or move the file away.';
    throw refuse(' is not the note of a server, and stands where that belongs', remedy);
  }
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return;
  }
  try {
    if (readNote(aside)) placeFile(aside, file);
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Whether a server wrote this file, whole or in part. A file that is gone counts as one: nothing is lost. */
function isNote(file: string): boolean {
  const text = readOwnFile(file, { maxBytes: MAX_BYTES })?.toString('utf8');
  if (text === undefined) return lstatSync(file, { throwIfNoEntry: false }) === undefined;
  try {
    const { run, process_start } = JSON.parse(text) as Partial<ServerNote>;
    return run !== undefined && process_start !== undefined;
  } catch {
    return BEGINNING.startsWith(text.slice(0, BEGINNING.length));
  }
}
