import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeSegments } from '../../../src/core/indexes/merge.ts';
import type { Segment } from '../../../src/core/indexes/segment.ts';
import { createSegmentBuilder } from '../../../src/core/indexes/segment-builder.ts';
import { atOnce } from '../../../src/core/steps.ts';
import { splitWords } from './naive-bm25f.ts';

interface Unit {
  readonly number: number;
  readonly fields: readonly string[];
}

function build(units: readonly Unit[]): Segment {
  const builder = createSegmentBuilder({ fieldCount: 2, analyze: splitWords, positions: true });
  for (const { number, fields } of units) {
    for (const [field, text] of fields.entries()) builder.add(number, field, text);
  }
  return atOnce(builder.build());
}

test('a merged segment is, array for array, the one built from its live units', () => {
  const text = fc.string({ unit: fc.constantFrom('a ', 'b ', 'c '), maxLength: 12 });
  const unit = fc.record({ fields: fc.tuple(text, text), live: fc.boolean() });
  fc.assert(
    fc.property(fc.array(fc.array(unit, { maxLength: 4 }), { minLength: 1, maxLength: 4 }), (groups) => {
      let number = 0;
      const numbered = groups.map((group) => group.map((one) => ({ ...one, number: number++ * 3 })));
      const merged = atOnce(
        mergeSegments(numbered.map(build), (index, local) => numbered[index]![local]!.live),
      );
      expect(merged).toEqual(build(numbered.flat().filter(({ live }) => live)));
    }),
  );
});
