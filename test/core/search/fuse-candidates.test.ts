/** What the lanes make of candidates, and the sum of it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LANES, type Lane } from '../../../src/core/model/ranking-constants.ts';
import { rankingsOf } from '../../support/found.ts';
import { memoryIndex } from '../../support/memory-services.ts';

const WORDS = ['token', 'rotate', 'backup', 'disk', 'getUserById', 'note', 'list'];
const word = fc.constantFrom(...WORDS);
const some = fc.array(word, { minLength: 1, maxLength: 6 }).map((list) => list.join(' '));
const section = fc.record({ title: some, text: some, code: fc.option(some, { nil: '' }) });
const files = fc
  .array(fc.array(section, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 })
  .map((list) =>
    list.map((sections, number) => ({
      path: `${number}.md`,
      text: sections
        .map(({ title, text, code }, part) => {
          const block = code && `\n\`\`\`ts\n${code}\n\`\`\`\n`;
          const link = `[[${(number + part) % list.length}]]`;
          // Long enough for a passage of its own.
          return `# ${title}\n\n${text} ${link} ${'and so on '.repeat(20)}\n${block}`;
        })
        .join('\n'),
    })),
  );
const query = fc.subarray(WORDS, { minLength: 1, maxLength: 4 }).map((list) => list.join(' '));
const options = {
  topN: 100,
  settings: {
    feedbackWeight: 0,
    recencyBias: 0,
    maxChunksPerDoc: 0,
    ngramDedupEnabled: false,
    exactFirstEnabled: false,
  },
};

test('every candidate has its exact score in every lane, and fused is the weighted sum of them', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(files, query, async (list, asked) => {
      const { parts, search } = memoryIndex(list);
      const { catalog, documents, keyword } = parts;
      const {
        lanes,
        found: answer,
        weights,
        candidates,
        request,
      } = await search(asked, {
        ...options,
        settings: { ...options.settings, contentDedupEnabled: false },
      });
      const total = Object.values(weights.fusion).reduce((sum, weight) => sum + weight, 0);
      const rankings = rankingsOf(answer);
      const found = new Set(rankings.flatMap(({ entries }) => entries.map(({ slot }) => slot)));
      expect(new Set(candidates.map(({ slot }) => slot))).toEqual(found);
      const words = keyword.search({ parsed: request.query }, 1);
      const byDocument = {
        document: documents.document(request.query),
        title: documents.title(request.query),
      };
      for (const [order, { slot, place, document, fused }] of candidates.entries()) {
        let sum = 0;
        for (const [lane, weight] of Object.entries(weights.fusion) as [Lane, number][]) {
          // Nothing found by words, and so nothing said by them.
          if (weight === 0) continue;
          const { relative, absolute } = lanes[lane]!;
          const { scores } = answer.lanes[lane]!;
          seen.add(lane);
          for (const column of [relative, absolute]) {
            expect(column[place]).toBeGreaterThanOrEqual(0);
            expect(column[place]).toBeLessThanOrEqual(1);
          }
          const ranked = rankings
            .find((each) => each.lane === lane)
            ?.entries.find((each) => each.slot === slot);
          if (ranked) expect(scores[place]).toBe(ranked.score);
          if (lane === 'keyword') expect(scores[place]).toBe(words.scoreOf(slot));
          if (lane === 'coverage') expect(scores[place]).toBe(words.coverageOf(slot));
          // Passages of one document share what is said of it as a whole.
          if (lane === 'document' || lane === 'title')
            expect(scores[place]).toBe(byDocument[lane].scoreOf(catalog.documentOf(slot)!.number));
          sum += weight * relative[place]!;
        }
        expect(document).toBe(catalog.documentOf(slot)!.number);
        expect(fused).toBeCloseTo(sum / total, 10);
        // A second passage of a document may stand below another document.
        const above = candidates.slice(0, order).findLast((each) => each.document === document);
        expect(fused).toBeLessThanOrEqual(above?.fused ?? 1 + 1e-12);
      }
    }),
    { numRuns: 30 },
  );
  expect([...seen].sort()).toEqual(LANES.toSorted());
});

test('a lane without a match for the best passage leaves it its other lanes', async () => {
  const { search } = memoryIndex([
    { path: 'token.md', text: '# Token\n\nRotate it.\n' },
    { path: 'other.md', text: '# Other\n\nA token is a token is a token.\n' },
  ]);
  const { candidates, lanes } = await search('token', options);
  const at = (lane: Lane, slot: number) =>
    lanes[lane]!.relative[candidates.find((each) => each.slot === slot)!.place];
  // The title of the first says all of the query and nothing else; the second says nothing of it there.
  expect([at('title', 0), at('title', 1)]).toEqual([1, 0]);
  expect(at('keyword', 0)).toBe(1);
  expect(at('coverage', 1)).toBe(1);
});
