import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SEARCH_MODES } from '../../../src/core/model/query.ts';
import type { SearchSettings } from '../../../src/core/model/search-settings.ts';
import { rankingsOf } from '../../support/found.ts';
import { markdownFile } from '../../support/markdown-arbitrary.ts';
import { memoryIndex } from '../../support/memory-services.ts';

const SENTENCES = [
  'Rotate the token before it expires.',
  'The backup runs every night and is copied to a second disk.',
  'Call getUserById with the id of the user.',
  'Release notes are written by the person on call.',
  '令牌轮换 is done the same way, and so is 🔑 rotation by script.',
];
/** Over a hundred chunks, so that rankings are cut. */
const INDEX = memoryIndex([
  ...Array.from({ length: 70 }, (_, number) => ({
    path: `folder${number % 5}/note-${number}.md`,
    modified: number * 86_400_000,
    text: [
      `---\ntags: [t${number % 3}]\nauthor: ${number % 2 ? 'Kim' : '7'}\n---\n# Note ${number}\n`,
      ...SENTENCES.map((_, index) => {
        const sentence = SENTENCES[(number * index + 1) % SENTENCES.length]!;
        return `## Part ${index}\n\n${sentence} ${`Word${(number * 7 + index) % 23} follows. `.repeat(15)}`;
      }),
      `\`\`\`${number % 2 ? 'ts' : 'py'}\ngetUserById(${number});\nparse_json_data();\n\`\`\``,
    ].join('\n'),
  })),
  { path: 'empty.md', text: '' },
]);

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        ...[
          '"',
          '-',
          '*',
          ':',
          '(',
          ')',
          '""',
          '-"',
          'title:',
          'tag:',
          'path:',
          'author:',
          'category:',
          'lang:',
          '-lang:',
        ],
        ...[
          'token',
          'rotate',
          'tok*',
          '**',
          'ts',
          't1',
          '[',
          ']',
          '{',
          '\\',
          '!',
          '/',
          'a/**',
          '?',
          '`',
          '::',
          'C++',
        ],
        ...[
          '\0',
          '\ud800',
          '\u202e',
          '令牌',
          '🔑',
          'getUserById',
          '__proto__',
          'constructor',
          ' ',
          '\n',
          '\t',
          '(?:a+)+$',
        ],
      ),
      { maxLength: 12 },
    )
    .chain((parts) => fc.constantFrom(parts.join(''), parts.join(' '))),
);
const mode = fc.constantFrom(...SEARCH_MODES);
const share = fc.double({ min: 0, max: 1, noNaN: true });
const weight = fc.constantFrom(0, 0.5, 1, 3);
/** Every stage on or off, with any numbers. */
const settings = fc.record<Partial<SearchSettings>>(
  {
    fusion: fc.constantFrom('convex', 'rrf'),
    candidates: fc.integer({ min: 40, max: 200 }),
    semanticWeight: weight,
    keywordWeight: weight,
    codeSearchWeight: weight,
    graphWeight: weight,
    graphDepth: fc.integer({ min: 1, max: 3 }),
    communityDetectionEnabled: fc.boolean(),
    communityBoostFactor: fc.constantFrom(1, 1.1, 2),
    contentDedupEnabled: fc.boolean(),
    ngramDedupEnabled: fc.boolean(),
    ngramDedupThreshold: share,
    dedupEnabled: fc.boolean(),
    dedupSimilarityThreshold: share,
    maxChunksPerDoc: fc.integer({ min: 0, max: 3 }),
    mmrEnabled: fc.boolean(),
    mmrLambda: share,
    mmrByQueryType: fc.boolean(),
    rerankEnabled: fc.boolean(),
    rerankTopN: fc.integer({ min: 1, max: 40 }),
    rerankMode: fc.constantFrom('blend', 'replace'),
    queryExpansionEnabled: fc.boolean(),
    queryExpansionThreshold: share,
    nameFormsEnabled: fc.boolean(),
    spellingEnabled: fc.boolean(),
    synonymsEnabled: fc.boolean(),
    adaptiveWeightsEnabled: fc.boolean(),
    coverageWeightsEnabled: fc.boolean(),
    dynamicWeightsEnabled: fc.boolean(),
    recencyBias: share,
  },
  { requiredKeys: [] },
);
const plain = fc.constantFrom(
  ...['rotate token', 'Word7 Word3', 'backup', 'release notes on call?', 'getUserById'],
  ...['"by script"', 'token -backup'],
);

describe('a search', () => {
  test('answers anything a user can type within the bounds of an answer', async () => {
    await fc.assert(
      fc.asyncProperty(nasty, mode, fc.integer({ min: 1, max: 100 }), async (query, asked, topN) => {
        const { hits } = await INDEX.search(query, { mode: asked, topN });
        expect(hits.length).toBeLessThanOrEqual(topN);
        expect(new Set(hits.map(({ chunkId }) => chunkId)).size).toBe(hits.length);
        let ceiling = 1;
        for (const { score, rank, snippet, text, title } of hits) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(ceiling);
          ceiling = score;
          expect(hits[rank - 1]!.score).toBe(score);
          expect(text.trim() === '' ? title : text).toContain(snippet.text);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('gives for n the first n of a longer answer, up to half of the candidates', async () => {
    const max = 50;
    const query = fc.oneof(
      nasty,
      fc.constantFrom('rotate token', 'Word7 Word3', 'backup', 'release notes on call', 'getUserById'),
    );
    await fc.assert(
      fc.asyncProperty(query, mode, fc.integer({ min: 1, max }), async (asked, by, topN) => {
        const ids = async (n: number) =>
          (await INDEX.search(asked, { mode: by, topN: n })).hits.map(({ chunkId, score }) => [
            chunkId,
            score,
          ]);
        expect(await ids(topN)).toEqual((await ids(max)).slice(0, topN));
      }),
      { numRuns: 80 },
    );
  });

  test('gives for n the first n of a longer answer under any settings, duplicates and sections included', async () => {
    // As deep as half of the candidates, which is what each retriever is asked for at least.
    const depth = fc.integer({ min: 1, max: 20 });
    await fc.assert(
      fc.asyncProperty(
        plain,
        mode,
        settings,
        depth,
        fc.boolean(),
        share,
        async (query, by, set, topN, parents, least) => {
          const options = { mode: by, settings: set, parents, minConfidence: least / 2 };
          const [short, long] = await Promise.all(
            [topN, 20].map((n) => INDEX.search(query, { ...options, topN: n })),
          );
          expect(short!.hits).toEqual(long!.hits.slice(0, topN));
          const beforeTop = ({ trace }: typeof short & object) =>
            trace.slice(
              0,
              trace.findIndex(({ stage }) => stage === 'top'),
            );
          expect(beforeTop(short!)).toEqual(beforeTop(long!));
        },
      ),
      { numRuns: 150 },
    );
  });

  test('keeps its bounds under any settings', async () => {
    const depth = fc.integer({ min: 1, max: 100 });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(plain, nasty),
        mode,
        settings,
        depth,
        fc.boolean(),
        fc.constantFrom(0, 0.05, 0.24, 0.6),
        async (query, by, set, topN, parents, minConfidence) => {
          const request = { mode: by, settings: set, topN, parents, minConfidence, explain: true };
          const { hits, found, trace, candidates, depthFactor = 1 } = await INDEX.search(query, request);
          expect(hits.length).toBeLessThanOrEqual(topN);
          for (const { entries } of rankingsOf(found)) {
            const most = Math.max(
              Number(set.candidates ?? 100),
              2 * topN,
              set.rerankEnabled ? (set.rerankTopN ?? 10) : 0,
            );
            expect(entries.length).toBeLessThanOrEqual(depthFactor * most);
          }
          let ceiling = 1;
          for (const { score, explanation } of hits) {
            expect(score).toBeGreaterThanOrEqual(minConfidence);
            expect(score).toBeLessThanOrEqual(ceiling);
            expect(explanation?.value).toBe(score);
            ceiling = score;
          }
          // No passage is in the answer twice, neither as a hit nor as a duplicate of one.
          const told = [
            ...candidates.map(({ slot }) => slot),
            ...candidates.flatMap(({ merged = [] }) => merged.map((place) => found.slots[place])),
          ];
          expect(new Set(told).size).toBe(told.length);
          // After fusion no stage brings a candidate back.
          const counts = trace
            .slice(trace.findIndex(({ stage }) => stage === 'fuse'))
            .map((entry) => entry.candidates);
          expect(counts).toEqual(counts.toSorted((a, b) => b - a));
        },
      ),
      { numRuns: 150 },
    );
  });

  test('gives equal answers to equal questions, whatever the order in which documents came', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(fc.nat(50), markdownFile), { selector: ([number]) => number, maxLength: 6 }),
        nasty,
        settings,
        async (documents, query, set) => {
          const files = documents.map(([number, text]) => ({ path: `${number}.md`, text }));
          const answer = async (list: typeof files) =>
            (await memoryIndex(list).search(`plain ${query}`, { settings: set })).hits;
          const once = await answer(files);
          expect(await answer(files)).toEqual(once);
          expect((await answer(files.toReversed())).map(({ chunkId }) => chunkId)).toEqual(
            once.map(({ chunkId }) => chunkId),
          );
        },
      ),
      { numRuns: 20 },
    );
  });

  test('lifts the same communities, whatever the order in which documents came', async () => {
    // Of five, one has no partner: pairs by place in the list would be others in the reversed list.
    const files = [0, 1, 2, 3, 4].map((number) => ({ path: `${number}.md`, text: '' }));
    const settings = { communityDetectionEnabled: true };
    const answer = async (list: typeof files) =>
      (await memoryIndex(list).search('plain ', { settings })).hits.map(({ chunkId }) => chunkId);
    const once = await answer(files);
    expect(once).toHaveLength(5);
    expect(await answer(files.toReversed())).toEqual(once);
  });

  test('finds something to hold these against', async () => {
    for (const mode of SEARCH_MODES) {
      expect(
        (await INDEX.search('getUserById token', { mode, topN: 100 })).hits.length,
        mode,
      ).toBeGreaterThan(5);
    }
  });

  test('has no hits for an empty question or an empty index', async () => {
    for (const query of ['', ' ', '""', '-', '*', '-token']) {
      expect((await INDEX.search(query)).hits, query).toEqual([]);
      expect((await memoryIndex([]).search(`${query} word`)).hits).toEqual([]);
    }
  });
});
