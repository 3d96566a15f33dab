/** Refuses a repository whose files would make git wait or read without end: pipes, devices, files of absurd length. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import { firstLine, type Repository } from './find-repository.ts';

/** Folders in which git may open any file. */
const FOLDERS = ['', 'info', 'reftable', 'objects/info', 'objects/info/commit-graphs', 'objects/pack'];
/** Git reads these as a whole, or keeps all of them; it maps or seeks in others. */
const READ_WHOLE = /^(?:HEAD|config(?:\.worktree)?|commondir|gitdir|shallow|grafts|attributes|\.mailmap)$/;
/** In bytes. */
const LONGEST = 16 * 1024 * 1024;
const LONGEST_ALTERNATES = 64 * 1024;
/** Git follows no more names that stand for names. */
const MOST_STEPS = 5;

/** @throws DocfuseError `not_found` naming the file */
export function requirePlainFiles({ gitFolder, common, top }: Repository): void {
  requirePlain(join(top, '.mailmap'));
  for (const folder of new Set([gitFolder, common])) {
    for (const below of FOLDERS) requirePlainIn(join(folder, below));
  }
  requirePlainBranch(gitFolder, common);
  requirePlainAlternates(join(common, 'objects'));
}

/** Of the branches, git opens the one that HEAD names. */
function requirePlainBranch(gitFolder: string, common: string): void {
  let file = join(gitFolder, 'HEAD');
  for (let step = 0; step < MOST_STEPS; step++) {
    const target = /^ref: *(\S.*)/.exec(firstLine(file) ?? '')?.[1];
    if (target === undefined) return;
    requirePlain(resolve(gitFolder, target), LONGEST);
    file = resolve(common, target);
    requirePlain(file, LONGEST);
  }
}

/** Objects may lie in other folders, too, which may name further ones. */
function requirePlainAlternates(objects: string, seen = new Set<string>()): void {
  const file = join(objects, 'info', 'alternates');
  requirePlain(file, LONGEST_ALTERNATES);
  if (seen.has(objects) || !statOf(file)) return;
  seen.add(objects);
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const other = resolve(objects, line);
    for (const below of ['info', 'info/commit-graphs', 'pack']) requirePlainIn(join(other, below));
    requirePlainAlternates(other, seen);
  }
}

function requirePlainIn(folder: string): void {
  for (const name of namesIn(folder)) requirePlain(join(folder, name));
}

function requirePlain(file: string, longest = READ_WHOLE.test(basename(file)) ? LONGEST : Infinity): void {
  const stats = statOf(file);
  if (!stats) return;
  const isEndless = stats.isFIFO() || stats.isCharacterDevice() || stats.isBlockDevice();
  if (!isEndless && stats.size <= longest) return;
  throw new DocfuseError(
    'not_found',
    `${file} is ${isEndless ? 'a pipe or a device' : 'too long'}, so git is not asked for the history there.`,
    'Git makes no such file: find out who made this repository before you use it.',
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Links are followed, as git follows them. */
function statOf(file: string) {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}
