import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDocumentIndex } from '../../../src/core/indexes/documents.ts';
import { createLiveSegments } from '../../../src/core/indexes/live-segments.ts';
import { headingShares, type NamedDocument } from '../../../src/core/indexes/name-share.ts';
import { createSegmentBuilder } from '../../../src/core/indexes/segment-builder.ts';
import { KEYWORD_FIELDS } from '../../../src/core/model/ranking-constants.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { atOnce } from '../../../src/core/steps.ts';
import { splitWords } from './naive-bm25f.ts';

const ROTATION = { number: 0, title: 'Token rotation', path: '' };
const BUILD = { number: 1, title: 'Token rotation in the nightly build', path: '' };
const BUILDS = { number: 2, title: 'Builds', path: '' };
const ENTRIES = [
  { number: 0, names: [ROTATION.title], text: 'Rotate them.' },
  { number: 1, names: [BUILD.title], text: 'Rotate them at night.' },
  { number: 2, names: [BUILDS.title], text: 'A build.' },
];

function shareOf(query: string, document: NamedDocument, index = createDocumentIndex()) {
  if (index.segments().length === 0) index.add(ENTRIES);
  return index.title(parseQuery(query)).shareOf(document);
}

test('a share is the idf of the words asked for over that of all words of the name', () => {
  // N = 3: `token` and `rotation` are in 2 documents, `build` in 2, `in`, `the` and `nightly` in 1.
  const [two, one] = [Math.log(1 + 1.5 / 2.5), Math.log(1 + 2.5 / 1.5)];
  const share = shareOf('token rotation', BUILD);
  expect(share.matched).toBeCloseTo(2 * two, 12);
  expect(share.total).toBeCloseTo(3 * two + 3 * one, 12);
  expect(share.value).toBe(share.matched / share.total);
});

test('a name said whole has 1, one of which nothing is said 0', () => {
  expect(shareOf('rotation of a token', ROTATION).value).toBeCloseTo(1, 12);
  expect(shareOf('sheep', ROTATION)).toEqual({ value: 0, matched: 0, total: 0 });
  expect(shareOf('token', { number: 3, title: '', path: '' }).value).toBe(0);
});

test('a digit that numbers a name need not be said, but another digit must be', () => {
  expect(shareOf('token rotation', { number: 4, title: '2. Token rotation', path: '' }).value).toBe(1);
  expect(shareOf('token', { number: 5, title: 'Token 2', path: '' }).value).toBeLessThan(0.9);
  const index = createDocumentIndex();
  index.add(ENTRIES);
  const shares = index.fileNames(parseQuery('token rotation').words);
  expect(shares({ ...ROTATION, path: 'a/1-token-rotation.md' }).ofName.value).toBe(1);
});

test('a word that stands for another, with a lower weight, says less of a name than the word itself', () => {
  const index = createDocumentIndex();
  index.add(ENTRIES);
  const query = parseQuery('token rotation');
  const [token, rotation] = query.terms;
  const shareWith = (weight: number) =>
    index.title({ ...query, terms: [token!, { ...rotation!, weight }] }).shareOf(ROTATION).value;
  expect(shareWith(1)).toBe(1);
  expect(shareWith(0.5)).toBeCloseTo(0.75, 12);
});

test('the words of another spelling say a name, too', () => {
  const index = createDocumentIndex();
  index.add([{ number: 0, names: ['Work flow'], text: '' }]);
  const query = parseQuery('workflow');
  const variants = [['work', 'flow'].map((term, position) => ({ term, position }))];
  const split = { ...query, terms: query.terms.map((term) => ({ ...term, variants })) };
  expect(index.title(split).shareOf({ number: 0, title: 'Work flow', path: '' }).value).toBe(1);
});

test('the extension of a file may end a query that names it', () => {
  const index = createDocumentIndex();
  index.add(ENTRIES);
  const shares = (path: string) => index.fileNames(parseQuery('rotation md').words)({ ...ROTATION, path });
  expect(shares('a/rotation.md').ofQuery).toBeCloseTo(1, 12);
  expect(shares('a/rotation.txt').ofQuery).toBeLessThan(0.7);
});

test('of several names that counts of which most is said', () => {
  expect(
    shareOf('builds', { ...ROTATION, aliases: ['Builds', 'The nightly builds'], path: 'a/nightly.md' }).value,
  ).toBeCloseTo(1, 12);
});

test('a name is weighed anew when the index has changed', () => {
  const index = createDocumentIndex();
  const before = shareOf('token', ROTATION, index).value;
  index.add([{ number: 3, names: ['Token'], text: 'A token.' }]);
  expect(shareOf('token', ROTATION, index).value).toBeLessThan(before);
  index.remove([3]);
  expect(shareOf('token', ROTATION, index).value).toBe(before);
});

test('a share is 0–1, and to say more of a name never lowers it', () => {
  const said = fc.subarray(['token', 'rotation', 'nightly', 'build', 'sheep'], { minLength: 1 });
  fc.assert(
    fc.property(said, fc.constantFrom('token', 'nightly', 'cow'), (words, more) => {
      for (const document of [ROTATION, BUILD, BUILDS]) {
        const { value, matched, total } = shareOf(words.join(' '), document);
        expect(value).toBe(total > 0 ? matched / total : 0);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
        expect(shareOf([...words, more].join(' '), document).value).toBeGreaterThanOrEqual(value);
      }
    }),
  );
});

test('the postings of the words of headings are asked for once in a segment, not for each passage', () => {
  const segments = createLiveSegments(KEYWORD_FIELDS.length);
  const options = { fieldCount: KEYWORD_FIELDS.length, analyze: splitWords, positions: true };
  const builder = createSegmentBuilder(options);
  const headers = KEYWORD_FIELDS.indexOf('headers');
  for (let unit = 0; unit < 50; unit++) builder.add(unit, headers, unit % 2 ? 'alpha beta' : 'beta gamma');
  const segment = segments.add(atOnce(builder.build()));
  const asked: number[] = [];
  const owner = {
    ...segment,
    postingsOf(term: number) {
      asked.push(term);
      return segment.postingsOf(term);
    },
  };
  const words = ['alpha', 'beta'].map((term, position) => ({ terms: [term], position, idf: 1 }));
  const shares = headingShares({ ...segments, locate: (local) => ({ owner, local }) }, words);
  const found = Array.from({ length: 50 }, (_, unit) => shares(unit).ofQuery);
  expect(found).toEqual(found.map((_, unit) => (unit % 2 ? 1 : 0.5)));
  expect(asked).toHaveLength(2);
});
