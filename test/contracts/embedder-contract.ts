/** What every embedder must do, whatever model it runs; each implementation's test runs this suite. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Embedder } from '../../src/core/ports.ts';

const TEXTS = [
  'Bread rises because yeast turns sugar into carbon dioxide.',
  'A mutex guards shared state between threads. '.repeat(30),
  '',
  'snake_case 漢字 🙂 <tag> `code`',
  'The tide follows the moon.',
];

/** Runs the suite; `make` opens one embedder for all of it. */
export function embedderContract(name: string, make: () => Promise<Embedder>): void {
  describe(`${name} keeps the contract of embedders:`, () => {
    let embedder: Embedder;
    beforeAll(async () => {
      embedder = await make();
    });
    afterAll(() => embedder.close());

    test('every text gets a unit vector of the stated dimensions, the empty one too', async () => {
      const vectors = [...(await embedder.embedPassages(TEXTS)), await embedder.embedQuery('')];
      expect(vectors).toHaveLength(TEXTS.length + 1);
      for (const vector of vectors) {
        expect(vector).toHaveLength(embedder.dimensions);
        expect(Math.abs(Math.hypot(...vector) - 1)).toBeLessThan(1e-5);
      }
    });

    test('a vector depends on its text alone, not on the others or their order', async () => {
      const together = await embedder.embedPassages(TEXTS);
      const reversed = await embedder.embedPassages(TEXTS.toReversed());
      expect(reversed.toReversed()).toEqual(together);
      for (const [i, text] of TEXTS.entries()) {
        expect(await embedder.embedPassages([text])).toEqual([together[i]]);
      }
    });

    test('a question is nearer to the passage that answers it', async () => {
      const query = await embedder.embedQuery('Why does dough get bigger?');
      const cosines = (await embedder.embedPassages(TEXTS)).map((vector) =>
        vector.reduce((sum, x, i) => sum + x * query[i]!, 0),
      );
      expect(cosines.indexOf(Math.max(...cosines))).toBe(0);
    });

    test('no texts give no vectors', async () => {
      expect(await embedder.embedPassages([])).toEqual([]);
    });

    test('calls that overlap get their own vectors', async () => {
      const [a, b, query] = await Promise.all([
        embedder.embedPassages(TEXTS),
        embedder.embedPassages(TEXTS.toReversed()),
        embedder.embedQuery(TEXTS[0]!),
      ]);
      expect(b.toReversed()).toEqual(a);
      expect(query).toEqual(await embedder.embedQuery(TEXTS[0]!));
    });

    test('a signal stops the work, before it begins and in the middle, and does not harm the next call', async () => {
      const many = Array.from({ length: 400 }, (_, i) => `${TEXTS[1]} ${i}`);
      await expect(embedder.embedPassages(many, AbortSignal.abort())).rejects.toMatchObject({
        code: 'aborted',
      });
      const start = performance.now();
      await expect(embedder.embedPassages(many, AbortSignal.timeout(100))).rejects.toMatchObject({
        code: 'aborted',
      });
      expect(performance.now() - start).toBeLessThan(2_000);
      expect(await embedder.embedPassages(['after'])).toHaveLength(1);
    });

    test('the model has a name', () => {
      expect(embedder.model).toMatch(/\S/);
    });
  });
}
