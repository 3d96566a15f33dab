import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packBatches } from '../../../src/adapters/encoding/model-inputs.ts';
import { createPassageJob } from '../../../src/adapters/onnx/worker-pool.ts';

describe('passage job', () => {
  test('every text is handed out once, and the vectors come back in order', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3000)), fc.integer({ min: 1, max: 8 }), async (lengths, workers) => {
        const job = createPassageJob(lengths.map((length) => 'x'.repeat(length)));
        const groups = [];
        while (job.waiting > 0) groups.push(job.take(workers));
        for (const { members, texts } of groups.toReversed()) {
          job.put(members, Float32Array.from(texts.flatMap((text) => [text.length, 1])));
        }
        expect(await job.vectors).toEqual(lengths.map((length) => Float32Array.of(length, 1)));
      }),
    ));

  test('long texts go first, and groups shrink towards the end', () => {
    const job = createPassageJob(Array.from({ length: 600 }, (_, i) => 'x'.repeat(1 + ((i * 31) % 900))));
    const sizes = [];
    const longest = [];
    while (job.waiting > 0) {
      const { texts } = job.take(2);
      sizes.push(texts.reduce((sum, text) => sum + text.length, 0));
      longest.push(texts[0]!.length);
    }
    expect(sizes[0]).toBeGreaterThan(15_000);
    expect(sizes.at(-1)).toBeLessThan(3_000);
    expect(longest).toEqual(longest.toSorted((a, b) => b - a));
  });

  test('a failure ends it', async () => {
    const job = createPassageJob(['a', 'b']);
    job.fail(new Error('stop'));
    expect(job.waiting).toBe(0);
    await expect(job.vectors).rejects.toThrow('stop');
  });
});

describe('packBatches', () => {
  test('every text is in one batch, none beyond the budget unless alone, longest first', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 600 })), (lengths) => {
        const batches = packBatches(lengths, 512);
        expect(batches.flat().sort((a, b) => a - b)).toEqual(lengths.map((_, i) => i));
        for (const batch of batches) {
          expect(batch.length === 1 || batch.length * lengths[batch[0]!]! <= 512).toBe(true);
        }
        const order = batches.flat().map((i) => lengths[i]!);
        expect(order).toEqual(order.toSorted((a, b) => b - a));
      }),
    );
  });
});
