/** Vectors as blobs of 16-bit floats (IEEE 754 binary16), little-endian as on all platforms of Node. */
import { lazyConstant } from '../../core/text/lazy-constant.ts';

/** Moves the exponent of a 16-bit float to that of a 32-bit float, or back. Subnormal numbers stay right. */
const SCALE = 2 ** 112;

/** Number of 16-bit floats. */
const HALVES = 0x10000;

/** All 16-bit floats by their bits: looking one up takes half the time of computing it. */
const floats = lazyConstant(() => {
  const bits = Uint32Array.from(
    { length: HALVES },
    (_, half) => ((half & 0x8000) << 16) | ((half & 0x7fff) << 13),
  );
  return new Float32Array(bits.buffer).map((value) => value * SCALE);
});

/**
 * Rounds to the nearest 16-bit float, or to the even one of two. A number below 2⁻¹⁴ may become a neighbour of the nearest.
 * @param vector finite numbers from −65,504 to 65,504
 */
export function toHalves(vector: Float32Array): Uint8Array {
  const bits = new Uint32Array(Float32Array.from(vector, (value) => value / SCALE).buffer);
  const halves = new Uint16Array(bits.length);
  for (const [place, value] of bits.entries()) {
    const nearest = (value & 0x7fffffff) + 0xfff + ((value >>> 13) & 1);
    halves[place] = ((value >>> 16) & 0x8000) | (nearest >>> 13);
  }
  return new Uint8Array(halves.buffer);
}

/**
 * @param blob its offset must be even, as that of a blob which SQLite returns
 * @param into array to fill and return. @default a new one
 */
export function fromHalves(
  blob: Uint8Array,
  into: Float32Array = new Float32Array(blob.byteLength / 2),
): Float32Array {
  const halves = new Uint16Array(blob.buffer, blob.byteOffset, into.length);
  const all = floats();
  for (let place = 0; place < halves.length; place++) into[place] = all[halves[place]!]!;
  return into;
}
