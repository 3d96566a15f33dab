/** What is left to judge in a set: the best documents of its queries that nobody has graded. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import type { Judgements } from '../../core/evaluate/metrics.ts';
import type { SearchMode } from '../../core/model/query.ts';
import type { Index, SyncProgress } from '../api.ts';
import { open } from '../open.ts';
import { DOCS_FILE, readJudgements, readQueries, UNANSWERABLE } from './judgement-files.ts';
import { openToRank, type SetOpenOptions } from './open-set.ts';

export interface PoolOptions {
  /** Folder of a set that `judge` keeps: it holds `queries.jsonl` and `docs.txt`, and `qrels.tsv` once something was judged. */
  readonly set: string;
  readonly modes: readonly SearchMode[];
  /** Documents looked at for each query and mode. */
  readonly depth: number;
  readonly open: SetOpenOptions;
  readonly onProgress?: (
    progress: SyncProgress | { readonly phase: 'query'; readonly done: number; readonly total: number },
  ) => void;
  readonly signal?: AbortSignal;
}

export interface Pool {
  /** What `docs.txt` says. */
  readonly docs: string;
  /** Queries with something to judge, in the order of the set. */
  readonly queries: readonly {
    readonly text: string;
    /** The best of every mode first. */
    readonly documents: readonly PooledDocument[];
  }[];
}

export interface PooledDocument {
  readonly path: string;
  /** Its best passage, cut. */
  readonly text: string;
}

/**
 * Pools the best documents of several ways to look, as TREC does, so that none is measured by what another one found.
 * Queries that nothing answers are left out.
 * @throws DocfuseError `judgements` where the folder has no `docs.txt` or is damaged; whatever `open` and `sync` throw
 * @see Spärck Jones and van Rijsbergen 1975, "Report on the need for and provision of an ideal information retrieval test collection"
 */
export async function poolUnjudged(options: PoolOptions): Promise<Pool> {
  const { set, modes, signal, onProgress } = options;
  const docs = await readDocs(set);
  const lines = await readQueries(join(set, 'queries.jsonl'));
  const file = join(set, 'qrels.tsv');
  const judgements = existsSync(file) ? await readJudgements(file) : new Map<string, Judgements>();
  // Grades are added to the first query with a text.
  const asked = firstOfEach(lines, ({ text }) => text).filter(({ type }) => type !== UNANSWERABLE);
  await using index = await open(openToRank({ documents: { kind: 'folder', path: docs } }, options.open));
  await index.sync({
    embed: modes.some((mode) => mode === 'hybrid' || mode === 'semantic'),
    ...(onProgress && { onProgress }),
    ...(signal && { signal }),
  });
  const queries = [];
  for (const [done, { id, text }] of asked.entries()) {
    const found = await bestDocuments(index, text, options);
    onProgress?.({ phase: 'query', done: done + 1, total: asked.length });
    const documents = found.filter(({ path }) => !judgements.get(id)?.has(path));
    if (documents.length > 0) queries.push({ text, documents });
  }
  return { docs, queries };
}

async function readDocs(set: string): Promise<string> {
  const text = await readFile(join(set, DOCS_FILE), 'utf8').catch(() => '');
  if (text.trim() !== '') return text.trim();
  throw new DocfuseError(
    'judgements',
    `${set} is not a set that docfuse writes to: it has no ${DOCS_FILE}.`,
    `Write the folder of its documents into ${join(set, DOCS_FILE)} to have grades kept there.`,
  );
}

/** The first of every mode, then the second of every mode, and so on. */
async function bestDocuments(
  index: Index,
  text: string,
  { modes, depth, signal }: PoolOptions,
): Promise<readonly PooledDocument[]> {
  const ranked: { readonly rank: number; readonly document: PooledDocument }[] = [];
  for (const mode of modes) {
    const search = { mode, minConfidence: 0, topN: 100, parents: false, ...(signal && { signal }) };
    const { hits } = await index.search(text, search);
    const best = firstOfEach(hits, ({ path }) => path).slice(0, depth);
    ranked.push(...best.map(({ path, snippet }, rank) => ({ rank, document: { path, text: snippet.text } })));
  }
  const byRank = ranked.sort((a, b) => a.rank - b.rank).map(({ document }) => document);
  return firstOfEach(byRank, ({ path }) => path);
}

function firstOfEach<Item>(items: readonly Item[], key: (item: Item) => string): readonly Item[] {
  const firsts = new Map<string, Item>();
  for (const item of items) if (!firsts.has(key(item))) firsts.set(key(item), item);
  return [...firsts.values()];
}
