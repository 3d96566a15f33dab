/** Room for words on the map. */
import { expect, test } from 'vitest';
import { createRoom } from '../../../src/surfaces/web/map/map-names.ts';

const box = (left: number, top: number) => ({ left, top, width: 40, height: 10 });

test('a title is written over no other one and over no document, a name over documents if it may', () => {
  const room = createRoom([{ left: 100, top: 0, width: 6, height: 6 }]);
  expect(room.take(box(0, 0))).toBe(true);
  expect(room.take(box(39, 9))).toBe(false);
  expect(room.take(box(40, 0))).toBe(true);
  expect(room.take(box(90, 0))).toBe(false);
  expect(room.take(box(90, 0), true)).toBe(true);
  expect(room.take(box(90, 5), true)).toBe(false);
});
