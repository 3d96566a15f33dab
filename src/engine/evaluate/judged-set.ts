/** Reads a set of judged queries and finds their documents: a BEIR corpus, or a folder of files judged by path. */
import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import { hasRelevant, type Judgements } from '../../core/evaluate/metrics.ts';
import type { OpenOptions } from '../api.ts';
import {
  type QueryLine,
  readCorpusIds,
  readSetFiles,
  requireFolder,
  SET_REMEDY,
  UNANSWERABLE,
} from './set-files.ts';

export interface JudgedQuery extends QueryLine {
  /** Grades by document: by `_id` in the corpus, or by path in the folder. */
  readonly judgements: Judgements;
}

export interface JudgedSet {
  /**
   * The name of the folder in `docs.txt`, because the folders of all collected sets have the same name. Without `docs.txt`, or if
   * the caller names the documents, it is the name of the set's own folder.
   */
  readonly name: string;
  /** Queries with at least one relevant document, in the order of the file. */
  readonly queries: readonly JudgedQuery[];
  /** Queries of type `none`: no document answers them, and a search should find nothing. */
  readonly unanswerable: readonly QueryLine[];
  /** Absolute path of a `corpus.jsonl`, or of the folder that judged paths are relative to. */
  readonly documents: { readonly kind: 'corpus' | 'folder'; readonly path: string };
  /** Relevant documents that do not exist, so that no search can find them. */
  readonly missing: readonly string[];
  /** Number of queries whose grades are all 0: they measure nothing. */
  readonly withoutRelevant: number;
}

/**
 * Reads a judged set.
 * @param folder holds `queries.jsonl`, `qrels.tsv` and either `corpus.jsonl` or the documents
 * @param asked folder of the documents; judged paths are relative to it. @default the first that exists: the folder that `docs.txt`
 *   names; the set's `corpus.jsonl`; the folder with most of the judged paths, among the set's folder and its subfolders
 * @throws DocfuseError `not_found` or `not_a_folder`; `judgements` naming the file and line, or the missing part
 */
export async function readJudgedSet(folder: string, asked?: string): Promise<JudgedSet> {
  const files = await readSetFiles(folder);
  const { judgements } = files;
  if (!judgements) throw new DocfuseError('judgements', `${folder} has no qrels.tsv.`, SET_REMEDY);
  const docs = asked ?? files.docs;
  if (docs !== undefined) await requireFolder(docs);
  const lines = files.queries.map(({ line: _line, ...query }) => query);
  const graded = lines.flatMap((query) => {
    const own = judgements.get(query.id);
    return own ? [{ ...query, judgements: own }] : [];
  });
  const queries = graded.filter((query) => hasRelevant(query.judgements));
  // A query without grades may still have an answer: only its type makes it unanswerable.
  const unanswerable = lines.filter(({ type }) => type === UNANSWERABLE);
  if (queries.length === 0) {
    throw new DocfuseError(
      'judgements',
      `No query of ${folder} has a document judged relevant.`,
      'Check that queries.jsonl and qrels.tsv use the same query ids and that some grades are above 0.',
    );
  }
  const relevant = queries.flatMap(({ judgements }) => [...judgements].filter(([, grade]) => grade > 0));
  const judged = [...new Set(relevant.map(([document]) => document))];
  const { present, ...documents } = await findDocuments(folder, docs, judged);
  if (present.size === 0) {
    throw new DocfuseError(
      'judgements',
      `No judged document is in ${documents.path} (judged documents: ${judged.length}).`,
      'Use --docs to name the folder that holds the documents. Paths in qrels.tsv are relative to this folder.',
    );
  }
  const missing = judged.filter((document) => !present.has(document));
  const name = basename(asked === undefined && docs !== undefined ? docs : resolve(folder));
  const withoutRelevant = graded.filter(({ type }) => type !== UNANSWERABLE).length - queries.length;
  return { name, queries, unanswerable, documents, missing, withoutRelevant };
}

/** Options for opening the index, such as index path and settings. The documents are those of the set. */
export type SetOpenOptions = Partial<Omit<OpenOptions, 'roots' | 'corpora'>>;

export function openOptionsFor(
  { documents: { kind, path } }: Pick<JudgedSet, 'documents'>,
  given: SetOpenOptions,
): OpenOptions {
  return { ...given, ...(kind === 'corpus' ? { roots: [], corpora: [path] } : { roots: [path] }) };
}

/** Returns options for a ranking of documents: a search then finds only the best chunk of each document. */
export function openToRank(set: Pick<JudgedSet, 'documents'>, given: SetOpenOptions = {}): OpenOptions {
  const search = { max_chunks_per_doc: 1, ...given.settings?.search };
  return openOptionsFor(set, { ...given, settings: { ...given.settings, search } });
}

/** `present`: the judged documents that exist. */
type FoundDocuments = JudgedSet['documents'] & { readonly present: ReadonlySet<string> };

async function findDocuments(
  folder: string,
  docs: string | undefined,
  judged: readonly string[],
): Promise<FoundDocuments> {
  if (docs !== undefined) return findFiles(resolve(docs), judged);
  const corpus = resolve(folder, 'corpus.jsonl');
  if (await stat(corpus).catch(() => undefined)) {
    const ids = await readCorpusIds(corpus);
    return { kind: 'corpus', path: corpus, present: new Set(judged.filter((id) => ids.has(id))) };
  }
  let best = await findFiles(resolve(folder), judged);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const found = await findFiles(resolve(folder, entry.name), judged);
    if (found.present.size > best.present.size) best = found;
  }
  return best;
}

async function findFiles(root: string, paths: readonly string[]): Promise<FoundDocuments> {
  const present = new Set<string>();
  for (const path of paths) {
    const found = await stat(join(root, path)).catch(() => undefined);
    if (found?.isFile()) present.add(path);
  }
  return { kind: 'folder', path: root, present };
}
