/** Compares what a retrieval finds with what the reference finds. */
import { expect } from 'vitest';
import type { Candidates, Found } from '../../src/core/model/candidates.ts';
import { LANES } from '../../src/core/model/ranking-constants.ts';

/** Columns that are the same in every implementation that has all facts. */
export const COLUMNS = ['ids', 'documents', 'modified', 'contents', 'parents', 'shown'] as const;

/** How far numbers may be from those of the reference. */
export interface Tolerance {
  readonly cosine: number;
  /** Of the share of a name that the query says. */
  readonly share: number;
}

/** Vectors and their products have 32 bits. */
export const EXACT: Tolerance = { cosine: 5e-7, share: 5e-10 };

/** Expects the same passages, whatever their order, each with the same facts and scores. */
export function alike(columns: readonly (typeof COLUMNS)[number][], { cosine, share }: Tolerance) {
  return (own: Candidates | Found, due: Candidates | Found) => {
    expect(own.slots.toSorted()).toEqual(due.slots.toSorted());
    const places = due.slots.map((slot) => own.slots.indexOf(slot));
    for (const column of columns) expect(places.map((place) => own[column][place])).toEqual([...due[column]]);
    for (const key of ['total', 'passing', 'relaxed'] as const)
      expect((own as Partial<Found>)[key]).toBe((due as Partial<Found>)[key]);
    expect(Object.keys(own.lanes)).toEqual(LANES.filter((lane) => due.lanes[lane]));
    for (const lane of LANES) {
      const [mine, exact] = [own.lanes[lane], due.lanes[lane]];
      if (!mine || !exact) continue;
      // What a document is about is read off rows of 8 bits.
      const near = within(lane === 'semantic' ? cosine : lane === 'subject' ? 0.05 : 5e-10);
      expect(places.map((place) => mine.scores[place])).toEqual([...exact.scores].map(near));
      expect(places.map((place) => mine.shares?.[place] ?? 1)).toEqual(
        places.map((_, at) => within(share)(exact.shares?.[at] ?? 1)),
      );
      expect([mine.best, mine.bound ?? 0]).toEqual([exact.best, exact.bound ?? 0].map(near));
      if (lane === 'semantic') expect(mine.median).toEqual(within(0.02)(exact.median!));
      // Passages with one score may be in another order, where sums round otherwise.
      expect(mine.ranked.map((place) => mine.scores[place])).toEqual(
        exact.ranked.map((place) => near(exact.scores[place]!)),
      );
      for (const [term, idf] of exact.idf ?? []) expect(mine.idf?.get(term)).toEqual(near(idf));
    }
  };
}

/** Matches numbers at most `tolerance` away. */
export const within = (tolerance: number) => (value: number) =>
  expect.closeTo(value, -Math.log10(2 * tolerance)) as number;

/**
 * Whether the last passage of each lane has another score than the next one: which of two equal passages is the last to be brought
 * may depend on the last bit of a sum.
 * @param found with one passage more than `depth`
 */
export const isSharp = ({ lanes }: Found, depth: number, tolerance: Tolerance) =>
  Object.entries(lanes).every(([lane, { ranked, scores }]) => {
    const [last, next] = ranked.slice(depth - 1).map((place) => scores[place]!);
    return next === undefined || last! - next > 2 * (lane === 'semantic' ? tolerance.cosine : 5e-7);
  });
