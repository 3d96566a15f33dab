import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { value, walkLinks } from '../../../src/core/graph/walk-links.ts';

type Edge = readonly [number, number, number?];

function neighboursIn(edges: readonly Edge[]) {
  const map = new Map<number, Map<number, number>>();
  for (const [a, b, weight = 1] of edges) {
    if (a === b) continue;
    map.set(a, (map.get(a) ?? new Map()).set(b, weight));
    map.set(b, (map.get(b) ?? new Map()).set(a, weight));
  }
  return (document: number) => map.get(document) ?? new Map<number, number>();
}

describe('walking along links', () => {
  it('sums the votes of linked candidates, by weight and the degrees of both ends', () => {
    // 1 and 2 link to 3, 2 also to 4 by a relative link: degrees 1, 2, 2, 1.
    const neighbours = neighboursIn([
      [1, 3],
      [2, 3],
      [2, 4, 0.85],
    ]);
    const { scores } = walkLinks(
      new Map([
        [1, 0.1],
        [2, 0.2],
      ]),
      neighbours,
      1,
    );
    expect(scores.get(3)).toBeCloseTo(0.1 / Math.sqrt(2) + 0.2 / 2, 12);
    expect(scores.get(4)).toBeCloseTo((0.2 * 0.85) / Math.sqrt(2), 12);
    expect(scores.size).toBe(2);
  });

  it('gives linked candidates each other’s votes', () => {
    const { scores } = walkLinks(
      new Map([
        [1, 0.5],
        [2, 0.25],
      ]),
      neighboursIn([[1, 2]]),
      1,
    );
    expect([...scores]).toEqual([
      [2, 0.5],
      [1, 0.25],
    ]);
  });

  it('halves each further hop and gives nothing back', () => {
    const chain = neighboursIn([
      [1, 2],
      [2, 3],
      [3, 4],
    ]);
    const seeds = new Map([[1, 1]]);
    const first = 1 / Math.sqrt(2);
    expect([...walkLinks(seeds, chain, 1).scores.keys()]).toEqual([2]);
    expect([...walkLinks(seeds, chain, 2).scores]).toEqual([
      [2, first],
      [3, (first * 0.5) / 2],
    ]);
    expect([...walkLinks(seeds, chain, 3, (document) => document !== 2).scores]).toEqual([]);
    expect(walkLinks(seeds, chain, 3).scores.get(4)).toBeCloseTo(
      (((first * 0.5) / 2) * 0.5) / Math.sqrt(2),
      12,
    );
  });

  it('damps a hub on either side', () => {
    const spokes = Array.from({ length: 100 }, (_, i): Edge => [0, i + 1]);
    const neighbours = neighboursIn([...spokes, [500, 501]]);
    const fromHub = walkLinks(
      new Map([
        [0, 1],
        [500, 1],
      ]),
      neighbours,
      1,
    ).scores;
    expect(fromHub.get(1)).toBeCloseTo(0.1, 12);
    expect(fromHub.get(501)).toBe(1);
    const toHub = walkLinks(
      new Map([
        [1, 1],
        [500, 1],
      ]),
      neighbours,
      1,
    ).scores;
    expect(toHub.get(0)).toBeCloseTo(0.1, 12);
  });

  it('explains every score as the sum of its contributions, and never exceeds the votes', () => {
    const node = fc.integer({ min: 0, max: 9 });
    const edges = fc.array(fc.tuple(node, node, fc.constantFrom(1, 0.85, 0.7)), { maxLength: 30 });
    const seeds = fc.array(fc.tuple(node, fc.double({ min: 0.01, max: 1, noNaN: true })), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(edges, seeds, fc.integer({ min: 1, max: 3 }), (links, votes, depth) => {
        const given = new Map(votes);
        const walked = walkLinks(given, neighboursIn(links), depth);
        const total = [...given.values()].reduce((sum, vote) => sum + vote, 0);
        for (const [document, score] of walked.scores) {
          const parts = walked.contributionsTo(document).map(value);
          expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 9);
          expect(score).toBeGreaterThan(0);
          expect(score).toBeLessThanOrEqual(total + 1e-9);
        }
      }),
    );
  });

  it('takes a hub with 10,000 links without delay', () => {
    const neighbours = neighboursIn(Array.from({ length: 10_000 }, (_, i): Edge => [0, i + 1]));
    const seeds = new Map(Array.from({ length: 100 }, (_, i) => [i, 1]));
    walkLinks(seeds, neighbours, 3);
    const began = process.cpuUsage();
    expect(walkLinks(seeds, neighbours, 3).scores.size).toBe(10_001);
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(1_000);
  });
});
