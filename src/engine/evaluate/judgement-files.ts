/** Reads the two files every judged set has: `queries.jsonl` and `qrels.tsv`, in the format of BEIR. */
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

/** Names the folder that judged paths are relative to, in a set that `judge` keeps. */
export const DOCS_FILE = 'docs.txt';

const querySchema = z.object({
  _id: z.string().min(1),
  text: z.string(),
  type: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

/**
 * Reads `queries.jsonl`: one `{"_id", "text", "type"?, "metadata"?}` a line.
 * @throws DocfuseError `judgements` naming the line that is no query or repeats an id
 */
export async function readQueries(file: string): Promise<readonly QueryLine[]> {
  const queries = new Map<string, QueryLine>();
  for (const { line, number } of await readLines(file)) {
    const parsed = querySchema.safeParse(parseJson(line));
    if (!parsed.success) {
      throw lineError(file, number, 'is no query', 'Each line needs {"_id": "…", "text": "…"}.');
    }
    const { _id: id, text, type: own, metadata } = parsed.data;
    if (queries.has(id)) {
      throw lineError(file, number, `repeats the query id "${id}"`, 'Give each query an _id of its own.');
    }
    const type = own ?? metadata?.type ?? metadata?.difficulty;
    queries.set(id, { id, text, ...(typeof type === 'string' ? { type } : {}) });
  }
  return [...queries.values()];
}

/**
 * Reads `qrels.tsv`: query id, document id and grade, separated by tabs, with or without a header line.
 * @returns judgements by query id
 * @throws DocfuseError `judgements` naming the line that is no judgement
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
      throw lineError(file, number, 'is no judgement', remedy);
    }
  }
  return judgements;
}

/** Ids of the documents in a BEIR `corpus.jsonl`; a damaged entry has none, reporting it is the index's part. */
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
