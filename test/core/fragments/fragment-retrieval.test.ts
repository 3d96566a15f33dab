import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFragmentIndex } from '../../../src/core/fragment-index.ts';
import { createFragmentRetrieval } from '../../../src/core/fragments/fragment-retrieval.ts';
import type { Found } from '../../../src/core/model/candidates.ts';
import type { Filters } from '../../../src/core/model/query.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { runPipeline, STAGES } from '../../../src/core/search/stages.ts';
import { initialState } from '../../../src/core/search/state.ts';
import { chooseAnalyzers } from '../../../src/core/text/analyzer.ts';
import {
  exported,
  files,
  LANES,
  requestOf,
  TINY,
  WHOLE,
  withVectors,
  words,
} from '../../support/exported-index.ts';
import { type MemoryIndex, memoryIndex } from '../../support/memory-services.ts';

const asked = fc
  .tuple(words(4), fc.subarray(['-gamma', 'title:alpha', 'beta-delta'], { maxLength: 1 }))
  .map(([plain, more]) => [plain, ...more].join(' '));
const filters = fc.record<Filters>({ tag: fc.constant(['b']) }, { requiredKeys: [] });

/** Two titles with the same score are the tenth and the eleventh best. */
const TIED = [
  ...[
    'deltas: alpha',
    'alpha-alpha: delta alpha alpha',
    'gamma: alpha',
    'alpha: beta',
    'delta: alpha',
    'beta: alpha',
  ],
  ...[
    'alpha: deltas',
    'alpha-deltas: parseXmlFile',
    'alpha: beta alpha',
    'alpha: deltas',
    'alpha: deltas alpha',
  ],
].map((name, at) => {
  const [file, title] = name.split(': ');
  return { path: `${at}/${file}.md`, text: `# ${title}\n` };
});

/**
 * Whether a passage has the last score of a lane. Of equal scores, an export may list another.
 * @param former by slot: its slot in the whole index. @default the slot itself
 */
function isLast({ slots, lanes }: Found, slot: number, former?: readonly number[]): boolean {
  const place = slots.findIndex((other) => (former?.[other] ?? other) === slot);
  return LANES.some((lane) => {
    const { ranked = [], scores = [] } = lanes[lane] ?? {};
    return Math.abs(scores[place]! - scores[ranked.at(-1)!]!) < 1e-9;
  });
}

async function both(index: MemoryIndex, cut: ReturnType<typeof exported>, text: string, more: Filters) {
  const { retrieval, query } = await cut.retrieval.prepare(parseQuery(text));
  const request = { ...requestOf(text, more), query };
  return {
    found: await retrieval.retrieve(request),
    wanted: await index.services.retrieval.retrieve(request),
    retrieval,
    request,
  };
}

describe('retrieval over fragments', () => {
  test('scores as the whole index does, where all postings are loaded', async () => {
    await fc.assert(
      fc.asyncProperty(files, asked, filters, async (given, text, more) => {
        const index = memoryIndex(given);
        const cut = exported(index, WHOLE, 10);
        const { found, wanted } = await both(index, cut, text, more);
        const places = new Map(wanted.slots.map((slot, place) => [slot, place]));
        expect(found.total).toBe(wanted.total);
        expect(found.passing).toBe(wanted.passing);
        const ofFound = new Set(found.slots.map((slot) => cut.former[slot]!));
        expect([...ofFound].filter((slot) => !places.has(slot) && !isLast(found, slot, cut.former))).toEqual(
          [],
        );
        expect(wanted.slots.filter((slot) => !ofFound.has(slot) && !isLast(wanted, slot))).toEqual([]);
        for (const lane of LANES) {
          const [ours, theirs] = [found.lanes[lane], wanted.lanes[lane]];
          expect(ours?.best).toBeCloseTo(theirs?.best ?? Number.NaN, 9);
          for (const [place, slot] of found.slots.entries()) {
            const other = places.get(cut.former[slot]!);
            if (other === undefined) continue;
            expect(ours?.scores[place]).toBeCloseTo(theirs!.scores[other]!, 9);
            // The sum of the idf of a name is stored in steps.
            const share = theirs!.shares?.[other] ?? 1;
            expect(Math.abs((ours!.shares?.[place] ?? 1) - share)).toBeLessThan(0.1);
            if (share === 1) expect(ours!.shares?.[place] ?? 1).toBe(1);
          }
        }
      }),
      { numRuns: 60, examples: [[TIED, 'gamma beta-delta', {}]] },
    );
  });

  test('finds the same ten first passages by words, where loading stops early', async () => {
    let spared = 0;
    await fc.assert(
      fc.asyncProperty(files, asked, filters, async (given, text, more) => {
        const index = memoryIndex(given);
        const cut = exported(index, TINY, 10);
        const { found, wanted } = await both(index, cut, text, more);
        const [ours, theirs] = [found.lanes.keyword!, wanted.lanes.keyword!];
        const scores = (lane: typeof ours) => lane.ranked.slice(0, 10).map((place) => lane.scores[place]!);
        expect(scores(ours).length).toBe(scores(theirs).length);
        for (const [rank, score] of scores(theirs).entries())
          expect(scores(ours)[rank]).toBeCloseTo(score, 9);
        // Equal scores may be in another order.
        const places = new Map(wanted.slots.map((slot, place) => [slot, place]));
        for (const place of ours.ranked.slice(0, 10)) {
          const other = places.get(cut.former[found.slots[place]!]!)!;
          expect(theirs.scores[other]).toBeCloseTo(ours.scores[place]!, 9);
        }
        expect(ours.best).toBeCloseTo(theirs.best, 9);
        spared += cut.held.size - new Set(cut.loaded).size;
      }),
      { numRuns: 100 },
    );
    expect(spared).toBeGreaterThan(0);
  });

  test('loads the best postings alone of a query of stop words', async () => {
    const given = Array.from({ length: 60 }, (_, at) => ({
      path: `${at}.md`,
      text: `# Note ${at}\n\n${'the lamp of the house and '.repeat(1 + (at % 7))} of the ${at}.`,
      modified: at,
    }));
    const loadedFor = async (query: string) => {
      const cut = exported(memoryIndex(given), TINY, 10);
      const before = cut.loaded.length;
      const { retrieval, query: parsed } = await cut.retrieval.prepare(parseQuery(query));
      const { slots } = await retrieval.retrieve({ ...requestOf(query), query: parsed });
      return { found: slots.length, files: new Set(cut.loaded.slice(before)).size };
    };
    const { found, files: loaded } = await loadedFor('the of and');
    expect(found).toBeGreaterThan(3);
    expect(loaded).toBeLessThan(10);
  });

  test('with vectors: cosines to two hundredths, and all words of the nearest passages', async () => {
    await fc.assert(
      fc.asyncProperty(files, asked, filters, async (given, text, more) => {
        const index = memoryIndex(given);
        const { former, ...source } = await withVectors(index, TINY);
        const { retrieval, query } = await createFragmentRetrieval(source, 1).prepare(parseQuery(text));
        const vector = index.services.embedQuery!(text);
        const lanes = ['semantic', 'subject', ...LANES] as const;
        const request = { ...requestOf(text, more), query, lanes, vector };
        const [found, wanted] = [
          await retrieval.retrieve(request),
          await index.services.retrieval.retrieve(request),
        ];
        const places = new Map(wanted.slots.map((slot, place) => [slot, place]));
        for (const place of found.lanes.semantic?.ranked.slice(0, 20) ?? []) {
          const other = places.get(former[found.slots[place]!]!)!;
          for (const lane of ['semantic', 'subject'] as const) {
            const [ours, theirs] = [found.lanes[lane]!.scores[place]!, wanted.lanes[lane]!.scores[other]!];
            expect(Math.abs(ours - theirs)).toBeLessThan(0.02);
          }
          expect(found.lanes.keyword!.scores[place]).toBeCloseTo(wanted.lanes.keyword!.scores[other]!, 9);
        }
        expect(found.lanes.semantic?.ranked.length).toBe(wanted.lanes.semantic?.ranked.length);
      }),
      { numRuns: 60 },
    );
  });

  test('with vectors: a search ranks as the whole index does, links included', async () => {
    const index = memoryIndex([
      { path: 'bread.md', text: '# Bread\n\nKnead the dough, see [[oven]].' },
      { path: 'oven.md', text: '# Oven\n\nHeat it before the loaf goes in.' },
      { path: 'apples.md', text: '# Apples\n\nPeel them, then cut them.' },
      { path: 'tea.md', text: '# Tea\n\nHeat water before the leaves go in.' },
    ]);
    const { services } = index;
    const analyzers = chooseAnalyzers();
    const clock = { now: () => 0, monotonic: () => 0 };
    const model = { model: 'words', embedQuery: services.embedQuery! };
    const source = await withVectors(index, TINY);
    const fragments = createFragmentIndex({ ...source, analyzers, clock, model });
    for (const text of ['heat before the loaf', 'knead dough', 'cut apples', 'water']) {
      const { state } = await fragments.search(text, { explain: true, minConfidence: 0 });
      const whole = await runPipeline(STAGES, initialState({ ...state.request }), services, clock);
      expect(state.hits.map(({ path }) => path)).toEqual(whole.hits.map(({ path }) => path));
      for (const [rank, { score }] of whole.hits.entries())
        expect(state.hits[rank]!.score).toBeCloseTo(score, 1);
    }
    const { state } = await fragments.search('knead dough', { explain: true, minConfidence: 0 });
    // The stages that an export leaves out would do nothing.
    const off = { contentDedupEnabled: false, ngramDedupEnabled: false, dedupEnabled: false };
    expect(state.request.settings).toMatchObject({ ...off, mmrEnabled: false });
    expect(JSON.stringify(state.hits)).toContain('link with notes/bread.md');
  });

  test('gives back texts, lines and facts of passages', async () => {
    const index = memoryIndex([
      {
        path: 'b.md',
        text: '# Bread\n\nKnead the dough.\n\n## Oven\n\nBake it. ' + 'Slowly. '.repeat(60),
        modified: 5,
      },
      { path: 'a.md', text: '---\nauthor: Ann\ntags: [x]\n---\n# Apples\n\nPeel them.' },
    ]);
    const cut = exported(index, TINY, 10);
    const { found, retrieval } = await both(index, cut, 'bake', {});
    const [chunk] = await retrieval.chunks(found.slots.slice(0, 1));
    const [same] = index.parts.readChunks([cut.former[found.slots[0]!]!]);
    expect(chunk).toMatchObject({
      text: same!.text,
      startLine: same!.startLine,
      headingPath: same!.headingPath,
    });
    const [bread] = await retrieval.documents(found.documents.slice(0, 1));
    expect(bread).toMatchObject({ id: 'notes/b.md', path: 'b.md', title: 'Bread', modified: 5 });
    const apples = await both(index, cut, 'peel', {});
    const [other] = await apples.retrieval.documents(apples.found.documents);
    expect(other).toMatchObject({ title: 'Apples', author: 'Ann', tags: ['x'] });
  });

  test('takes a last word that occurs nowhere for the beginning of others', async () => {
    const index = memoryIndex([
      { path: 'a.md', text: '# A\n\nCalibration of thermometers.' },
      { path: 'b.md', text: '# B\n\nNothing of that.' },
    ]);
    const cut = exported(index, TINY, 10);
    for (const typed of ['thermom', 'calibrat', 'calibrati', 'nothing thermometer']) {
      const { query, retrieval } = await cut.retrieval.prepare(parseQuery(typed));
      const found = await retrieval.retrieve({ ...requestOf(typed), query });
      expect(found.slots.map((slot) => cut.former[slot])).toContain(0);
    }
    const { query } = await cut.retrieval.prepare(parseQuery('zzz'));
    expect(query.terms[0]!.forms).toBeUndefined();
  });

  test('an index without one of its passages is refused', () => {
    const index = memoryIndex(['a', 'b'].map((name) => ({ path: `${name}.md`, text: name })));
    const readChunks: typeof index.parts.readChunks = (slots) => index.parts.readChunks(slots).slice(1);
    const damaged = { ...index, parts: { ...index.parts, readChunks } };
    expect(() => exported(damaged, WHOLE, 10)).toThrow('Passages are missing');
  });

  test('a collection without documents has no hits, and a failed load is tried again', async () => {
    const empty = exported(memoryIndex([]), TINY, 10);
    const { retrieval, query } = await empty.retrieval.prepare(parseQuery('alpha'));
    expect((await retrieval.retrieve({ ...requestOf('alpha'), query })).slots).toEqual([]);
    const cut = exported(memoryIndex([{ path: 'a.md', text: 'alpha' }]), TINY, 10);
    const held = new Map(cut.held);
    cut.held.clear();
    await expect(cut.retrieval.prepare(parseQuery('alpha'))).rejects.toThrow();
    for (const [name, bytes] of held) cut.held.set(name, bytes);
    const again = await cut.retrieval.prepare(parseQuery('alpha'));
    expect(
      (await again.retrieval.retrieve({ ...requestOf('alpha'), query: again.query })).slots,
    ).toHaveLength(1);
  });
});
