/** Packs texts of like length into small batches. */

/** Small batches are faster: padding is what costs, and 512 tokens keep a core's caches warm (docs/decisions). */
const TOKENS_PER_BATCH = 512;

/**
 * Groups text numbers, longest first, so that no batch holds more than `budget` padded tokens; a longer text goes alone.
 * @param lengths tokens of each text, 1 or more
 */
export function packBatches(
  lengths: readonly number[],
  budget = TOKENS_PER_BATCH,
): readonly (readonly number[])[] {
  const order = lengths.map((_, index) => index).sort((a, b) => lengths[b]! - lengths[a]! || a - b);
  const batches: number[][] = [];
  for (let start = 0; start < order.length; ) {
    const longest = lengths[order[start]!]!;
    const size = Math.max(1, Math.floor(budget / longest));
    batches.push(order.slice(start, start + size));
    start += size;
  }
  return batches;
}
