/** What every retrieval must do, wherever its index lives; each implementation's test runs this suite. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Candidates, Found } from '../../src/core/model/candidates.ts';
import type { Filters } from '../../src/core/model/query.ts';
import { LANES, type Lane } from '../../src/core/model/ranking-constants.ts';
import { parseQuery } from '../../src/core/query/parse.ts';
import type { Retrieval, RetrievalRequest } from '../../src/core/retrieval/retrieval.ts';
import { type MemoryFile, memoryIndex } from '../support/memory-services.ts';
import { createReferenceRetrieval } from '../support/reference-retrieval.ts';

export type MakeRetrieval = (files: readonly MemoryFile[]) => Retrieval;

/** The same collection, by brute force. */
export const makeReference: MakeRetrieval = (files) => {
  const { parts, parsed } = memoryIndex(files);
  return createReferenceRetrieval(
    [...parts.catalog.all()].map((facts) => ({
      facts,
      fields: parsed[facts.number]!,
      links: parts.links!().neighbours(facts.number),
      passages: parts.readChunks(parts.catalog.slotsOf(facts.number)).map((chunk) => ({
        ...{ slot: chunk.slot, chunk, vector: parts.vectorOf(chunk.slot)! },
        content: parts.catalog.contentOf(chunk.slot),
      })),
    })),
  );
};

const WORDS = ['alpha', 'alphabet', 'beta', 'gamma', 'delta', 'deltas', 'getUserById'];
const word = fc.constantFrom(...WORDS);
const words = (least = 1) => fc.array(word, { minLength: least, maxLength: 6 }).map((list) => list.join(' '));
const section = fc.record({ title: words(), text: words(), code: fc.option(words(), { nil: undefined }) });
const file = fc.record({
  tags: fc.subarray(['a', 'b/c']),
  title: words(),
  sections: fc.array(section, { maxLength: 3 }),
});
const files = fc.array(file, { maxLength: 6 }).map((list) =>
  list.map(({ tags, title, sections }, number): MemoryFile => {
    const parts = sections.map(({ title, text, code }) => {
      const block = code === undefined ? '' : `\n\`\`\`ts\n${code}\n\`\`\`\n`;
      // Long enough for a passage of its own.
      return `## ${title}\n\n${text} ${'and so on '.repeat(20)}\n${block}`;
    });
    const head = `---\ntags: [${tags.join(', ')}]\n---\n# ${title}\n\n[[${(number + 1) % list.length}]]\n\n`;
    return { path: `${number}.md`, text: head + parts.join('\n'), modified: number };
  }),
);
const asked = fc
  .tuple(
    words(),
    fc.subarray(['"alpha beta"', '-gamma', '-"beta delta"', 'title:alpha', 'alph*', 'tag:a'], {
      maxLength: 2,
    }),
  )
  .map(([plain, more]) => [plain, ...more].join(' '));
const filters = fc.record<Filters>(
  { tag: fc.constant(['b']), lang: fc.constant(['ts']), after: fc.nat(5) },
  { requiredKeys: [] },
);
const request = fc.record({
  asked,
  filters,
  depth: fc.integer({ min: 1, max: 8 }),
  lanes: fc.subarray([...LANES], { minLength: 1 }),
});

/** @param direction of the vector of the query */
function requestOf({
  asked,
  ...more
}: { readonly asked: string } & Pick<RetrievalRequest, 'filters' | 'depth' | 'lanes'>) {
  const vector = Float32Array.from({ length: 16 }, (_, i) => Math.sin(i + asked.length));
  const length = Math.hypot(...vector);
  // These are read off the rankings of other lanes.
  const readers: Partial<Record<Lane, readonly Lane[]>> = {
    keyword: ['coverage', 'heading', 'nearness'],
    semantic: ['subject'],
  };
  const lanes = LANES.filter((lane) =>
    [lane, ...(readers[lane] ?? [])].some((each) => more.lanes.includes(each)),
  );
  return { ...more, lanes, query: parseQuery(asked), vector: vector.map((value) => value / length) };
}

export interface ContractCost {
  /** Share of the usual number of random collections. @default 1 */
  readonly share?: number;
  /** Milliseconds for each test. */
  readonly timeout?: number;
}

/** @param cost for an implementation that is slow to fill */
export function retrievalContract(
  name: string,
  make: MakeRetrieval,
  { share = 1, timeout }: ContractCost = {},
): void {
  const runs = (usual: number) => ({ numRuns: Math.ceil(usual * share) });
  describe(`${name} keeps the contract of retrieval:`, timeout === undefined ? {} : { timeout }, () => {
    test('columns are equally long, and every lane ranks places of passages, best first, at most as many as asked for', () =>
      fc.assert(
        fc.asyncProperty(files, request, async (list, drawn) => {
          const found = await make(list).retrieve(requestOf(drawn));
          const { slots, ids, documents, modified, contents, parents, shown, lanes } = found;
          expect(new Set(slots).size).toBe(slots.length);
          for (const column of [ids, documents, modified, contents, parents, shown])
            expect(column).toHaveLength(slots.length);
          for (const { scores, ranked, best } of Object.values(lanes)) {
            expect(scores).toHaveLength(slots.length);
            expect(ranked.length).toBeLessThanOrEqual(drawn.depth);
            for (const [order, place] of ranked.entries()) {
              const before = ranked[order - 1];
              expect(scores[place]).toBeLessThanOrEqual(best + 1e-9);
              if (before === undefined) continue;
              expect(scores[before]).toBeGreaterThanOrEqual(scores[place]!);
              if (scores[before] === scores[place]) expect(ids[before]! < ids[place]!).toBe(true);
            }
          }
        }),
        runs(100),
      ));

    test('a filter changes no score and no statistics', () =>
      fc.assert(
        fc.asyncProperty(files, request, async (list, drawn) => {
          const retrieval = make(list);
          const free = await retrieval.retrieve(requestOf({ ...drawn, filters: {}, depth: 100 }));
          const narrowed = await retrieval.retrieve(requestOf({ ...drawn, depth: 100 }));
          expect(narrowed.total).toBe(free.total);
          for (const [lane, { scores, best, bound }] of Object.entries(narrowed.lanes)) {
            const all = free.lanes[lane as keyof typeof free.lanes]!;
            expect([best, bound]).toEqual([all.best, all.bound]);
            for (const [place, slot] of narrowed.slots.entries()) {
              const other = free.slots.indexOf(slot);
              if (other >= 0) expect(scores[place]).toBe(all.scores[other]);
            }
          }
        }),
        runs(40),
      ));

    test('batches answer for each, in order, also for what is not there', () =>
      fc.assert(
        fc.asyncProperty(files, fc.array(fc.nat(12)), async (list, slots) => {
          const retrieval = make(list);
          const chunks = await retrieval.chunks(slots);
          expect(chunks.map((chunk, place) => chunk?.slot ?? slots[place])).toEqual(slots);
          expect(await retrieval.texts(slots)).toEqual(
            chunks.map((chunk) => chunk?.text.slice(chunk.overlap) ?? ''),
          );
          expect((await retrieval.vectors(slots)).map(Boolean)).toEqual(chunks.map(Boolean));
          const numbers = (await retrieval.documents(slots)).map(
            (document, place) => document?.number ?? slots[place],
          );
          expect(numbers).toEqual(slots);
        }),
        runs(30),
      ));

    test('explains what it declares to: each lane by its score', () =>
      fc.assert(
        fc.asyncProperty(files, request, async (list, drawn) => {
          const retrieval = make(list);
          const whole = requestOf(drawn);
          const { slots, lanes } = await retrieval.retrieve(whole);
          const told = await retrieval.explain(whole, slots);
          if (!retrieval.capabilities.explanations) return;
          for (const lane of [
            'keyword',
            'coverage',
            'document',
            'title',
            'name',
            'heading',
            'nearness',
            'code',
          ] as const) {
            if (!lanes[lane]) continue;
            expect(told[lane]?.map(([{ value }]) => value)).toEqual([...lanes[lane].scores]);
          }
        }),
        runs(30),
      ));

    test('a request that is done with changes the answer to no other, before or after', () =>
      fc.assert(
        fc.asyncProperty(files, fc.array(request, { minLength: 1, maxLength: 4 }), async (list, drawn) => {
          const retrieval = make(list);
          const requests = drawn.map(requestOf);
          const told = await Promise.all(requests.map((one) => make(list).retrieve(one)));
          for (const one of requests) await retrieval.retrieve(one);
          for (const [place, one] of requests.entries()) {
            const { slots } = told[place]!;
            const due = await make(list).explain(requestOf(drawn[place]!), slots);
            expect(await retrieval.explain(one, slots)).toEqual(due);
            retrieval.release?.(one);
            retrieval.release?.(one);
          }
          for (const [place, one] of drawn.entries()) {
            const again = requestOf(one);
            expect(await retrieval.retrieve(again)).toEqual(told[place]);
            retrieval.release?.(again);
          }
        }),
        runs(40),
      ));

    test('agrees with brute force on random collections, queries and filters', () =>
      fc.assert(
        fc.asyncProperty(files, request, async (list, drawn) => {
          const retrieval = make(list);
          const { exactWords, exactVectors, phrases } = retrieval.capabilities;
          fc.pre(exactWords && exactVectors && phrases);
          const [own, due] = [retrieval, makeReference(list)];
          const [mine, plain] = [requestOf(drawn), requestOf(drawn)];
          // Which of two equal passages is the last to be brought may hang on the last bit of a sum.
          const { lanes } = await due.retrieve({ ...plain, depth: plain.depth + 1 });
          const isSharp = Object.values(lanes).every(({ ranked, scores }) => {
            const [last, next] = ranked.slice(plain.depth - 1).map((place) => scores[place]!);
            return next === undefined || last! - next > 1e-6;
          });
          fc.pre(isSharp);
          expectAlike(await own.retrieve(mine), await due.retrieve(plain));
          expectAlike(await own.list(mine), await due.list(plain));
          const numbers = [...list.keys()];
          // The vectors it chooses by may have 8 bits, so passages are chosen by words alone.
          const byWords = { ...mine, lanes: mine.lanes.filter((lane) => lane !== 'semantic') };
          await own.retrieve(byWords);
          expectAlike(await own.bestPassages(byWords, numbers), await due.bestPassages(byWords, numbers));
          expect(await own.neighbours!(mine, numbers)).toEqual(await due.neighbours!(plain, numbers));
          const { documents, parents } = await own.retrieve(mine);
          const wanted = parents.flatMap((id, place) =>
            id === undefined ? [] : [{ document: documents[place]!, id }],
          );
          const [sections, dueSections] = [await own.sections(wanted), await due.sections(wanted)];
          expect(sections.map((each) => each?.text)).toEqual(dueSections.map((each) => each?.text));
        }),
        runs(150),
      ));
  });
}

/** The same passages, whatever their order, each with the same facts and scores. */
function expectAlike(own: Candidates | Found, due: Candidates | Found): void {
  expect(own.slots.toSorted()).toEqual(due.slots.toSorted());
  const places = due.slots.map((slot) => own.slots.indexOf(slot));
  for (const column of ['ids', 'documents', 'modified', 'contents', 'parents', 'shown'] as const) {
    expect(places.map((place) => own[column][place])).toEqual([...due[column]]);
  }
  for (const key of ['total', 'passing', 'relaxed'] as const) {
    expect((own as Partial<Found>)[key]).toBe((due as Partial<Found>)[key]);
  }
  expect(Object.keys(own.lanes)).toEqual(LANES.filter((lane) => due.lanes[lane]));
  for (const lane of LANES) {
    const [mine, exact] = [own.lanes[lane], due.lanes[lane]];
    if (!mine || !exact) continue;
    // Vectors and their products have 32 bits in either; what a document is about is read off rows of 8 bits.
    const digits = lane === 'semantic' ? 6 : lane === 'subject' ? 1 : 9;
    for (const [at, place] of places.entries()) {
      expect(mine.scores[place]).toBeCloseTo(exact.scores[at]!, digits);
      expect(mine.shares?.[place] ?? 1).toBeCloseTo(exact.shares?.[at] ?? 1, digits);
    }
    expect(mine.best).toBeCloseTo(exact.best, digits);
    expect(mine.bound ?? 0).toBeCloseTo(exact.bound ?? 0, digits);
    if (lane === 'semantic') expect(Math.abs(mine.median! - exact.median!)).toBeLessThan(0.02);
    // Passages with one score may be in another order, where sums round otherwise.
    expect(mine.ranked.map((place) => mine.scores[place])).toEqual(
      exact.ranked.map((place) => expect.closeTo(exact.scores[place]!, digits)),
    );
    for (const [term, idf] of exact.idf ?? []) expect(mine.idf?.get(term)).toBeCloseTo(idf, digits);
  }
}
