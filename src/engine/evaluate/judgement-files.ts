/** The two files every judged set has, line by line: `queries.jsonl` and `qrels.tsv`, in the format of BEIR. */
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import type { Judgements } from '../../core/evaluate/metrics.ts';

export interface QueryLine {
  readonly id: string;
  readonly text: string;
  /** `type`, else `metadata.type`, else `metadata.difficulty`; `UNANSWERABLE` says that nothing answers it. */
  readonly type?: string;
}

/** The type of a query that no document of the set answers. */
export const UNANSWERABLE = 'none';

const querySchema = z.object({
  _id: z.string().min(1),
  text: z.string(),
  type: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

/** A query and its line in the file. */
export interface WrittenQuery extends QueryLine {
  /** The whole line, with fields we do not know. */
  readonly line: string;
}

/**
 * Reads `queries.jsonl`: one `{"_id", "text", "type"?, "metadata"?}` a line.
 * @throws DocfuseError `judgements` naming the line that is not a query or repeats an id
 */
export async function readQueries(file: string): Promise<readonly WrittenQuery[]> {
  const queries = new Map<string, WrittenQuery>();
  for (const { line, number } of await readLines(file)) {
    const query = parseQuery(line);
    if (!query) throw lineError(file, number, 'is not a query', 'Each line needs {"_id": "…", "text": "…"}.');
    if (queries.has(query.id)) {
      const fault = `repeats the query id "${query.id}"`;
      throw lineError(file, number, fault, 'Give each query an _id of its own.');
    }
    queries.set(query.id, { ...query, line });
  }
  return [...queries.values()];
}

/** @returns undefined for a line that is not a query */
export function parseQuery(line: string): QueryLine | undefined {
  const { data } = querySchema.safeParse(parseJson(line));
  if (!data) return undefined;
  const type = data.type ?? data.metadata?.type ?? data.metadata?.difficulty;
  return { id: data._id, text: data.text, ...(typeof type === 'string' && { type }) };
}

/**
 * Reads `qrels.tsv`: query id, document id and grade, separated by tabs, with or without a header line.
 * @returns judgements by query id
 * @throws DocfuseError `judgements` naming the line that is not a judgement
 */
export async function readJudgements(file: string): Promise<ReadonlyMap<string, Judgements>> {
  const judgements = new Map<string, Map<string, number>>();
  for (const { line, number } of await readLines(file)) {
    const [query, document, grade, ...rest] = line.split('\t').map((column) => column.trim());
    if (query && document && grade && /^-?\d+$/.test(grade) && rest.length === 0) {
      const own = judgements.get(query) ?? new Map<string, number>();
      judgements.set(query, own.set(document, Number(grade)));
    } else if (number > 1 || /\d$/.test(grade ?? '')) {
      // Only a first line without a number can be the header.
      const remedy = 'Each line needs query id, document id and a whole number as grade, separated by tabs.';
      throw lineError(file, number, 'is not a judgement', remedy);
    }
  }
  return judgements;
}

/**
 * Refuses a text that `qrels.tsv` cannot hold: tabs separate its columns, and spaces around them are removed.
 * @param kind for the message
 * @throws DocfuseError `judgements`
 */
export function requirePlain(kind: 'path' | 'query id', text: string): void {
  if (!/[\t\r\n]/.test(text) && text.trim() === text) return;
  throw new DocfuseError(
    'judgements',
    `The ${kind} ${JSON.stringify(text)} holds a tab, a line break or a space at an end, which qrels.tsv cannot store.`,
    kind === 'path' ? 'Rename the file.' : 'Give the query another _id in queries.jsonl.',
  );
}

/** Ids of the documents in a BEIR `corpus.jsonl`; damaged entries are skipped here, because the index reports them. */
export async function readCorpusIds(file: string): Promise<ReadonlySet<string>> {
  const ids = (await readLines(file)).map(({ line }) => parseJson(line)?._id);
  return new Set(ids.filter((id) => typeof id === 'string'));
}

/** Lines that are not blank, with their 1-based numbers. */
async function readLines(file: string): Promise<{ readonly line: string; readonly number: number }[]> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    const remedy = 'A judged set is a folder with queries.jsonl, qrels.tsv and corpus.jsonl or documents.';
    throw new DocfuseError('judgements', `Cannot read ${file}.`, remedy, { cause });
  });
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  return lines.map((line, index) => ({ line, number: index + 1 })).filter(({ line }) => line.trim() !== '');
}

function parseJson(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function lineError(file: string, line: number, fault: string, remedy: string): DocfuseError {
  return new DocfuseError('judgements', `${file}:${line} ${fault}.`, remedy);
}
