import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planMerge } from '../../../src/core/indexes/compact.ts';

/** Of a unit, and of the largest segment that merging makes. */
const [BYTES, MAX_BYTES] = [800, 16 * 1024 * 1024];
const whole = (units: number) => ({ units, live: units, bytes: units * BYTES });

describe('planMerge', () => {
  test('leaves few segments of different sizes alone', () => {
    expect(planMerge([])).toEqual([]);
    expect(planMerge([whole(10), whole(20), whole(5000), whole(100_000)])).toEqual([]);
  });

  test('merges four of about one size, and rewrites one that is mostly dead', () => {
    expect(planMerge([whole(10), whole(5000), whole(20), whole(30), whole(1)])).toEqual([[0, 2, 3, 4]]);
    expect(
      planMerge([
        whole(5000),
        { units: 1000, live: 499, bytes: 800_000 },
        { units: 90, live: 0, bytes: 9_000 },
      ]),
    ).toEqual([[1], [2]]);
  });

  test('rewrites a small segment for any dead unit, and a large one where all must go', () => {
    const sizes = [
      { units: 90, live: 89, bytes: 9_000 },
      { units: 5000, live: 4999, bytes: 4_000_000 },
      whole(100_000),
    ];
    expect(planMerge(sizes)).toEqual([[0]]);
    expect(planMerge(sizes, true)).toEqual([[0], [1]]);
  });

  test('never puts a segment into two groups nor makes one larger than the largest allowed', () => {
    const sizes = fc.array(fc.tuple(fc.nat(300_000), fc.double({ min: 0, max: 1, noNaN: true })), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(sizes, (given) => {
        const all = given.map(([units, share]) => ({
          units,
          live: Math.floor(units * share),
          bytes: units * BYTES,
        }));
        const groups = planMerge(all);
        expect(new Set(groups.flat()).size).toBe(groups.flat().length);
        for (const group of groups.filter((one) => one.length > 1)) {
          const bytesOf = (some: typeof all) => some.reduce((sum, { live }) => sum + live * BYTES, 0);
          expect(bytesOf(group.map((index) => all[index]!))).toBeLessThanOrEqual(
            Math.max(MAX_BYTES, bytesOf(all) / 16 + 1),
          );
        }
      }),
    );
  });

  test('a segment of a large index may have a sixteenth of it, up to 128 MiB', () => {
    const units = MAX_BYTES / BYTES;
    const sixteen = Array.from({ length: 16 }, () => whole(units / 2));
    expect(planMerge(sixteen)).toHaveLength(0);
    const many = Array.from({ length: 128 }, () => whole(units / 2));
    expect(planMerge(many).map(({ length }) => length)).toEqual(Array.from({ length: 16 }, () => 8));
    const most = Array.from({ length: 1024 }, () => whole(units / 2));
    expect(planMerge(most).map(({ length }) => length)).toEqual(Array.from({ length: 64 }, () => 16));
  });

  test('keeps segments few while 60,000 units come in small batches, and copies each a few times only', () => {
    let sizes: ReturnType<typeof whole>[] = [];
    let copied = 0;
    let most = 0;
    for (let batch = 0; batch < 1000; batch++) {
      sizes.push(whole(60));
      for (let plan = planMerge(sizes); plan.length > 0; plan = planMerge(sizes)) {
        const merged = plan.map((group) => whole(group.reduce((sum, index) => sum + sizes[index]!.live, 0)));
        copied += merged.reduce((sum, { units }) => sum + units, 0);
        const gone = new Set(plan.flat());
        sizes = [...sizes.filter((_, index) => !gone.has(index)), ...merged];
      }
      most = Math.max(most, sizes.length);
    }
    expect(most).toBeLessThanOrEqual(16);
    expect(copied / 60_000).toBeLessThan(7);
  });
});
