/** Returns the median of the cosines between a query and a sample of all passages. The sample is read once. */
import { narrowed, PASSAGES } from './conditions.ts';
import type { EditionReader } from './engine.ts';
import { DRAWS, type PublishedState } from './format.ts';

/** Mean size of the sample. */
const SAMPLE = 512;

export function createMedian(reader: EditionReader, { passages: { count } }: PublishedState) {
  let sample: ReturnType<typeof read> | undefined;

  async function read(): Promise<readonly Float32Array[]> {
    const below = Math.ceil((DRAWS * SAMPLE) / Math.max(SAMPLE, count));
    const where = narrowed(PASSAGES, [{ key: 'draw', below }]);
    const { found } = await reader.search([{ where, limit: 2 * SAMPLE }]);
    return [...(await reader.vectors(found.flat().map(({ id }) => id))).values()];
  }

  /** @param query unit length */
  return async (query: Float32Array): Promise<number> => {
    sample ??= read();
    const vectors = await sample.catch((error) => {
      sample = undefined;
      throw error;
    });
    const scores = Float64Array.from(vectors, (vector) => dot(vector, query)).sort();
    const middle = scores.length >> 1;
    if (scores.length === 0) return 0;
    return scores.length % 2 ? scores[middle]! : (scores[middle - 1]! + scores[middle]!) / 2;
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!;
  return sum;
}
