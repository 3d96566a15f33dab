/** Asks queries one by one, measures the time, and ranks documents by their best chunk. */
import { performance } from 'node:perf_hooks';
import type { SearchMode } from '../../core/model/query.ts';
import type { Index, SearchOptions, SearchResult } from '../api.ts';
import type { QueryLine } from './set-files.ts';
import type { RunEntry } from './trec-run.ts';

/** The answer to one query. */
export interface Answer {
  /** Documents, best first. */
  readonly entries: readonly RunEntry[];
  readonly milliseconds: number;
}

/** Asks the index a query. */
export type Ask = (index: Index, query: string, options: SearchOptions) => Promise<SearchResult>;

export interface AskOptions {
  readonly mode: SearchMode;
  readonly minConfidence: number;
  /** @default a search for the query */
  readonly ask?: Ask | undefined;
  readonly onAnswer?: ((done: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Number of hits of each search. */
const DEPTH = 100;
/** Number of searches before time is measured: they fill caches and compile code. */
const WARM_UP = 5;

/** @returns one answer for each query, and the notices that came with every query, such as that vectors are missing */
export async function askQueries(
  index: Index,
  queries: readonly QueryLine[],
  { mode, minConfidence, ask = askPlainly, onAnswer, signal }: AskOptions,
): Promise<{ readonly answers: readonly Answer[]; readonly notices: readonly string[] }> {
  const search = { mode, minConfidence, topN: DEPTH, parents: false, signal };
  // These searches ask for another number of hits: otherwise the answer cache would answer the measured searches.
  for (const query of queries.slice(0, WARM_UP)) await ask(index, query.text, { ...search, topN: DEPTH - 1 });
  const answers: Answer[] = [];
  const notices = new Map<string, number>();
  for (const query of queries) {
    const start = performance.now();
    const { hits, notice } = await ask(index, query.text, search);
    const milliseconds = performance.now() - start;
    if (notice) notices.set(notice, (notices.get(notice) ?? 0) + 1);
    const bestChunks = new Map<string, RunEntry>();
    for (const { path, score } of hits) {
      if (!bestChunks.has(path)) bestChunks.set(path, { document: path, score });
    }
    answers.push({ entries: [...bestChunks.values()], milliseconds });
    onAnswer?.(answers.length);
  }
  const everywhere = [...notices].filter(([, times]) => times === queries.length);
  return { answers, notices: everywhere.map(([notice]) => notice) };
}

function askPlainly(index: Index, query: string, options: SearchOptions): Promise<SearchResult> {
  return index.search(query, options);
}
