/** First places on the map: everywhere different, and communities apart. */
import { expect, test } from 'vitest';
import { firstPlaces, type Place } from '../../../src/core/graph/first-places.ts';

const members = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}/${at}`);
const COMMUNITIES = [members('a', 40), members('b', 30), members('c', 5), members('d', 1)];
const distance = ([x, y]: Place, [u, v]: Place) => Math.hypot(x - u, y - v);

test('no two documents are in the same place', () => {
  const places = [...firstPlaces(COMMUNITIES).values()];
  expect(places).toHaveLength(76);
  for (const [at, place] of places.entries()) {
    for (const other of places.slice(at + 1)) expect(distance(place, other)).toBeGreaterThan(5);
  }
});

test('a document is nearer to the middle of its own community than to that of the others', () => {
  const places = firstPlaces(COMMUNITIES);
  const middles = COMMUNITIES.map((ids): Place => {
    const own = ids.map((id) => places.get(id)!);
    const mean = (axis: 0 | 1) => own.reduce((sum, place) => sum + place[axis], 0) / own.length;
    return [mean(0), mean(1)];
  });
  const isNearOwn = COMMUNITIES.flatMap((ids, number) =>
    ids.map((id) => {
      const distances = middles.map((middle) => distance(places.get(id)!, middle));
      return distances.indexOf(Math.min(...distances)) === number;
    }),
  );
  expect(isNearOwn.filter(Boolean).length).toBeGreaterThan(isNearOwn.length * 0.8);
});

test('the same communities have the same places, and none have none', () => {
  expect(firstPlaces(COMMUNITIES)).toEqual(firstPlaces(COMMUNITIES));
  expect(firstPlaces([]).size).toBe(0);
});
