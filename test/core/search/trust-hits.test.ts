import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CONFIDENCE_WORDS } from '../../../src/core/model/hit.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { initialState } from '../../../src/core/search/state.ts';
import { trustHits } from '../../../src/core/search/trust-hits.ts';

interface Given {
  readonly document: number;
  readonly score: number;
  readonly fused: number;
}

/** @param titles places of candidates whose titles have a word of the query */
async function words(
  given: readonly Given[],
  fusion: 'convex' | 'rrf' = 'convex',
  { asked = 'token rotation', titles = [] as readonly number[], minConfidence = 0 } = {},
) {
  const query = parseQuery(asked);
  const request = { topN: 5, explain: false, settings: { fusion }, query } as Parameters<
    typeof initialState
  >[0];
  const title = {
    scores: Float64Array.from(given, (_, place) => Number(titles.includes(place))),
    ...{ ranked: [], best: 1 },
  };
  const candidates = given.map((each, slot) => ({
    ...{ slot, id: String(slot), place: slot, absolute: each.score, explanation: [] },
    ...each,
  }));
  const { found, ...state } = initialState(request);
  const lanes = { ...found.lanes, title };
  const services = {
    retrieval: {
      chunks: (slots: readonly number[]) =>
        slots.map(() => ({ text: 'Rotate in 1.2.', headingPath: ['Step 3'] })),
      documents: (numbers: readonly number[]) => numbers.map(() => ({ title: 'Of 2025', path: 'v2.0/a.md' })),
    },
  } as unknown as Parameters<typeof trustHits>[1];
  const [sure, unsure] = [true, false].map((wanted) =>
    candidates.filter(({ score }) => score >= minConfidence === wanted),
  ) as [typeof candidates, typeof candidates];
  const trusted = await trustHits(
    { ...state, found: { ...found, lanes }, candidates: sure, unsure },
    services,
  );
  return trusted.candidates.map(({ trust }) => trust);
}

const clear = [
  { document: 1, score: 0.9, fused: 0.95 },
  { document: 2, score: 0.4, fused: 0.4 },
  { document: 3, score: 0.3, fused: 0.3 },
];

test('high takes both a confidence and a lead', async () => {
  expect((await words(clear))[0]).toBe('high');
  expect((await words(clear.map((each) => ({ ...each, score: 0.4 }))))[0]).toBe('fair');
  expect((await words(clear.map((each) => ({ ...each, fused: 0.9 }))))[0]).toBe('low');
});

test('what is not sure is low, however far it leads', async () => {
  expect((await words(clear.map((each) => ({ ...each, score: 0.2 }))))[0]).toBe('low');
});

test('documents below the threshold count for the lead of a hit', async () => {
  const close = [
    { document: 1, score: 0.9, fused: 0.95 },
    { document: 2, score: 0.2, fused: 0.9 },
    { document: 1, score: 0.2, fused: 0.9 },
    { document: 3, score: 0.1, fused: 0.9 },
  ];
  const [level] = await words(close);
  expect(level).not.toBe('high');
  expect(await words(close, 'convex', { minConfidence: 0.24 })).toEqual([level]);
});

test('a hit for a single word is high only where a name or heading has the word', async () => {
  const asked = 'rotation';
  expect((await words(clear, 'convex', { asked }))[0]).toBe('fair');
  expect((await words(clear, 'convex', { asked, titles: [1] }))[0]).toBe('fair');
  expect((await words(clear, 'convex', { asked, titles: [0] }))[0]).toBe('high');
});

test('a hit is high only if it has the numbers of the query, in its text, headings, names or path', async () => {
  for (const asked of [
    'rotation 2031',
    'rotation v1.3',
    'rotation 2',
    'rotation in step 4',
    'step 3 of 2026',
  ])
    expect((await words(clear, 'convex', { asked }))[0]).toBe('fair');
  for (const asked of ['rotation 2025', 'rotation v1.2', 'rotation in step 3', 'rotation of 2.0 in 2025'])
    expect((await words(clear, 'convex', { asked }))[0]).toBe('high');
});

test('a second passage of the same document takes nothing of its lead', async () => {
  const second = { document: 1, score: 0.8, fused: 0.94 };
  expect((await words([clear[0]!, second, ...clear.slice(1)]))[0]).toBe('high');
  // Documents stand where their first passages stand.
  expect((await words([clear[0]!, { ...clear[1]!, fused: 0.95 }, clear[2]!, second]))[0]).not.toBe('high');
});

test('nothing is high under a fusion whose leads were not fitted', async () => {
  expect(await words(clear, 'rrf')).toEqual(['fair', 'fair', 'fair']);
});

test('no word rises down the list, and hits beyond those asked for have none', async () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ document: fc.nat(5), score: share, fused: share })),
      async (given) => {
        const ranks = (await words(given)).map((word) =>
          word === undefined ? 9 : CONFIDENCE_WORDS.indexOf(word),
        );
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
        expect(ranks.filter((rank) => rank === 9)).toHaveLength(Math.max(0, given.length - 5));
      },
    ),
  );
});
