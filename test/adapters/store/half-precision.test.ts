import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromHalves, toHalves } from '../../../src/adapters/store/half-precision.ts';

/** Replaces numbers that are subnormal as 16-bit floats. */
function withoutSmall(vector: Float32Array): Float32Array {
  return vector.map((value) => (Math.abs(value) < 2 ** -14 ? 0 : value));
}

it('rounds as the language does', () => {
  fc.assert(
    fc.property(fc.float32Array({ min: -65_000, max: 65_000, noNaN: true }).map(withoutSmall), (vector) => {
      const blob = toHalves(vector);
      expect(blob).toEqual(new Uint8Array(Float16Array.from(vector).buffer));
      expect(fromHalves(blob)).toEqual(Float32Array.from(Float16Array.from(vector)));
    }),
  );
});

it('reads every 16-bit float', () => {
  const halves = Uint16Array.from({ length: 0x10000 }, (_, bits) => bits).filter(
    (bits) => (bits & 0x7c00) !== 0x7c00,
  );
  expect(fromHalves(new Uint8Array(halves.buffer))).toEqual(
    Float32Array.from(new Float16Array(halves.buffer)),
  );
});

it('reads a view into a larger buffer as the view', () => {
  expect(fromHalves(toHalves(Float32Array.of(0, 1, 2, 3).subarray(1, 3)).subarray(2))).toEqual(
    Float32Array.of(2),
  );
});
