/** Adds judgements to a set that grows with use: `queries.jsonl`, `qrels.tsv`, and where the documents lie. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import { DOCS_FILE, readJudgements, readQueries, UNANSWERABLE } from './judgement-files.ts';

export interface NewJudgements {
  readonly query: string;
  /** Grades by path, 0 for not relevant; those of a query judged before are added to, and replaced where they are new. */
  readonly grades: ReadonlyMap<string, number>;
  /** Nothing here answers the query. */
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
 * Every file is written anew beside the old one and takes its place at once.
 * @param folder made where it is missing
 * @throws DocfuseError `judgements` where the set is damaged, judges other documents, or would contradict itself; `storage` where
 *   it cannot be written
 */
export async function collectJudgements(folder: string, judged: NewJudgements): Promise<Collected> {
  const files = { queries: join(folder, 'queries.jsonl'), grades: join(folder, 'qrels.tsv') };
  const exists = (await stat(files.queries).catch(() => undefined)) !== undefined;
  const known = exists ? await readQueries(files.queries) : [];
  // A list of queries may be written by hand before any of them is judged.
  const isJudged = exists && existsSync(files.grades);
  const grades = new Map(isJudged ? await readJudgements(files.grades) : []);
  await requireSameDocuments(folder, judged.docs);
  for (const path of judged.grades.keys()) requirePlain(path);
  const same = known.find(({ text }) => text === judged.query);
  const id = same?.id ?? nextId(known.map((query) => query.id));
  const own = new Map([...(grades.get(id) ?? []), ...judged.grades]);
  const type = judged.unanswerable ? UNANSWERABLE : same?.type;
  if (type === UNANSWERABLE && [...own.values()].some((grade) => grade > 0)) {
    throw new DocfuseError(
      'judgements',
      `The query “${judged.query}” cannot both have a relevant document and none.`,
      `Correct its lines (${id}) in ${folder}, or judge it in other words.`,
    );
  }
  grades.set(id, own);
  const text = exists ? await readFile(files.queries, 'utf8') : '';
  await write(folder, {
    'qrels.tsv': `query-id\tcorpus-id\tscore\n${[...grades].flatMap(([query, each]) => [...each].map(([path, grade]) => `${query}\t${path}\t${grade}\n`)).join('')}`,
    'queries.jsonl': withQuery(text, { _id: id, text: judged.query, ...(type !== undefined && { type }) }),
    [DOCS_FILE]: `${judged.docs}\n`,
  });
  return { id, repeated: same !== undefined, queries: known.length + (same ? 0 : 1) };
}

/** Lines of other queries stay as they are, with whatever they say besides. */
function withQuery(
  text: string,
  query: { readonly _id: string; readonly text: string; readonly type?: string },
): string {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const place = lines.findIndex((line) => JSON.parse(line)._id === query._id);
  if (place < 0) lines.push(JSON.stringify(query));
  else lines[place] = JSON.stringify({ ...JSON.parse(lines[place]!), ...query });
  return lines.map((line) => `${line}\n`).join('');
}

/** The file of grades has its columns apart by tabs. */
function requirePlain(path: string): void {
  if (!/[\t\r\n]/.test(path)) return;
  throw new DocfuseError(
    'judgements',
    `The path ${JSON.stringify(path)} holds a tab or a line break, which qrels.tsv cannot say.`,
    'Rename the file.',
  );
}

function nextId(ids: readonly string[]): string {
  const numbers = ids.map((id) => Number(/^q(\d+)$/.exec(id)?.[1] ?? 0));
  return `q${Math.max(0, ...numbers) + 1}`;
}

async function requireSameDocuments(folder: string, docs: string): Promise<void> {
  const before = (await readFile(join(folder, DOCS_FILE), 'utf8').catch(() => undefined))?.trim();
  if (before === undefined || before === docs) return;
  throw new DocfuseError(
    'judgements',
    `The set ${folder} judges documents of ${before}, not of ${docs}.`,
    'Give another folder with --set-folder.',
  );
}

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      const fresh = join(folder, `${name}.${process.pid}.new`);
      await writeFile(fresh, text);
      await rename(fresh, join(folder, name));
    }
  } catch (error) {
    const cause = error as Error;
    const remedy = 'Give another folder with --set-folder.';
    throw new DocfuseError('storage', `Cannot write into ${folder}: ${cause.message}.`, remedy, { cause });
  }
}
