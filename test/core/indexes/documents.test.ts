import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDocumentIndex, type DocumentEntry } from '../../../src/core/indexes/documents.ts';
import { decodeSegment, encodeSegment } from '../../../src/core/indexes/segment-codec.ts';
import type { ParsedQuery, QueryTerm } from '../../../src/core/model/query.ts';
import { analyze } from '../../../src/core/text/analyze.ts';
import { naiveScore } from './naive-bm25f.ts';

const ENTRIES: readonly DocumentEntry[] = [
  { number: 3, names: ['Zebra facts', 'stripes'], text: 'A horse with stripes' },
  { number: 5, names: ['Horses'], text: 'zebra zebra zebra horse' },
  { number: 6, names: ['Cows'], text: 'Cows say moo' },
];

describe('the document index', () => {
  test('the document lane counts names and text, the title lane names alone', () => {
    const index = createDocumentIndex();
    index.add(ENTRIES);
    const whole = index.document(query('zebra'));
    expect(whole.scoreOf(5)).toBeGreaterThan(whole.scoreOf(3));
    expect(whole.scoreOf(3)).toBeGreaterThan(0);
    expect(whole.max).toBe(whole.scoreOf(5));
    expect(whole.bound).toBeGreaterThan(whole.max);
    const title = index.title(query('zebra'));
    expect([3, 5, 6].map((number) => title.scoreOf(number) > 0)).toEqual([true, false, false]);
    expect(title.max).toBe(title.scoreOf(3));
  });

  test('the title lane has its own statistics: how many names hold the word', () => {
    const index = createDocumentIndex();
    index.add(ENTRIES);
    expect(index.title(query('zebra')).bound).toBeCloseTo(Math.log(1 + 2.5 / 1.5) * 2.2, 12);
    expect(index.document(query('zebra')).bound).toBeCloseTo(Math.log(1 + 1.5 / 2.5) * 2.2, 12);
  });

  test('every alias is found, and a word weighs more in the names when told so', () => {
    const index = createDocumentIndex({ namesWeight: 5 });
    index.add(ENTRIES);
    expect(index.title(query('stripes')).scoreOf(3)).toBeGreaterThan(0);
    const whole = index.document(query('zebra'));
    expect(whole.scoreOf(3)).toBeGreaterThan(whole.scoreOf(5));
  });

  test('a word asked of the title is looked for in the names', () => {
    const index = createDocumentIndex();
    index.add(ENTRIES);
    const inTitle = query('zebra');
    const restricted = {
      ...inTitle,
      terms: inTitle.terms.map((term) => ({ ...term, field: 'title' as const })),
    };
    expect(index.document(restricted).scoreOf(5)).toBe(0);
    expect(index.document(restricted).scoreOf(3)).toBeGreaterThan(0);
  });

  test('removed and replaced documents leave no trace, also after saving and loading', () => {
    const index = createDocumentIndex();
    const saved = [index.add(ENTRIES), index.add([{ number: 5, names: ['Sheep'], text: 'baa' }])];
    index.remove([6, 99]);
    const fresh = createDocumentIndex();
    fresh.add([ENTRIES[0]!, { number: 5, names: ['Sheep'], text: 'baa' }]);
    const loaded = createDocumentIndex();
    for (const segment of saved)
      loaded.load(decodeSegment(encodeSegment(segment!)), (number) => number !== 6);
    for (const text of ['zebra', 'horse', 'sheep baa', 'moo']) {
      for (const lane of ['document', 'title'] as const) {
        const expected = fresh[lane](query(text));
        for (const one of [index, loaded]) {
          const { scoreOf, max, bound } = one[lane](query(text));
          expect([3, 5, 6].map(scoreOf)).toEqual([3, 5, 6].map(expected.scoreOf));
          expect([max, bound]).toEqual([expected.max, expected.bound]);
        }
      }
    }
  });

  test('a word written apart elsewhere keeps its idf: without places, parts anywhere are no word', () => {
    const index = createDocumentIndex();
    index.add(
      Array.from({ length: 60 }, (_, number) => ({
        number,
        names: [`${number}`],
        text: number < 6 ? 'The workflow is here.' : 'Other work goes on. The river will flow.',
      })),
    );
    const parsed = query('workflow');
    const variants = [['work', 'flow'].map((term, position) => ({ term, position }))];
    const apart = { ...parsed, terms: parsed.terms.map((term) => ({ ...term, variants })) };
    expect(index.document(apart).bound).toBe(index.document(parsed).bound);
    expect(index.document(apart).scoreOf(9)).toBe(0);
  });

  test('each lane is BM25F over its fields, whatever documents say, and its bound and maximum hold', () => {
    const words = fc.array(fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'kappa'), {
      minLength: 1,
      maxLength: 6,
    });
    const corpus = fc.array(fc.record({ names: words, text: words }), { minLength: 1, maxLength: 8 });
    const asked = fc.uniqueArray(fc.constantFrom('alpha', 'beta', 'gamma', 'omega'), { minLength: 1 });
    fc.assert(
      fc.property(corpus, asked, (documents, terms) => {
        const index = createDocumentIndex();
        index.add(
          documents.map(({ names, text }, number) => ({
            ...{ number, names: [names.join(' ')], text: text.join(' ') },
          })),
        );
        const parsed = query(terms.join(' '));
        for (const [lane, fields] of [
          ['document', ['names', 'text']],
          ['title', ['names']],
        ] as const) {
          const collection = new Map(documents.map((texts, n) => [n, fields.map((field) => texts[field])]));
          const bm25f = fields.map((name) => ({ name, weight: 1, b: 0.75 }));
          const { scoreOf, max, bound } = index[lane](parsed);
          for (const number of documents.keys()) {
            const { score } = naiveScore(collection, bm25f, 1.2, parsed.terms, number);
            expect(scoreOf(number)).toBeCloseTo(score, 9);
          }
          expect(max).toBe(Math.max(...[...documents.keys()].map(scoreOf)));
          expect(bound).toBeGreaterThanOrEqual(max);
        }
      }),
    );
  });

  test('a query that nothing matches has maximum 0', () => {
    expect(createDocumentIndex().document(query('zebra')).max).toBe(0);
  });
});

function query(text: string): ParsedQuery {
  const terms: QueryTerm[] = [];
  analyze(text, (term) => void terms.push({ term, surface: term, prefix: false }));
  const none = { words: [], phrases: [], required: [], excludedTerms: [], excludedPhrases: [], filters: {} };
  return { text, plain: text, terms, ...none };
}
