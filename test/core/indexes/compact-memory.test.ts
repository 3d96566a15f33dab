import { expect, test } from 'vitest';
import { compact } from '../../../src/core/indexes/compact.ts';
import { createLexicalIndex } from '../../../src/core/indexes/lexical-index.ts';
import { atOnce } from '../../../src/core/steps.ts';
import { splitWords } from './naive-bm25f.ts';

test('the segments of a group leave memory as soon as they are merged', () => {
  const index = createLexicalIndex<number>(
    {},
    {
      fields: [{ name: 'text', weight: 1 }],
      analyze: splitWords,
      unitOf: (unit) => unit,
      read: (add, unit) => add(unit, 0, `word${unit}`),
    },
  );
  for (let n = 0; n < 4; n++) {
    index.add([n]);
    index.add(Array.from({ length: 300 }, (_, unit) => 1000 * (n + 1) + unit));
  }
  const sources = [...index.liveSegments];
  const inMemory: number[] = [];
  const isInMemory = (source: (typeof sources)[number]) => {
    try {
      return source.segment.units.length > 0;
    } catch {
      return false;
    }
  };
  atOnce(compact(index, false, () => inMemory.push(sources.filter(isInMemory).length)));
  expect(inMemory).toEqual([4, 0]);
  expect(index.statistics().count).toBe(1204);
  expect(() => sources[0]!.segment).toThrow('A replaced segment was read.');
});
