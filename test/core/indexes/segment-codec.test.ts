import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DocfuseError } from '../../../src/core/errors.ts';
import { readPostings } from '../../../src/core/indexes/segment.ts';
import { createSegmentBuilder } from '../../../src/core/indexes/segment-builder.ts';
import { checksum, decodeSegment, encodeSegment } from '../../../src/core/indexes/segment-codec.ts';
import { atOnce } from '../../../src/core/steps.ts';
import { splitWords } from './naive-bm25f.ts';

const text = fc.array(fc.constantFrom('alpha', 'Béta', '東京', '𝒜', 'x\ud800'), { maxLength: 6 });

function segmentOf(texts: readonly (readonly string[])[]) {
  const builder = createSegmentBuilder({
    fieldCount: 2,
    analyze: splitWords,
    positions: true,
    foldSurface: (word) => word.toLowerCase(),
  });
  for (const [unit, words] of texts.entries()) builder.add(unit * 3, unit % 2, words.join(' '));
  return atOnce(builder.build());
}

describe('a segment as bytes', () => {
  test('comes back as it was, wherever its bytes lie in a buffer', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), fc.nat(7), (texts, offset) => {
        const segment = segmentOf(texts);
        const bytes = encodeSegment(segment);
        const shifted = new Uint8Array(bytes.length + offset).subarray(offset);
        shifted.set(bytes);
        expect(decodeSegment(shifted)).toEqual(segment);
      }),
    );
  });

  test('numbers more than 65,536 units', () => {
    const segment = segmentOf(Array.from({ length: 65_538 }, () => ['alpha']));
    const { units } = readPostings(decodeSegment(encodeSegment(segment)), 0);
    expect(units).toEqual(Uint32Array.from({ length: 65_538 }, (_, unit) => unit));
  });

  test('keeps a word that begins like a byte order mark', () => {
    const builder = createSegmentBuilder({
      fieldCount: 1,
      analyze: (text, visit) => {
        visit(text, 0, 0, text.length);
        return 1;
      },
    });
    builder.add(0, 0, '\ufeffword');
    const segment = atOnce(builder.build());
    expect(decodeSegment(encodeSegment(segment))).toEqual(segment);
  });

  test('takes the room of bytes that were a little longer', () => {
    const segment = segmentOf([['alpha'], ['beta']]);
    const { length } = encodeSegment(segment);
    const lengths = [length - 4, length, length + 16, length * 2].map(
      (room) => encodeSegment(segment, room).length,
    );
    expect(lengths).toEqual([length, length, length + 16, length]);
    expect(decodeSegment(encodeSegment(segment, length + 16))).toEqual(segment);
  });

  test('with any byte changed is refused as damaged', () => {
    const bytes = encodeSegment(segmentOf([['alpha', 'beta'], ['beta', 'gamma'], ['東京']]));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 })), {
          minLength: 1,
          maxLength: 3,
        }),
        (flips) => {
          const changed = bytes.slice();
          for (const [at, flip] of flips) changed[at]! ^= flip;
          fc.pre(changed.some((byte, i) => byte !== bytes[i]));
          expectDamaged(changed);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('cut short or with bytes added is refused as damaged', () => {
    const bytes = encodeSegment(segmentOf([['alpha'], ['beta']]));
    for (let length = 0; length < bytes.length; length++) expectDamaged(bytes.slice(0, length));
    for (const more of [1, 4, 64]) {
      const longer = new Uint8Array(bytes.length + more);
      longer.set(bytes);
      expectDamaged(longer);
    }
  });
});

function expectDamaged(bytes: Uint8Array): void {
  let error: unknown;
  try {
    decodeSegment(bytes);
  } catch (caught) {
    error = caught;
  }
  expect(error).toBeInstanceOf(DocfuseError);
  expect(error).toMatchObject({ code: 'index_damaged' });
}

test('the checksum is MurmurHash3_x86_32: known values of its reference implementation, seed 0', () => {
  expect(checksum(new Uint8Array(0))).toBe(0);
  expect(checksum(new TextEncoder().encode('test'))).toBe(0xba6bd213);
  expect(checksum(Uint8Array.of(0, 0, 0, 0))).toBe(0x2362f9de);
  expect(checksum(Uint8Array.of(0x21, 0x43, 0x65, 0x87))).toBe(0xf55b516b);
});
