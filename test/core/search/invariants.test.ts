import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SEARCH_MODES } from '../../../src/core/model/query.ts';
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

describe('a search', () => {
  test('answers anything a user can type within the bounds of an answer', async () => {
    await fc.assert(
      fc.asyncProperty(nasty, mode, fc.integer({ min: 1, max: 100 }), async (query, asked, topN) => {
        const { hits } = await INDEX.search(query, { mode: asked, topN });
        expect(hits.length).toBeLessThanOrEqual(topN);
        expect(new Set(hits.map(({ chunkId }) => chunkId)).size).toBe(hits.length);
        let ceiling = 1;
        for (const { score, rank, snippet, text } of hits) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(ceiling);
          ceiling = score;
          expect(hits[rank - 1]!.score).toBe(score);
          expect(text).toContain(snippet.text);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('gives for n the first n of a longer answer', async () => {
    const query = fc.oneof(
      nasty,
      fc.constantFrom('rotate token', 'Word7 Word3', 'backup', 'release notes on call', 'getUserById'),
    );
    await fc.assert(
      fc.asyncProperty(query, mode, fc.integer({ min: 1, max: 100 }), async (asked, by, topN) => {
        const ids = async (n: number) =>
          (await INDEX.search(asked, { mode: by, topN: n })).hits.map(({ chunkId, score }) => [
            chunkId,
            score,
          ]);
        expect(await ids(topN)).toEqual((await ids(100)).slice(0, topN));
      }),
      { numRuns: 80 },
    );
  });

  test('gives equal answers to equal questions, whatever the order in which documents came', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(fc.nat(50), markdownFile), { selector: ([number]) => number, maxLength: 6 }),
        nasty,
        async (documents, query) => {
          const files = documents.map(([number, text]) => ({ path: `${number}.md`, text }));
          const answer = async (list: typeof files) =>
            (await memoryIndex(list).search(`plain ${query}`, { minConfidence: 0 })).hits;
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
