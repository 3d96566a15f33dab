/**
 * Worked cases of trec_eval's measures, computed apart from our code.
 *
 * Its definitions: `ndcg_cut.k` takes gains as graded (linear, not 2^grade − 1) over log₂(rank + 1), and divides by the
 * same sum of the k best grades judged, found or not; `recall.k` divides by all relevant documents even where they are
 * more than k; `recip_rank` looks at the first relevant document; relevant is a grade of 1 or more; a document that was
 * not judged counts as not relevant. A run is ordered by score, equal scores by document id from the last to the first.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { measure } from '../../../src/core/evaluate/metrics.ts';
import { readRun } from '../../../src/engine/evaluate/trec-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const GRADED = { a: 3, b: 2, c: 1, d: 0 };
const TWELVE = Object.fromEntries([...'abcdefghijkl'].map((id) => [id, 1]));
const FOUR_GOOD = { ...TWELVE, a: 3, b: 3, c: 3, d: 3 };

it.each([
  // what, ranking, grades, nDCG@5, nDCG@10, MRR@10, Recall@10, Hit@1
  ['best order', 'a b c d', GRADED, 1, 1, 1, 1, 1],
  ['worst order', 'd c b a', GRADED, 0.613827313344, 0.613827313344, 1 / 2, 1, 0],
  ['documents nobody judged', 'x a y b z c', GRADED, 0.578375395731, 0.653179615926, 1 / 2, 1, 0],
  ['relevant ones missing', 'b x', GRADED, 0.420003991508, 0.420003991508, 1, 1 / 3, 1],
  ['fewer than k', 'c', GRADED, 0.210001995754, 0.210001995754, 1, 1 / 3, 1],
  ['nothing', '', GRADED, 0, 0, 0, 0, 0],
  ['first at rank 10', '1 2 3 4 5 6 7 8 9 b', GRADED, 0, 0.121408380858, 1 / 10, 1 / 3, 0],
  ['first at rank 11', '0 1 2 3 4 5 6 7 8 9 b', GRADED, 0, 0, 0, 0, 0],
  ['one relevant, second', 'x a', { a: 1 }, 0.630929753571, 0.630929753571, 1 / 2, 1, 0],
  ['more relevant than k', 'a b c d e f g h i j k l', TWELVE, 1, 1, 1, 10 / 12, 1],
  ['half of them', 'a x b y c z d w e v f g', TWELVE, 0.639945385423, 0.554898912642, 1, 5 / 12, 1],
  ['the lesser first', 'e f a g h b', FOUR_GOOD, 0.489174887806, 0.519002692962, 1, 6 / 12, 1],
  ['a negative grade', 'n a', { n: -2, a: 2, b: 1 }, 0.479624933136, 0.479624933136, 1 / 2, 1 / 2, 0],
] as const)('%s', (_, ranking, grades, ndcg5, ndcg10, mrr10, recall10, hit1) => {
  const measured = measure(ranking.split(' ').filter(Boolean), new Map(Object.entries(grades)));
  const expected = { ndcg5, ndcg10, mrr10, recall10, hit1 };
  for (const [metric, value] of Object.entries(measured)) {
    expect(Math.abs(value - expected[metric as keyof typeof expected]), metric).toBeLessThan(1e-9);
  }
});

it('orders ties in a run by document id, from the last to the first, whatever the ranks say', async () => {
  const file = join(temporaryFolder(), 'ties.trec');
  // As 32-bit floats, which is how trec_eval reads them, the first two scores are equal.
  writeFileSync(file, 'q Q0 a 1 1.00000001 t\nq Q0 b 2 1.00000000 t\nq Q0 c 3 0.5 t\nq Q0 d 4 0.5 t\n');
  const ranked = (await readRun(file)).get('q')?.map(({ document }) => document);
  expect(ranked).toEqual(['b', 'a', 'd', 'c']);
});
