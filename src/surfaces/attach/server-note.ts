/** The note a running server leaves in the folder of its index, so that commands and assistants find it. */
import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import { foreignOwner } from '../../engine/foreign-owner.ts';

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
  /** Digest of collections and settings: others may mean other answers by the same question. */
  readonly config: string;
  /** Opens the server like its token; made for this run, and known to whoever may read this file. */
  readonly key: string;
}

const FILE = 'server.json';
/** Of every note, as it is written. */
const BEGINNING = '{"version":"';
/** What a file system says that has no links: FAT, some network and container mounts. */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV']);

/**
 * The note, if there is one that makes sense and is one's own, of an index in this folder, and the process it speaks of is alive. Whether it answers
 * is not asked.
 */
export function readServerNote(indexPath: string): ServerNote | undefined {
  return readNote(join(indexPath, FILE));
}

function readNote(file: string): ServerNote | undefined {
  // Another user's would have the questions sent to a process of theirs.
  if (foreignOwner(file) !== undefined) return undefined;
  let note: ServerNote;
  try {
    note = JSON.parse(readFileSync(file, 'utf8')) as ServerNote;
  } catch {
    return undefined; // none, or one half of which was never written
  }
  const sound =
    Number.isSafeInteger(note?.pid) && Number.isSafeInteger(note.port) && typeof note.host === 'string';
  // A folder that was moved took the note along, and its server makes a new index in the old place.
  return sound && isSameFolder(note.index_path, dirname(file)) && isAlive(note) ? note : undefined;
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
    // Linking fails where a note is: of two servers that start at once, one has it.
    for (let attempt = 0; attempt < 3; attempt++) {
      // Where it is copied, another may have found it half written and taken it away.
      if (tryPlace(draft, file) && readNote(file)?.run === note.run) return true;
      if (readNote(file)) return false;
      removeDead(file, `${draft}.old`);
    }
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Takes the note away, if it is still that of this run. */
export function removeServerNote({ index_path, run }: ServerNote): void {
  if (readServerNote(index_path)?.run === run) rmSync(join(index_path, FILE), { force: true });
}

/** When a process began; empty where the system does not say. */
export function processStart(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may hold spaces and brackets; the start is the 20th field after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

function isAlive({ pid, process_start }: ServerNote): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return processStart(pid) === process_start;
}

/** By whatever way they are reached. */
function isSameFolder(one: unknown, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [String(one), other].map((folder) => statSync(folder, { throwIfNoEntry: false }));
  return a !== undefined && a.dev === b?.dev && a.ino === b.ino;
}

/** Others may have found the same dead note, and one of them replaced it since: what is alive goes back to its place. */
function removeDead(file: string, aside: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw new DocfuseError(
      'storage',
      `${file} is a folder, where the note of the server belongs.`,
      'Move it away.',
    );
  }
  const owner = foreignOwner(file);
  if (owner !== undefined) {
    throw new DocfuseError(
      'storage',
      `${file}, where the note of the server belongs, belongs to ${owner}, not to you.`,
      'Choose another place for the index.',
    );
  }
  if (!isNote(file)) {
    throw new DocfuseError(
      'storage',
      `${file} is not the note of a server, and stands where that belongs.`,
      'Choose another folder for the index, or move the file away.',
    );
  }
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return;
  }
  try {
    if (readNote(aside)) tryPlace(aside, file);
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Whether a file was written as a note, whole or in part; one that is gone by now is nobody's. */
function isNote(file: string): boolean {
  let text: string | undefined;
  try {
    text = readFileSync(file, 'utf8');
    const { run, process_start } = JSON.parse(text) as Partial<ServerNote>;
    return run !== undefined && process_start !== undefined;
  } catch (error) {
    if (text === undefined) return (error as NodeJS.ErrnoException).code === 'ENOENT';
    return BEGINNING.startsWith(text.slice(0, BEGINNING.length));
  }
}

/** @returns false where a note is already */
function tryPlace(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!NO_LINKS.has(code)) throw error;
  }
  try {
    copyFileSync(draft, file, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
