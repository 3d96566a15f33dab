import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeSegments } from '../../../src/core/indexes/merge.ts';
import type { Segment } from '../../../src/core/indexes/segment.ts';
import { type Analyze, createSegmentBuilder } from '../../../src/core/indexes/segment-builder.ts';
import { atOnce } from '../../../src/core/steps.ts';
import { splitWords } from './naive-bm25f.ts';

interface Unit {
  readonly number: number;
  readonly fields: readonly string[];
}

/** Words that begin alike have one stem. One word has a second one, as a name has its parts. */
const analyze: Analyze = (text, visit) =>
  splitWords(text, (word, ...place) => {
    visit(word.slice(0, 1), ...place);
    if (word === 'ab' || word === 'ba') visit(word, ...place);
  });

function build(units: readonly Unit[]): Segment {
  const foldSurface = (word: string) => word;
  const builder = createSegmentBuilder({ fieldCount: 2, analyze, foldSurface, positions: true });
  for (const { number, fields } of units) {
    for (const [field, text] of fields.entries()) builder.add(number, field, text);
  }
  return atOnce(builder.build());
}

test('a merged segment is, array for array, the one built from its live units', () => {
  const text = fc.string({ unit: fc.constantFrom('a ', 'ab ', 'ac ', 'b ', 'ba ', 'c '), maxLength: 12 });
  const unit = fc.record({ fields: fc.tuple(text, text), live: fc.boolean() });
  fc.assert(
    fc.property(fc.array(fc.array(unit, { maxLength: 4 }), { minLength: 1, maxLength: 4 }), (groups) => {
      let number = 0;
      const numbered = groups.map((group) => group.map((one) => ({ ...one, number: number++ * 3 })));
      const segments = numbered.map(build);
      const dead = numbered.map((group) => build(group.filter(({ live }) => !live)));
      const merged = atOnce(
        mergeSegments(
          segments,
          (index, local) => numbered[index]![local]!.live,
          (segment) => [dead[segments.indexOf(segment)]!],
        ),
      );
      expect(merged).toEqual(build(numbered.flat().filter(({ live }) => live)));
    }),
  );
});
