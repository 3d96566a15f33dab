/** BM25F written down from its formula over plain maps, to hold the postings engine against. */
import type { Bm25fField } from '../../../src/core/indexes/bm25f.ts';
import type { PostingsTerm } from '../../../src/core/indexes/postings.ts';
import type { Analyze } from '../../../src/core/indexes/segment-builder.ts';

/** Unit → the words of each field. */
export type Collection = ReadonlyMap<number, readonly (readonly string[])[]>;

/** Words are what stands between spaces. */
export const splitWords: Analyze = (text, visit) => {
  let position = 0;
  for (const { 0: word, index } of text.matchAll(/\S+/g)) visit(word, position++, index, index + word.length);
  return position;
};

export interface NaiveScore {
  readonly score: number;
  readonly coverage: number;
}

export function naiveScore(
  collection: Collection,
  fields: readonly Required<Bm25fField>[],
  k1: number,
  terms: readonly PostingsTerm[],
  unit: number,
): NaiveScore {
  const N = collection.size;
  const average = (f: number) => sum([...collection.values()].map((texts) => texts[f]!.length)) / N;
  const frequency = (texts: readonly (readonly string[])[], term: PostingsTerm) =>
    sum(
      fields.map(({ name, weight, b }, f) => {
        if (term.field !== undefined && term.field !== name) return 0;
        const tf = texts[f]!.filter((word) =>
          term.prefix ? word.startsWith(term.term) : word === term.term,
        ).length;
        return tf === 0 ? 0 : (weight * tf) / (1 - b + (b * texts[f]!.length) / average(f));
      }),
    );
  let score = 0;
  let matched = 0;
  let total = 0;
  for (const term of terms) {
    const n = [...collection.values()].filter((texts) => frequency(texts, term) > 0).length;
    const idf = Math.log(1 + (N - n + 0.5) / (n + 0.5));
    const texts = collection.get(unit);
    const tf = texts === undefined ? 0 : frequency(texts, term);
    score += (idf * tf * (k1 + 1)) / (tf + k1);
    if (tf > 0) matched += idf;
    total += idf;
  }
  return { score, coverage: matched / total };
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}
