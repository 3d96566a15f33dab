/** Reads the files of a set, with or without judgements. */
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import { hasRelevant, type Judgements } from '../../core/evaluate/metrics.ts';
import { readJudgements, readQueries, UNANSWERABLE, type WrittenQuery } from './judgement-files.ts';

/** Names the folder that judged paths are relative to. Grades are written only into sets with this file. */
export const DOCS_FILE = 'docs.txt';

export interface SetFiles {
  readonly queries: readonly WrittenQuery[];
  /** By query id; absent without `qrels.tsv`: queries may be written before they are judged. */
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
  const contradiction = queries.find(
    ({ id, type }) => type === UNANSWERABLE && hasRelevant(judgements?.get(id) ?? new Map()),
  );
  if (contradiction !== undefined) {
    throw new DocfuseError(
      'judgements',
      `The query "${contradiction.id}" of ${folder} is of type ${UNANSWERABLE} and has a relevant document.`,
      'Give it another type in queries.jsonl, or take its lines out of qrels.tsv.',
    );
  }
  const docs = await readDocs(folder);
  return { queries, ...(judgements && { judgements }), ...(docs !== undefined && { docs }) };
}

/** The folder in `docs.txt`. It may be relative to the set, so that both can be moved together. */
export async function readDocs(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, DOCS_FILE), 'utf8').catch(() => '');
  const named = text.replace(/^\uFEFF/, '').trim();
  return named === '' ? undefined : resolve(folder, named);
}

/** Whether a query of the set has a relevant document. */
export async function isJudged(folder: string): Promise<boolean> {
  const { queries, judgements } = await readSetFiles(folder);
  return queries.some(({ id }) => hasRelevant(judgements?.get(id) ?? new Map()));
}

/** @throws DocfuseError `not_found` or `not_a_folder` */
export async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (!found) throw new DocfuseError('not_found', `There is no folder ${folder}.`, 'Check the path.');
  if (!found.isDirectory()) {
    throw new DocfuseError('not_a_folder', `${folder} is not a folder.`, 'Name the folder that holds it.');
  }
}

/**
 * Names that tell sets apart: the name of each set. Sets with equal names get the path of their documents, and sets that
 * share their documents, too, the path of their own folder.
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
