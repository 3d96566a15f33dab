/**
 * What answers lose when passages are split over 2, 8 and 32 indexes: nDCG@10 of judged sets, by words and by all lanes.
 * Usage: node bench/shards.ts [--words (no model)] [JUDGED SET… (default test/quality/corpus)]
 * Each shard is an index of its own: its statistics are those of its passages. The best of all shards are merged by score.
 * Statistics of the whole collection need no run: a filter never changes a score, so shards with them answer as one index.
 */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { measure } from '../src/core/evaluate/metrics.ts';
import { mean } from '../src/core/evaluate/statistics.ts';
import { createMemoryIndex, type MemoryDocument, type MemoryIndex } from '../src/core/memory-index.ts';
import type { SearchMode } from '../src/core/model/query.ts';
import type { Embedder } from '../src/core/ports.ts';
import { settingsSchema } from '../src/engine/config/settings.ts';
import { type JudgedSet, readJudgedSet } from '../src/engine/evaluate/judged-set.ts';
import { searchModels } from '../src/engine/open-models.ts';
import { keep } from './record.ts';

const SHARDS = [1, 2, 8, 32];
const SPLITS = { hash: byHash, neighbours: byPlace };
/** Hits asked of each shard and of all. */
const TOP = 20;
const clock = { now: () => 0, monotonic: () => performance.now() };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { words: { type: 'boolean' } },
});
const sets = positionals.length > 0 ? positionals : ['test/quality/corpus'];
const modes: readonly SearchMode[] = values.words ? ['keyword'] : ['keyword', 'hybrid'];
const own = await searchModels(settingsSchema.parse({}), { cwd: process.cwd() }).model.open();
const embedder = values.words ? undefined : remembering(own);
const rows: Record<string, Record<string, number>> = {};
for (const folder of sets) {
  const set = await readJudgedSet(folder);
  const documents = await documentsOf(set);
  for (const [split, place] of Object.entries(SPLITS)) {
    for (const count of SHARDS) {
      if (count === 1 && split !== 'hash') continue;
      const shards = Array.from({ length: count }, () =>
        createMemoryIndex({ clock, ...(embedder && { embedder }) }),
      );
      for (const [at, document] of documents.entries())
        await shards[place(at, count, documents.length)]!.add([document]);
      const row: Record<string, number> = {};
      rows[`${basename(folder)} ${count === 1 ? 'whole' : `${count} ${split}`}`] = row;
      for (const mode of modes) row[mode] = await quality(shards, set, mode);
      console.error(`${basename(folder)} ${count} ${split}`, row);
    }
  }
}
console.table(rows);
await keep('shards', { metric: 'nDCG@10', rows });
await own.close();

async function quality(shards: readonly MemoryIndex[], { queries }: JudgedSet, mode: SearchMode) {
  const values: number[] = [];
  for (const { text, judgements } of queries) {
    const asked = { mode, topN: TOP, minConfidence: 0, parents: false };
    const found = (await Promise.all(shards.map((shard) => shard.search(text, asked)))).flat();
    // Equal scores are in the order of ids, as everywhere.
    found.sort((a, b) => b.score - a.score || (a.documentId < b.documentId ? -1 : 1));
    values.push(
      measure(
        found.map(({ path }) => path),
        judgements,
      ).ndcg10,
    );
  }
  return Math.round(mean(values) * 10_000) / 10_000;
}

/** A multiplicative hash of the number of a document. */
function byHash(at: number, shards: number): number {
  return (Math.imul(at + 1, 2_654_435_761) >>> 16) % shards;
}

/** Neighbours in the corpus share a shard, as documents of one folder or collection do. */
function byPlace(at: number, shards: number, all: number): number {
  return Math.floor((at * shards) / all);
}

async function documentsOf({ documents: { kind, path } }: JudgedSet): Promise<readonly MemoryDocument[]> {
  if (kind === 'corpus') {
    const lines = (await readFile(path, 'utf8')).trim().split('\n');
    return lines.map((line) => {
      const { _id, title = '', text } = JSON.parse(line) as { _id: string; title?: string; text: string };
      return { path: _id, text: title ? `# ${title}\n\n${text}` : text };
    });
  }
  const files = (await readdir(path, { recursive: true })).filter((name) => name.endsWith('.md')).sort();
  return Promise.all(
    files.map(async (name) => ({ path: name, text: await readFile(join(path, name), 'utf8') })),
  );
}

/** Embeds each text once. */
function remembering(model: Embedder): Pick<Embedder, 'dimensions' | 'embedQuery' | 'embedPassages'> {
  const queries = new Map<string, Promise<Float32Array>>();
  const passages = new Map<string, Float32Array>();
  return {
    dimensions: model.dimensions,
    embedQuery(text) {
      const made = queries.get(text) ?? model.embedQuery(text);
      queries.set(text, made);
      return made;
    },
    async embedPassages(texts, signal) {
      const missing = texts.filter((text) => !passages.has(text));
      if (missing.length > 0) {
        const vectors = await model.embedPassages(missing, signal);
        for (const [at, text] of missing.entries()) passages.set(text, vectors[at]!);
      }
      return texts.map((text) => passages.get(text)!);
    },
  };
}
