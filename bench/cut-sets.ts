/** Cuts judged sets down to collections of a few documents: the same queries, asked where there is little else. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomNumbers } from '../src/core/evaluate/statistics.ts';
import type { JudgedQuery, JudgedSet } from '../src/engine/evaluate/judged-set.ts';
import { shuffle } from './shuffle.ts';

/** Documents of each cut, and queries that have their answer among them. */
export const CUTS = [
  { documents: 64, queries: 30 },
  { documents: 8, queries: 8 },
  { documents: 8, queries: 8 },
  { documents: 8, queries: 8 },
];
const SEED = 7;

export interface Cut {
  /** Documents. */
  readonly size: number;
  readonly cut: JudgedSet;
}

/**
 * Every cut has other queries, the best document of each, and others drawn by lot. Equal sets give equal cuts.
 * @param set with a corpus of its own
 * @param folder the cuts are written into
 */
export async function cutSet(set: JudgedSet, folder: string): Promise<readonly Cut[]> {
  const lines = (await readFile(set.documents.path, 'utf8')).split('\n').filter((line) => line !== '');
  const byId = new Map(lines.map((line) => [JSON.parse(line)._id as string, line]));
  const random = randomNumbers(SEED);
  const ids = shuffle([...byId.keys()].sort(), random);
  const queries = shuffle(set.queries, random);
  let from = 0;
  const cuts: Cut[] = [];
  for (const [number, size] of CUTS.entries()) {
    const own = queries.slice(from, from + size.queries);
    from += own.length;
    if (own.length === 0) break;
    const kept = new Set(own.flatMap((query) => bestDocument(query, byId) ?? []));
    for (const id of ids) if (kept.size < size.documents) kept.add(id);
    const name = `${set.name}-${size.documents}-${number}`;
    const path = join(folder, `${name}.jsonl`);
    await mkdir(folder, { recursive: true });
    await writeFile(path, [...kept].map((id) => `${byId.get(id)}\n`).join(''));
    const documents = { kind: 'corpus', path } as const;
    cuts.push({ size: size.documents, cut: { ...set, name, queries: judgedHere(own, kept), documents } });
  }
  return cuts;
}

function bestDocument({ judgements }: JudgedQuery, corpus: ReadonlyMap<string, string>): string | undefined {
  const present = [...judgements].filter(([id, grade]) => grade > 0 && corpus.has(id));
  return present.sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1))[0]?.[0];
}

function judgedHere(queries: readonly JudgedQuery[], kept: ReadonlySet<string>): readonly JudgedQuery[] {
  return queries.map((query) => ({
    ...query,
    judgements: new Map([...query.judgements].filter(([id]) => kept.has(id))),
  }));
}
