/** What every reranker must do, whatever model it runs; each implementation's test runs this suite. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Reranker } from '../../src/core/ports.ts';

const QUERY = 'why do the tides follow the moon';
const PASSAGES = [
  'Bread rises because yeast turns sugar into gas.',
  'The tides follow the moon because it pulls on the water.',
  '',
  'snake_case 漢字 🙂 <tag> `code`',
  'The moon is bright tonight. '.repeat(200),
];

/** Runs the suite; `make` opens one reranker for all of it. */
export function rerankerContract(name: string, make: () => Promise<Reranker>): void {
  describe(`${name} keeps the contract of rerankers:`, () => {
    let reranker: Reranker;
    beforeAll(async () => {
      reranker = await make();
    });
    afterAll(() => reranker.close());

    test('every passage gets a relevance in 0–1, the empty and the endless one too', async () => {
      const scores = await reranker.score(QUERY, PASSAGES);
      expect(scores).toHaveLength(PASSAGES.length);
      for (const score of scores) {
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
      }
    });

    test('the passage that answers is the most relevant', async () => {
      const scores = await reranker.score(QUERY, PASSAGES);
      expect(scores.indexOf(Math.max(...scores))).toBe(1);
    });

    test('a relevance depends on query and passage alone, not on the other passages or their order', async () => {
      const together = await reranker.score(QUERY, PASSAGES);
      expect((await reranker.score(QUERY, PASSAGES.toReversed())).toReversed()).toEqual(together);
      for (const [i, passage] of PASSAGES.entries()) {
        expect(await reranker.score(QUERY, [passage])).toEqual([together[i]]);
      }
      const swapped = await reranker.score(PASSAGES[0]!, PASSAGES);
      expect(swapped).not.toEqual(together);
    });

    test('no passages give no relevances', async () => {
      expect(await reranker.score(QUERY, [])).toEqual([]);
    });

    test('calls that overlap get their own answers', async () => {
      const [a, b] = await Promise.all([
        reranker.score(QUERY, PASSAGES),
        reranker.score(QUERY, PASSAGES.toReversed()),
      ]);
      expect(b.toReversed()).toEqual(a);
    });

    test('a signal stops the work and does not harm the next call', async () => {
      await expect(reranker.score(QUERY, PASSAGES, AbortSignal.abort())).rejects.toMatchObject({
        code: 'aborted',
      });
      expect(await reranker.score(QUERY, ['after'])).toHaveLength(1);
    });

    test('after closing it can be used again', async () => {
      const before = await reranker.score(QUERY, PASSAGES);
      await reranker.close();
      await reranker.close();
      expect(await reranker.score(QUERY, PASSAGES)).toEqual(before);
    });
  });
}
