/** The judged set of an index, which grows with use: where it lies, and how judgements are added to it. */

import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import { hasRelevant } from '../../core/evaluate/metrics.ts';
import type { OpenOptions } from '../api.ts';
import { loadConfig } from '../config/config.ts';
import { indexFolder } from '../config/places.ts';
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

/** The folder of the set of an index. It lies in the index's folder, away from the documents. */
export function collectedFolder(indexPath: string): string {
  return join(indexPath, 'judged');
}

/**
 * The named sets, else the collected sets of the configured collections: of their common index and of each one's own.
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
  /** Spaces around it are ignored. */
  readonly query: string;
  /** The id of a query in the set. @default that of the first query with this text, else a new one */
  readonly id?: string;
  /** Grades by path, 0 for not relevant. They are added to earlier grades of the query and replace those of the same path. */
  readonly grades: ReadonlyMap<string, number>;
  /** No document answers the query. */
  readonly unanswerable: boolean;
  /** Absolute folder that the paths are relative to. */
  readonly docs: string;
}

export interface Collected {
  /** The query's id in the set. */
  readonly id: string;
  /** The query was in the set before. */
  readonly repeated: boolean;
  /** Queries in the set now. */
  readonly queries: number;
}

/**
 * Adds judgements of one query. A relevant document makes an unanswerable query answerable again. Every file is replaced at
 * once by a complete new one.
 * @param folder created if it is missing
 * @throws DocfuseError `judgements` if the set is damaged, judges other documents, or would contradict itself; `storage` if it
 *   cannot be written
 */
export async function collectJudgements(folder: string, judged: NewJudgements): Promise<Collected> {
  const { queries, judgements, docs } = await readFiles(folder);
  const remedy = 'Give another folder with --set-folder.';
  if (docs !== undefined && docs !== judged.docs) {
    const fault = `The set ${folder} judges documents of ${docs}, not of ${judged.docs}.`;
    throw new DocfuseError('judgements', fault, remedy);
  }
  const text = judged.query.trim();
  const same = queries.find((query) =>
    judged.id === undefined ? query.text.trim() === text : query.id === judged.id,
  );
  const id = same?.id ?? nextId(queries.map((query) => query.id));
  requirePlain('query id', id);
  for (const path of judged.grades.keys()) requirePlain('path', path);
  const own = new Map([...(judgements?.get(id) ?? []), ...judged.grades]);
  const written = same ? JSON.parse(same.line) : { _id: id, text };
  const takenBack = written.type === UNANSWERABLE && hasRelevant(own) ? undefined : written.type;
  const line = JSON.stringify({ ...written, type: judged.unanswerable ? UNANSWERABLE : takenBack });
  if (parseQuery(line)?.type === UNANSWERABLE && hasRelevant(own)) {
    throw new DocfuseError(
      'judgements',
      `The query “${text}” cannot both have a relevant document and none.`,
      `Grade its documents 0, or correct its lines (${id}) in ${folder}.`,
    );
  }
  const grades = [...new Map([...(judgements ?? []), [id, own] as const])];
  const rows = grades.flatMap(([query, each]) => [...each].map((grade) => [query, ...grade].join('\t')));
  const lines = queries.map((query) => (query === same ? line : query.line));
  const files = {
    'qrels.tsv': ['query-id\tcorpus-id\tscore', ...rows],
    'queries.jsonl': same ? lines : [...lines, line],
    ...(docs === undefined && { [DOCS_FILE]: [judged.docs] }),
  };
  await mkdir(folder, { recursive: true }).catch(cannotWrite(folder, remedy));
  for (const [name, content] of Object.entries(files)) {
    await replaceFile(join(folder, name), content.map((each) => `${each}\n`).join(''), remedy);
  }
  return { id, repeated: same !== undefined, queries: queries.length + (same ? 0 : 1) };
}

/** A new set has no queries yet. */
async function readFiles(folder: string): Promise<SetFiles> {
  if (existsSync(join(folder, 'queries.jsonl'))) return readSetFiles(folder);
  const docs = await readDocs(folder);
  return { queries: [], ...(docs !== undefined && { docs }) };
}

function nextId(ids: readonly string[]): string {
  const numbers = ids.map((id) => Number(/^q(\d+)$/.exec(id)?.[1] ?? 0));
  return `q${Math.max(0, ...numbers) + 1}`;
}
