import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SearchSettings } from '../../../src/core/model/search-settings.ts';
import { retrieveByHypothesis } from '../../../src/core/search/retrieve.ts';
import { initialState, type SearchRequest } from '../../../src/core/search/state.ts';
import { checkExplanation } from '../../support/check-explanation.ts';
import { rankingsOf } from '../../support/found.ts';
import { memoryIndex } from '../../support/memory-services.ts';

const TEXTS = ['moon pulls water', 'dough grows warm', 'printer needs toner', 'moon dough printer'];
const INDEX = memoryIndex(
  Array.from({ length: 24 }, (_, number) => ({
    path: `${number % 3}/${number}.md`,
    modified: Date.UTC(2026, 10, 21 - number),
    text: `# Note ${number}\n\n${TEXTS[number % 4]} ${'tide oven paper'.split(' ')[number % 3]} ${number}. See [[${(number + 1) % 24}]].\n`,
  })),
);

const words = fc.array(fc.constantFrom('moon', 'dough', 'toner', 'water', 'warm', 'tide'), {
  minLength: 1,
  maxLength: 6,
});
const text = words.map((all) => all.join(' '));
/** Stages that a hypothesis must not pass, and some that it does. */
const settings = fc.record<Partial<SearchSettings>>(
  {
    fusion: fc.constantFrom('convex', 'rrf'),
    recencyBias: fc.constantFrom(0, 1),
    graphWeight: fc.constantFrom(0, 1),
    communityDetectionEnabled: fc.boolean(),
    queryExpansionEnabled: fc.boolean(),
    feedbackWeight: fc.constantFrom(0, 1),
    dynamicWeightsEnabled: fc.boolean(),
    mmrEnabled: fc.boolean(),
    rerankEnabled: fc.boolean(),
    dedupEnabled: fc.boolean(),
    maxChunksPerDoc: fc.nat(2),
  },
  { requiredKeys: [] },
);
const ALL = { topN: 100, settings: { contentDedupEnabled: false, ngramDedupEnabled: false } };

test('ranks every passage by its cosine to the text, embedded as passages are', async () => {
  const { hits, found, weights } = await INDEX.search('', { ...ALL, hypothesis: TEXTS[0]! });
  const { services, parts } = INDEX;
  const rankings = rankingsOf(found);
  const asked = await services.embedPassage!(TEXTS[0]!);
  const cosines = [...parts.catalog.all()].flatMap(({ number }) =>
    parts.catalog.slotsOf(number).map((slot) => {
      const vector = parts.vectorOf(slot)!;
      return {
        id: parts.catalog.idOf(slot),
        cosine: vector.reduce((sum, x, i) => sum + x * asked[i]!, 0),
      };
    }),
  );
  expect(rankings.map(({ lane }) => lane)).toEqual(['semantic']);
  expect(weights).toEqual({ fusion: { semantic: 1 }, absolute: { semantic: 1 } });
  cosines.sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1));
  expect(rankings[0]!.entries.map(({ score }) => score)).toEqual(
    cosines.map(({ cosine }) => expect.closeTo(cosine, 5)),
  );
  expect(hits).toHaveLength(cosines.length);
});

test('is no question: what only weighs questions or follows links changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(text, settings, async (hypothesis, set) => {
      const { fusion, mmrEnabled, rerankEnabled, dedupEnabled, maxChunksPerDoc, ...idle } = set;
      const ask = (chosen: Partial<SearchSettings>) =>
        INDEX.search('', { topN: 100, hypothesis, settings: chosen });
      expect((await ask(idle)).hits).toEqual((await ask({})).hits);
    }),
    { numRuns: 30 },
  );
});

test('keeps the bounds of an answer, and its explanation adds up, under any settings', async () => {
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.constantFrom('', 'moon', '-dough', 'path:1'),
      settings,
      fc.nat(10),
      fc.boolean(),
      async (hypothesis, query, set, tenths, parents) => {
        const least = tenths / 20;
        const { hits, candidates, weights } = await INDEX.search(query, {
          ...{ hypothesis, parents, settings: set, minConfidence: least, topN: 7, explain: true },
        });
        expect(hits.length).toBeLessThanOrEqual(7);
        expect(new Set(hits.map(({ chunkId }) => chunkId)).size).toBe(hits.length);
        for (const [place, { score, path, text: shown, explanation }] of hits.entries()) {
          expect(score).toBeGreaterThanOrEqual(least);
          expect(score).toBeLessThanOrEqual(hits[place - 1]?.score ?? 1);
          if (query === 'path:1') expect(path).toMatch(/^1\//);
          if (query === '-dough') expect(shown).not.toContain('dough');
          expect(explanation?.value).toBe(score);
          expect(checkExplanation(explanation!, weights.fusion)).toEqual([]);
        }
        expect(candidates).toHaveLength(hits.length);
      },
    ),
    { numRuns: 60 },
  );
});

test.each(['', ' \n'])('that is blank (%j) asks nothing', async (hypothesis) => {
  const state = initialState({ hypothesis, settings: {}, topN: 5 } as SearchRequest);
  expect(await retrieveByHypothesis(state, INDEX.services)).toBe(state);
});
