import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Filters } from '../../../src/core/model/query.ts';
import { documentFilter, languageFilter } from '../../../src/core/query/filter.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { rankingsOf } from '../../support/found.ts';
import { type MemoryFile, type MemorySearch, memoryIndex } from '../../support/memory-services.ts';

const DAY = 86_400_000;
const WORDS = ['token', 'rotate', 'backup', 'disk', 'release', 'note'];

const file = fc
  .record({
    collection: fc.constantFrom('notes', 'work'),
    folder: fc.constantFrom('a', 'b', 'a/deep'),
    tag: fc.constantFrom('x', 'x/y', 'z', '7'),
    author: fc.constantFrom('Kim', '2024-01-01', '[Kim, Lee]', '{a: 1}', '7'),
    category: fc.constantFrom('howto', 'true', 'log'),
    status: fc.constantFrom('done', 'draft', '3', '[done, old]', '2024-05-01'),
    date: fc.constantFrom('1955-01-01', '2024-01-31', '2999-12-31', 'soon', '[1]'),
    language: fc.constantFrom('', 'ts', 'py'),
    words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 }),
    modified: fc.integer({ min: -9000, max: 30_000 }).map((days) => days * DAY),
  })
  .map(({ collection, folder, tag, author, category, status, date, language, words, modified }) => ({
    collection,
    folder,
    modified,
    text: `---\ntags: [${tag}]\nauthor: ${author}\ncategory: ${category}\nstatus: ${status}\ndate: ${date}\ntitle: [odd]\n---\n${words.join(' ')}\n${language && `\n\`\`\`${language}\n${words[0]}();\n\`\`\`\n`}`,
  }));
const files: fc.Arbitrary<readonly MemoryFile[]> = fc
  .array(file, { minLength: 1, maxLength: 12 })
  .map((list) => list.map(({ folder, ...rest }, number) => ({ ...rest, path: `${folder}/${number}.md` })));

const some = <T>(...values: T[]) => fc.option(fc.subarray(values, { minLength: 1 }), { nil: undefined });
const time = fc.option(fc.constantFrom(Date.UTC(1950, 0), Date.UTC(2024, 0, 31), Date.UTC(2500, 0)), {
  nil: undefined,
});
const filters: fc.Arbitrary<Filters> = fc
  .record({
    collection: some('notes', 'work'),
    path: some('a', 'b/', '*.md', 'a/**', '1.md'),
    exclude: some('a/deep', '3.md'),
    tag: some('x', 'z', '7'),
    notTag: some('x/y'),
    category: some('howto', 'true'),
    author: some('kim', '7', 'Kim, Lee'),
    after: time,
    before: time,
    lang: some('ts', 'py'),
    notLang: some('py'),
    where: some({ key: 'status', value: 'done' }, { key: 'status', value: '3' }),
  })
  // Mostly few at once, or nothing ever passes.
  .chain((all) => fc.subarray(Object.keys(all), { maxLength: 3 }).map((keys) => pick(all, keys)));
const query = fc
  .subarray(WORDS, { minLength: 1 })
  .chain((words) =>
    fc
      .constantFrom('', ' tag:x', ' -tag:z', ' path:a', ' -lang:py', ' lang:ts')
      .map((end) => words.join(' ') + end),
  );

const ALL = {
  topN: 100,
  settings: { maxChunksPerDoc: 0, contentDedupEnabled: false, ngramDedupEnabled: false },
};
const FEW = { topN: 2, settings: { ...ALL.settings, candidates: 2 } };

describe('filters', () => {
  test('leave only hits that match, and starve no answer while anything matches', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(files, filters, query, async (list, given, asked) => {
        const index = memoryIndex(list);
        const { hits } = await index.search(asked, { ...ALL, filters: given });
        const matching = new Set(
          slotsThatMatch(index, given, asked).map((slot) => index.parts.catalog.idOf(slot)),
        );
        expect(new Set(hits.map(({ chunkId }) => chunkId))).toEqual(matching);
        // As many of them where retrievers give no more than two each, also one alone.
        for (const mode of ['hybrid', 'keyword'] as const) {
          const all = await index.search(asked, { ...ALL, mode, filters: given });
          const few = await index.search(asked, { ...FEW, mode, filters: given });
          expect(few.hits).toHaveLength(Math.min(FEW.topN, all.hits.length));
        }
        found += hits.length;
      }),
      { numRuns: 80 },
    );
    expect(found).toBeGreaterThan(50);
  });

  test('rank as an index of the matching passages alone would, by meaning exactly, by words and code the same passages', async () => {
    const found: Record<string, number> = {};
    await fc.assert(
      fc.asyncProperty(files, filters, query, async (list, given, asked) => {
        const { plain } = parseQuery(asked);
        const whole = memoryIndex(list);
        // Of a document whose passages are not all let through, an index of documents cannot hold the rest alone.
        const chunks = new Set(slotsThatMatch(whole, given, plain));
        const documents = (number: number) =>
          whole.parts.catalog.slotsOf(number).every((slot) => chunks.has(slot));
        const cut = [...chunks].some((slot) => !documents(whole.parts.catalog.documentOf(slot)!.number));
        fc.pre(!cut);
        const part = memoryIndex(list.filter((_file, number) => documents(number)));
        for (const mode of ['semantic', 'keyword', 'code'] as const) {
          const [filtered, alone] = await Promise.all([
            rankingOf(whole, plain, { mode, filters: given }),
            rankingOf(part, plain, { mode }),
          ]);
          found[mode] = (found[mode] ?? 0) + alone.length;
          if (mode === 'semantic') expect(filtered).toEqual(alone);
          else expect(new Set(filtered.map(([id]) => id))).toEqual(new Set(alone.map(([id]) => id)));
        }
      }),
      { numRuns: 50 },
    );
    for (const mode of ['semantic', 'keyword', 'code']) expect(found[mode], mode).toBeGreaterThan(20);
  });

  test('let links carry the votes of what matches to what matches, and no further', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(files, filters, query, async (list, given, asked) => {
        const linked = list.map((file, number) => ({
          ...file,
          text: `${file.text}\n[[${(number + 1) % list.length}]] [[${(number * 5) % list.length}]]\n`,
        }));
        const index = memoryIndex(linked);
        const { plain } = parseQuery(asked);
        const { parts } = index;
        const matching = new Set(slotsThatMatch(index, given, plain));
        const rankings = rankingsOf((await index.search(plain, { ...ALL, filters: given })).found);
        const graph = rankings.find(({ lane }) => lane === 'graph');
        const seeds = rankings
          .filter(({ lane }) => lane === 'semantic' || lane === 'keyword')
          .map(({ entries }) => [
            ...new Set(entries.map(({ slot }) => parts.catalog.documentOf(slot)!.number)),
          ]);
        const votes = (document: number) =>
          seeds.reduce((sum, list) => {
            const rank = list.indexOf(document) + 1;
            return sum + (rank > 0 ? 1 / (10 + rank) : 0);
          }, 0);
        const neighbours = (document: number) => parts.links!().neighbours(document);
        const due = (document: number) =>
          [...neighbours(document)].reduce(
            (sum, [other, weight]) =>
              sum + (votes(other) * weight) / Math.sqrt(neighbours(other).size * neighbours(document).size),
            0,
          );
        const reached = [...parts.catalog.all()]
          .filter(({ number }) => due(number) > 0)
          .filter(({ number }) => parts.catalog.slotsOf(number).some((slot) => matching.has(slot)));
        const entries = graph?.entries ?? [];
        for (const { slot, score } of entries) {
          expect(matching.has(slot)).toBe(true);
          expect(score).toBeCloseTo(due(parts.catalog.documentOf(slot)!.number), 10);
        }
        expect(entries.map(({ slot }) => parts.catalog.documentOf(slot)!.number).sort()).toEqual(
          reached.map(({ number }) => number).sort(),
        );
        found += entries.length;
      }),
      { numRuns: 30 },
    );
    expect(found).toBeGreaterThan(20);
  });

  test('-lang: leaves out passages with code in that language', async () => {
    const index = memoryIndex([
      { path: 'a.md', text: 'token\n\n```py\ntoken()\n```\n' },
      { path: 'b.md', text: 'token\n\n```ts\ntoken()\n```\n' },
      { path: 'c.md', text: 'token\n' },
    ]);
    const paths = async (asked: string) => (await index.search(asked)).hits.map(({ path }) => path).sort();
    expect(await paths('token -lang:PY')).toEqual(['b.md', 'c.md']);
    expect(await paths('token lang:ts -lang:py')).toEqual(['b.md']);
  });
});

test.each([
  ['in the query', 'rotate lang:ts', {}],
  ['beside it', 'rotate', { lang: ['ts'] }],
])('a code language %s asks for the ranking by code', async (_, asked, filters) => {
  const index = memoryIndex([{ path: 'a.md', text: 'rotate\n\n```ts\nrotate(key);\n```\n' }]);
  expect((await index.search('rotate')).weights.fusion.code).toBeUndefined();
  expect((await index.search(asked, { filters })).weights.fusion.code).toBeGreaterThan(0);
});

describe('a hit found by its code', () => {
  test('shows the block that matched and its language', async () => {
    const filler = 'value = other(value)\n'.repeat(12);
    const text = `# Users\n\n\`\`\`py\n${filler}\`\`\`\n\nThen:\n\n\`\`\`ts\n${filler}getUserById(7)\n\`\`\`\n`;
    const { hits } = await memoryIndex([{ path: 'a.md', text }]).search('getUserById', { mode: 'code' });
    expect(hits[0]).toMatchObject({ codeLanguage: 'ts', snippet: { code: true } });
    expect(hits[0]!.snippet.text).toContain('getUserById(7)');
    expect(hits[0]!.snippet.text).not.toMatch(/```|Then/);
  });
});

/** Chunk and score of the one retriever of a mode, best first. */
async function rankingOf(
  index: ReturnType<typeof memoryIndex>,
  asked: string,
  options: MemorySearch,
): Promise<readonly (readonly [id: string, score: number])[]> {
  const { found } = await index.search(asked, { ...ALL, ...options });
  return rankingsOf(found).flatMap(({ entries }) =>
    entries.map(({ slot, score }) => [index.parts.catalog.idOf(slot), score] as const),
  );
}

function slotsThatMatch(
  { parts: { catalog, readChunks } }: ReturnType<typeof memoryIndex>,
  given: Filters,
  asked: string,
): number[] {
  const languagesOf = (slot: number) => readChunks([slot])[0]!.codeBlocks.map(({ language }) => language);
  const both = [given, parseQuery(asked).filters];
  return [...catalog.all()]
    .filter((document) => both.every((each) => documentFilter(each)?.(document) ?? true))
    .flatMap(({ number }) => catalog.slotsOf(number))
    .filter((slot) => both.every((each) => languageFilter(each)?.(languagesOf(slot)) ?? true));
}

function pick(all: object, keys: readonly string[]): Filters {
  return Object.fromEntries(
    Object.entries(all).filter(([key, value]) => keys.includes(key) && value !== undefined),
  );
}

test.each([
  ['author:"Jane Doe"', { author: ['Jane Doe'] }],
  ['path:docs/v1.2', { path: ['docs/v1.2'] }],
  ['path:docs/guide', { path: ['docs/guide'] }],
  ['tag:my_project', { tag: ['my_project'] }],
  ['lang:c#', { lang: ['c#'] }],
])('the filter %s tells nothing about the kind of query, as beside it', async (filter, filters) => {
  const index = memoryIndex([{ path: 'docs/guide/a.md', text: 'How tokens rotate.\n' }]);
  const [within, beside] = [
    await index.search(`how do tokens rotate ${filter}`),
    await index.search('how do tokens rotate', { filters }),
  ];
  expect(within.queryType).toBe('exploratory');
  expect(within.queryTypeReason).toBe(beside.queryTypeReason);
  expect(within.weights.fusion).toEqual(beside.weights.fusion);
});

test('nor does what is excluded', async () => {
  const index = memoryIndex([{ path: 'a.md', text: 'How tokens rotate.\n' }]);
  const { queryType } = await index.search('how do tokens rotate -"draft only" -my_project');
  expect(queryType).toBe('exploratory');
});
