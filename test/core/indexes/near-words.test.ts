/** Words near a misspelt one: against a plain table of distances, over segments with deleted units. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createKeywordRetriever } from '../../../src/core/indexes/keyword.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';

function indexOf(texts: readonly string[]) {
  const retriever = createKeywordRetriever({ idOf: String });
  for (const [slot, text] of texts.entries()) {
    retriever.add([
      { slot, chunk: { id: `${slot}`, text, headingPath: [], codeBlocks: [] }, document: FIELDS },
    ]);
  }
  return retriever;
}

const FIELDS = { title: '', keywords: [], tags: [], aliases: [] };

describe('words near another', () => {
  const retriever = indexOf(['calendar calendars colander', 'calendar lender', 'search searching', 'starch']);
  const near = (word: string, most: number) =>
    retriever.nearWords(word, most).map((each) => `${each.word} ${each.slips} ${each.units}`);

  test.each([
    ['a letter replaced', 'calender', 'calendar 1 2'],
    ['a letter left out', 'calndar', 'calendar 1 2'],
    ['a letter too many', 'calenddar', 'calendar 1 2'],
    ['two neighbours swapped, also the first and last', 'aclendra', 'calendar 2 2'],
    ['swapped at the end', 'searhc', 'search 1 1'],
  ])('%s', (_, word, found) => {
    expect(near(word, 2)[0]).toBe(found);
  });

  test('come by slips, then first letter, then how many passages have them; one for each term', () => {
    expect(near('calander', 2)).toEqual(['colander 1 1', 'calendar 2 2']);
    expect(near('zearch', 1)).toEqual(['search 1 1']);
    expect(near('starch', 2)).toEqual(['starch 0 1', 'search 1 1']);
    expect(near('sarch', 1)).toEqual(['search 1 1', 'starch 1 1']);
  });

  test('are those of live passages', () => {
    const some = indexOf(['webhook', 'webhooks too', 'rotation']);
    some.remove([2]);
    expect(some.nearWords('rotaton', 2)).toEqual([]);
    expect(some.nearWords('webhok', 1)).toMatchObject([{ word: 'webhook', units: 2 }]);
    some.remove([0]);
    expect(some.nearWords('webhoks', 1)).toMatchObject([{ units: 1 }]);
  });

  test('are those that a table of distances finds', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), word, fc.constantFrom(1, 2), (words, asked, most) => {
        const found = indexOf([words.slice(0, 20).join(' '), words.slice(20).join(' ')]).nearWords(
          asked,
          most,
        );
        const spelled = new Set(words.filter((each) => distance(each, asked) <= most));
        for (const each of found) {
          expect(each.slips).toBe(distance(each.word, asked));
          expect(spelled).toContain(each.word);
        }
        // Words of one stem are one find.
        expect(spelled.size > 0).toBe(found.length > 0);
        expect(Math.min(...found.map(({ slips }) => slips))).toBe(
          Math.min(...[...spelled].map((each) => distance(each, asked))),
        );
      }),
      { numRuns: 300 },
    );
  });
});

test('a match of a spelling scores and covers its share; coverage and bound count the word as the rarest', () => {
  const retriever = indexOf(['horse zebra', 'horse', 'cow']);
  const horse = parseQuery('horse');
  const slip = { term: 'hosr', surface: 'hosre', prefix: false, spellings: { terms: ['hors'], share: 0.5 } };
  const right = retriever.search({ parsed: horse }, 5);
  const wrong = retriever.search({ parsed: { ...horse, terms: [slip] } }, 5);
  expect(wrong.scoreOf(1)).toBeCloseTo(0.5 * right.scoreOf(1), 12);
  const [rarest, idf] = [Math.log(1 + 3.5 / 0.5), Math.log(1 + 1.5 / 2.5)];
  expect(wrong.bound).toBeCloseTo(2.2 * rarest, 12);
  expect(wrong.coverageOf(1)).toBeCloseTo((0.5 * idf) / rarest, 12);
  const [part] = wrong.explain(1).parts ?? [];
  expect(part?.value).toBeCloseTo(wrong.scoreOf(1), 12);
  expect(part?.parts).toContainEqual({ label: 'weight of a correction', value: 0.5 });
});

/** Optimal string alignment, straight from its definition. */
function distance(a: string, b: string): number {
  const known = new Map<string, number>();
  const of = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const key = `${i} ${j}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    const found = Math.min(
      of(i - 1, j) + 1,
      of(i, j - 1) + 1,
      of(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
      isSwapped ? of(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
    );
    known.set(key, found);
    return found;
  };
  return of(a.length, b.length);
}
