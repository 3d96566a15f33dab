/** Finds the judged set that users collect for an index, and adds judgements to it. */

import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import { hasRelevant, type Judgements } from '../../core/evaluate/metrics.ts';
import type { OpenOptions } from '../api.ts';
import { loadConfig } from '../config/config.ts';
import { indexFolder } from '../config/places.ts';
import { acquireWriteLock } from '../open-indexes.ts';
import {
  DOCS_FILE,
  parseQuery,
  readDocs,
  readSetFiles,
  requirePlain,
  type SetFiles,
  UNANSWERABLE,
} from './set-files.ts';
import { cannotWrite, replaceFile } from './write-file.ts';

const REMEDY = 'Name another folder with --set-folder.';

function collectedFolder(indexPath: string): string {
  return join(indexPath, 'judged');
}

/**
 * Returns the folder of the judged set of one collection. If the index has several collections, the set belongs to another index,
 * made of this collection alone.
 */
export function collectedFolderOf(
  root: string,
  index: { readonly path: string; readonly collections: number },
  options: OpenOptions,
): string {
  if (index.collections === 1) return collectedFolder(index.path);
  const { indexPath } = loadConfig(options);
  return collectedFolder(indexFolder([root], options.indexPath, indexPath, options.cwd ?? process.cwd()));
}

/**
 * Reads a collected set; empty if nothing was judged yet.
 * @throws DocfuseError `judgements` if the set is damaged
 */
export async function readCollected(folder: string) {
  const { queries, judgements } = await readFiles(folder);
  return queries.map(({ id, text, type }) => ({
    id,
    query: text,
    unanswerable: type === UNANSWERABLE,
    grades: judgements?.get(id) ?? new Map<string, number>(),
  }));
}

/**
 * Returns the named sets. If none is named, returns the collected sets of two kinds of indexes: the index of all configured
 * collections, and the indexes of single collections.
 * @throws DocfuseError `judgements` if no set is named and none was collected
 */
export function setsOrCollected(sets: readonly string[], options: OpenOptions): readonly string[] {
  if (sets.length > 0) return [...new Set(sets)];
  const { collections, indexPath } = loadConfig(options);
  const roots = collections.map(({ root }) => root);
  const indexes = [roots, ...roots.map((root) => [root])].map((each) =>
    indexFolder(each, options.indexPath, indexPath, options.cwd ?? process.cwd()),
  );
  const collected = [...new Set(indexes)].map(collectedFolder).filter((folder) => existsSync(folder));
  if (collected.length > 0) return collected;
  throw new DocfuseError(
    'judgements',
    `There are no judgements for ${roots.join(', ')} yet.`,
    `Judge a few queries with docfuse judge QUERY${roots.length > 1 ? ' FOLDER' : ''}, or name the folder of a set.`,
  );
}

export interface NewJudgements {
  /** Spaces at both ends are ignored. */
  readonly query: string;
  /** The id of a query in the set. @default the id of the first query with this text, else a new id */
  readonly id?: string;
  /** Grades by path, 0 for not relevant. Earlier grades of the same paths are replaced, other earlier grades are kept. */
  readonly grades: ReadonlyMap<string, number>;
  readonly unanswerable: boolean;
  /** Absolute path of the folder that the paths in `grades` are relative to. */
  readonly docs: string;
}

/**
 * Adds judgements of one query. A relevant document makes an unanswerable query answerable again. Each file is replaced by a
 * complete new file in one step.
 * @param folder created if it is missing
 * @returns `id` of the query, whether it was `repeated`, and the number of `queries` in the set now
 * @throws DocfuseError `judgements` if the set is damaged, judges other documents, or would contradict itself; `index_busy` if
 *   another process is writing the set; `storage` if it cannot be written
 */
export async function collectJudgements(folder: string, judged: NewJudgements) {
  for (const path of judged.grades.keys()) requirePlain('path', path);
  await mkdir(folder, { recursive: true }).catch(cannotWrite(folder, REMEDY));
  return alone(folder, async () => {
    const { queries, judgements, docs } = await readFiles(folder);
    if (docs !== undefined && docs !== judged.docs) {
      const fault = `The set ${folder} judges documents of ${docs}, not of ${judged.docs}.`;
      throw new DocfuseError('judgements', fault, REMEDY);
    }
    const text = judged.query.trim();
    const same = queries.find((query) =>
      judged.id === undefined ? query.text.trim() === text : query.id === judged.id,
    );
    const id = same?.id ?? nextId(queries.map((query) => query.id));
    requirePlain('query id', id);
    const own = new Map([...(judgements?.get(id) ?? []), ...judged.grades]);
    const written = same ? JSON.parse(same.line) : { _id: id, text };
    const takenBack = written.type === UNANSWERABLE && hasRelevant(own) ? undefined : written.type;
    const line = JSON.stringify({ ...written, type: judged.unanswerable ? UNANSWERABLE : takenBack });
    if (parseQuery(line)?.type === UNANSWERABLE && hasRelevant(own)) {
      throw new DocfuseError(
        'judgements',
        `The query “${text}” cannot have a relevant document and be unanswerable.`,
        `Grade the documents of this query 0, or correct the lines of query ${id} in ${folder}.`,
      );
    }
    const lines = queries.map((query) => (query === same ? line : query.line));
    if (docs === undefined) await writeLines(folder, DOCS_FILE, [judged.docs]);
    // Grades are written after queries, so that every grade has its query, even if this process is stopped in between.
    await writeLines(folder, 'queries.jsonl', same ? lines : [...lines, line]);
    await writeGrades(folder, new Map([...(judgements ?? []), [id, own] as const]));
    return { id, repeated: same !== undefined, queries: queries.length + (same ? 0 : 1) };
  });
}

/**
 * Removes grades of a query. A query that has no grade left is removed too, unless it is unanswerable.
 * @param paths documents whose grades to remove; if undefined, the query is removed with all its grades
 * @param withMark whether to remove also the mark that the query is unanswerable
 * @returns the number of removed grades, and of queries in the set now
 * @throws DocfuseError `judgements` if the set is damaged; `index_busy` if another process is writing it; `storage` if it cannot
 *   be written
 */
export async function removeJudgements(
  folder: string,
  text: string,
  paths?: readonly string[],
  withMark = false,
): Promise<{ readonly removed: number; readonly queries: number }> {
  if (!existsSync(folder)) return { removed: 0, queries: 0 };
  return alone(folder, async () => {
    const { queries, judgements } = await readFiles(folder);
    const query = queries.find((each) => each.text.trim() === text.trim());
    if (query === undefined) return { removed: 0, queries: queries.length };
    const own = judgements?.get(query.id) ?? new Map<string, number>();
    const kept = new Map(paths ? [...own].filter(([path]) => !paths.includes(path)) : []);
    const isMarked = query.type === UNANSWERABLE;
    const isEmpty = kept.size === 0 && (paths === undefined || withMark || !isMarked);
    const rest = isEmpty ? queries.filter((each) => each !== query) : queries;
    const unmarked = JSON.stringify({ ...JSON.parse(query.line), type: undefined });
    await writeGrades(folder, new Map([...(judgements ?? []), [query.id, kept] as const]));
    const lines = rest.map((each) => (each === query && withMark && isMarked ? unmarked : each.line));
    await writeLines(folder, 'queries.jsonl', lines);
    return { removed: own.size - kept.size, queries: rest.length };
  });
}

/** Runs `work`, which reads a set and then writes it, while no other process writes the set. */
async function alone<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const lock = await acquireWriteLock(join(folder, 'grades')).catch((cause) => {
    if (!(cause instanceof DocfuseError) || cause.code !== 'index_busy') throw cause;
    const fault = `Another process is writing grades into ${folder}.`;
    throw new DocfuseError('index_busy', fault, 'Try again in a moment.', { cause });
  });
  try {
    return await work();
  } finally {
    lock.release();
  }
}

function writeGrades(folder: string, judgements: ReadonlyMap<string, Judgements>): Promise<void> {
  const rows = [...judgements].flatMap(([query, each]) =>
    [...each].map((grade) => [query, ...grade].join('\t')),
  );
  return writeLines(folder, 'qrels.tsv', ['query-id\tcorpus-id\tscore', ...rows]);
}

function writeLines(folder: string, name: string, lines: readonly string[]): Promise<void> {
  return replaceFile(join(folder, name), lines.map((line) => `${line}\n`).join(''), REMEDY);
}

/** Reads the files of a set; a new set has no queries yet. */
async function readFiles(folder: string): Promise<SetFiles> {
  if (existsSync(join(folder, 'queries.jsonl'))) return readSetFiles(folder);
  const docs = await readDocs(folder);
  return { queries: [], ...(docs !== undefined && { docs }) };
}

function nextId(ids: readonly string[]): string {
  const numbers = ids.map((id) => Number(/^q(\d+)$/.exec(id)?.[1] ?? 0));
  return `q${Math.max(0, ...numbers) + 1}`;
}
