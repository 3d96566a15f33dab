/** Picks documents to judge: the best documents of one or several rankings, without those that have a grade already. */
import { join } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import type { SearchMode } from '../../core/model/query.ts';
import type { OpenOptions, SyncProgress } from '../api.ts';
import { locateIndex } from '../config/locate-index.ts';
import { open } from '../open.ts';
import { openToRank, type SetOpenOptions } from './judged-set.ts';
import {
  DOCS_FILE,
  readSetFiles,
  requireFolder,
  requirePlain,
  type SetFiles,
  UNANSWERABLE,
} from './set-files.ts';

/** A valid set that grades can be added to. */
export interface GrowingSet extends Required<Pick<SetFiles, 'docs' | 'judgements'>> {
  readonly set: string;
  /** All queries except unanswerable ones, in the order of the file. */
  readonly queries: SetFiles['queries'];
}

/**
 * Reads the sets and checks them before a user is asked for grades.
 * @param sets folders that hold `queries.jsonl` and `docs.txt`, and `qrels.tsv` if there are grades
 * @throws DocfuseError `judgements`, `not_found` or `not_a_folder` for a set; `usage` if two
 *   sets of different documents would share an index
 */
export async function readGrowingSets(
  sets: readonly string[],
  given: SetOpenOptions,
): Promise<readonly GrowingSet[]> {
  const read: GrowingSet[] = [];
  const indexed = new Map<string, string>();
  for (const set of sets) {
    const { queries, judgements = new Map(), docs } = await readSetFiles(set);
    if (docs === undefined) {
      throw new DocfuseError(
        'judgements',
        `${set} is not a set that docfuse writes to: it has no ${DOCS_FILE}.`,
        `To add grades to this set, write the folder of its documents into ${join(set, DOCS_FILE)}.`,
      );
    }
    await requireFolder(docs);
    const asked = queries.filter(({ type }) => type !== UNANSWERABLE);
    for (const { id } of asked) requirePlain('query id', id);
    const { indexPath } = locateIndex(openOptions(docs, given));
    const other = indexed.get(indexPath) ?? docs;
    if (other !== docs) {
      const fault = `One index cannot hold the documents of both ${other} and ${docs}.`;
      throw new DocfuseError(
        'usage',
        fault,
        'Name only one set, or leave out --index: each set then has its own index.',
      );
    }
    indexed.set(indexPath, docs);
    read.push({ set, docs, judgements, queries: asked });
  }
  return read;
}

export interface PoolOptions {
  readonly modes: readonly SearchMode[];
  /** Number of documents to take for each query and mode. */
  readonly depth: number;
  readonly open: SetOpenOptions;
  readonly onProgress?:
    | ((
        progress: SyncProgress | { readonly phase: 'query'; readonly done: number; readonly total: number },
      ) => void)
    | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Pools the best documents of several modes, as TREC does. With judged documents of one mode only, measures would favour that
 * mode. Searches for a query only when the caller requests the next result.
 * @returns for each query, the documents without a grade, at least one, the best of every mode first; and how many queries are `before` it
 * @throws DocfuseError what `open` and `sync` throw
 * @see Spärck Jones and van Rijsbergen 1975, "Report on the need for and provision of an ideal information retrieval test collection"
 */
export async function* poolUnjudged(
  { docs, queries, judgements }: GrowingSet,
  { modes, depth, open: given, onProgress, signal }: PoolOptions,
) {
  await using index = await open(openOptions(docs, given));
  const embed = modes.some((mode) => mode === 'hybrid' || mode === 'semantic');
  await index.sync({ embed, onProgress, signal });
  for (const [before, { id, text }] of queries.entries()) {
    const rankings = [];
    for (const mode of modes) {
      const search = { mode, minConfidence: 0, topN: 100, parents: false, signal };
      rankings.push((await index.search(text, search)).hits);
    }
    const documents = bestDocuments(rankings, depth).filter(({ path }) => !judgements.get(id)?.has(path));
    if (documents.length > 0) yield { id, text, before, documents };
    else onProgress?.({ phase: 'query', done: before + 1, total: queries.length });
  }
}

function openOptions(docs: string, given: SetOpenOptions): OpenOptions {
  return openToRank({ documents: { kind: 'folder', path: docs } }, given);
}

export interface ShownDocument {
  readonly path: string;
  /** The snippet of the document's best passage. */
  readonly text: string;
}

interface Passage {
  readonly path: string;
  readonly snippet: { readonly text: string };
}

/** Returns the first document of every ranking, then the second of every ranking, and so on; each document once. */
export function bestDocuments(
  rankings: readonly (readonly Passage[])[],
  depth: number,
): readonly ShownDocument[] {
  const best = rankings.map((passages) => firstOfEach(passages).slice(0, depth));
  const byRank = Array.from({ length: depth }, (_, rank) => best.flatMap((ranking) => ranking[rank] ?? []));
  return firstOfEach(byRank.flat()).map(({ path, snippet }) => ({ path, text: snippet.text }));
}

function firstOfEach(passages: readonly Passage[]): readonly Passage[] {
  const seen = new Set<string>();
  return passages.filter(({ path }) => !seen.has(path) && seen.add(path));
}
