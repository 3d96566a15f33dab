/** Reads the files of a judged set: `queries.jsonl` and `qrels.tsv` in the format of BEIR, line by line, and `docs.txt`. */
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import { hasRelevant, type Judgements } from '../../core/evaluate/metrics.ts';
import { isRecord, parseJson } from '../../core/model/json.ts';

/** File that names the folder to which judged paths are relative. Grades are written only into sets with this file. */
export const DOCS_FILE = 'docs.txt';

export interface SetFiles {
  readonly queries: readonly WrittenQuery[];
  /** Grades by query id; absent without `qrels.tsv`, because queries may be written before they are judged. */
  readonly judgements?: ReadonlyMap<string, Judgements>;
  /** The folder that `docs.txt` names, absolute. */
  readonly docs?: string;
}

/** @throws DocfuseError `not_found` or `not_a_folder`; `judgements` naming file and line, or the query that contradicts itself */
export async function readSetFiles(folder: string): Promise<SetFiles> {
  await requireFolder(folder);
  const file = join(folder, 'qrels.tsv');
  const judgements = existsSync(file) ? await readJudgements(file) : undefined;
  const queries = await readQueries(join(folder, 'queries.jsonl'));
  const contradiction = queries.find(({ id, type }) => type === UNANSWERABLE && isAnswered(id, judgements));
  if (contradiction !== undefined) {
    throw new DocfuseError(
      'judgements',
      `The query "${contradiction.id}" of ${folder} is of type ${UNANSWERABLE} and has a relevant document.`,
      'Give it another type in queries.jsonl, or remove its lines from qrels.tsv.',
    );
  }
  const docs = await readDocs(folder);
  return { queries, ...(judgements && { judgements }), ...(docs !== undefined && { docs }) };
}

/** Returns the absolute path of the folder that `docs.txt` names. The name may be relative to the set. Undefined without a name. */
export async function readDocs(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, DOCS_FILE), 'utf8').catch(() => '');
  const named = text.replace(/^\uFEFF/, '').trim();
  return named === '' ? undefined : resolve(folder, named);
}

export async function isJudged(folder: string): Promise<boolean> {
  const { queries, judgements } = await readSetFiles(folder);
  return queries.some(({ id }) => isAnswered(id, judgements));
}

function isAnswered(query: string, judgements: SetFiles['judgements']): boolean {
  return hasRelevant(judgements?.get(query) ?? new Map());
}

/** @throws DocfuseError `not_found` or `not_a_folder` */
export async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (!found) throw new DocfuseError('not_found', `There is no folder ${folder}.`, 'Check the path.');
  if (!found.isDirectory()) {
    throw new DocfuseError('not_a_folder', `${folder} is not a folder.`, 'Name the folder that contains it.');
  }
}

/**
 * Returns a different name for each set: its own name, if no other set has it; else the path of its documents, if no other set
 * judges them; else the path of its folder.
 */
export async function distinctNames(
  sets: readonly { readonly name: string; readonly folder: string }[],
): Promise<readonly string[]> {
  const each = await Promise.all(
    sets.map(async ({ name, folder }) => [name, (await readDocs(folder)) ?? folder, folder] as const),
  );
  const isOnly = (place: number, text: string) => each.filter((names) => names[place] === text).length === 1;
  return each.map((names) => names.find((text, place) => isOnly(place, text)) ?? names[2]);
}

export interface QueryLine {
  readonly id: string;
  readonly text: string;
  /** `type`, else `metadata.type`, else `metadata.difficulty`; `UNANSWERABLE` if no document answers the query. */
  readonly type?: string;
}

export const SET_REMEDY =
  'A judged set is a folder with queries.jsonl, qrels.tsv, and either corpus.jsonl or the documents themselves. ' +
  'To measure what docfuse judge saved, run docfuse eval without a set, in the folder that was judged.';

/** The type of a query that no document of the set answers. */
export const UNANSWERABLE = 'none';

const querySchema = z.object({
  _id: z.string().min(1),
  text: z.string(),
  type: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

export interface WrittenQuery extends QueryLine {
  /** The whole line, including unknown fields. */
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
      throw lineError(file, number, fault, 'Give each query a different _id.');
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
      // Only a first line without a grade can be the header.
      const remedy = 'Each line needs query id, document id and a whole number as grade, separated by tabs.';
      throw lineError(file, number, 'is not a judgement', remedy);
    }
  }
  return judgements;
}

/**
 * Refuses a text that `qrels.tsv` cannot hold: tabs separate its columns, and spaces around them are removed.
 * @throws DocfuseError `judgements`
 */
export function requirePlain(kind: 'path' | 'query id', text: string): void {
  if (!/[\t\r\n]/.test(text) && text.trim() === text) return;
  throw new DocfuseError(
    'judgements',
    `The ${kind} ${JSON.stringify(text)} contains a tab or a line break, or begins or ends with a space: qrels.tsv cannot store this.`,
    kind === 'path' ? 'Rename the file.' : 'Give the query another _id in queries.jsonl.',
  );
}

/** Returns the ids of the documents in a BEIR `corpus.jsonl`. Skips damaged entries, because the index reports them. */
export async function readCorpusIds(file: string): Promise<ReadonlySet<string>> {
  const entries = (await readLines(file)).map(({ line }) => parseJson(line)).filter(isRecord);
  const ids = entries.map(({ _id }) => _id);
  return new Set(ids.filter((id) => typeof id === 'string'));
}

async function readLines(file: string): Promise<{ readonly line: string; readonly number: number }[]> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new DocfuseError('judgements', `Cannot read ${file}.`, SET_REMEDY, { cause });
  });
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  return lines.map((line, index) => ({ line, number: index + 1 })).filter(({ line }) => line.trim() !== '');
}

function lineError(file: string, line: number, fault: string, remedy: string): DocfuseError {
  return new DocfuseError('judgements', `${file}:${line} ${fault}.`, remedy);
}
