/** What every retrieval must do, wherever its index lives; each implementation's test runs this suite. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Found } from '../../src/core/model/candidates.ts';
import { LANES, type Lane } from '../../src/core/model/ranking-constants.ts';
import type { Awaitable, Retrieval, RetrievalCapabilities } from '../../src/core/retrieval/retrieval.ts';
import { type MemoryFile, memoryIndex } from '../support/memory-services.ts';
import { createReferenceRetrieval } from '../support/reference-retrieval.ts';
import { alike, COLUMNS, EXACT, isSharp, type Tolerance, within } from './alike.ts';
import {
  BY_VECTOR,
  BY_WORDS,
  filesWith,
  manyFiles,
  PHRASES,
  requestOf,
  requestWith,
} from './drawn-requests.ts';

export type MakeRetrieval = (files: readonly MemoryFile[]) => Awaitable<Retrieval>;

/** The same collection, by brute force. */
export const makeReference = (files: readonly MemoryFile[]): Retrieval => {
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

const SOME: readonly MemoryFile[] = [{ path: '0.md', text: '# Alpha\n\nalpha beta\n', modified: 0 }];

/** What the embedded indexes can do. */
const ALL: RetrievalCapabilities = {
  exactWords: true,
  exactVectors: true,
  phrases: true,
  wordForms: true,
  explanations: true,
};

export interface ContractOptions {
  /** What the implementation cannot do exactly; the suite does not ask for it. @default it can do everything */
  readonly declares?: Partial<RetrievalCapabilities>;
  /** Lanes that it can score. Without `code`, collections have no code. @default all */
  readonly can?: readonly Lane[];
  /** Columns that it fills as the others do. @default all */
  readonly columns?: readonly (typeof COLUMNS)[number][];
  /** @default rounding errors */
  readonly tolerance?: Tolerance;
  /** Share of the usual number of random collections. @default 1 */
  readonly share?: number;
  /** Milliseconds for each test. */
  readonly timeout?: number;
}

export function retrievalContract(
  name: string,
  make: MakeRetrieval,
  { declares, can = LANES, columns = COLUMNS, tolerance = EXACT, share = 1, timeout }: ContractOptions = {},
): void {
  const capabilities = { ...ALL, ...declares };
  const { exactWords, exactVectors, phrases, wordForms, explanations } = capabilities;
  const files = filesWith(can.includes('code'));
  const request = requestWith(can, PHRASES);
  const runs = (usual: number) => ({ numRuns: Math.ceil(usual * share) });
  describe(`${name} keeps the contract of retrieval:`, timeout === undefined ? {} : { timeout }, () => {
    const testIf = (asked: boolean, title: string, run: () => unknown) => void (asked && test(title, run));

    test('declares what it is asked for', async () => {
      expect((await make(SOME)).capabilities).toEqual(capabilities);
    });

    testIf(wordForms, 'counts phrases', async () => {
      const { words } = await make(SOME);
      const phrase = (...terms: string[]) => terms.map((term, position) => ({ term, position }));
      expect(words?.countOfPhrase(phrase('alpha', 'beta'))).toBe(1);
      expect(words?.countOfPhrase(phrase('beta', 'alpha'))).toBe(0);
    });

    test('columns are equally long, and every lane ranks places of passages, best first, at most as many as asked for', () =>
      fc.assert(
        fc.asyncProperty(files, request, async (list, drawn) => {
          const found = await (await make(list)).retrieve(requestOf(drawn));
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
          const retrieval = await make(list);
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
          const retrieval = await make(list);
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

    testIf(explanations, 'explains each lane by its score', () =>
      fc.assert(
        fc.asyncProperty(files, request, async (list, drawn) => {
          const retrieval = await make(list);
          const whole = requestOf(drawn);
          const { slots, lanes } = await retrieval.retrieve(whole);
          const told = await retrieval.explain(whole, slots);
          for (const lane of LANES) {
            // Fusion itself explains a cosine.
            if (!lanes[lane] || lane === 'semantic') continue;
            expect(told[lane]?.map(([{ value }]) => value)).toEqual([...lanes[lane].scores]);
          }
        }),
        runs(30),
      ),
    );

    test('a request that is done with changes the answer to no other, before or after', () =>
      fc.assert(
        fc.asyncProperty(files, fc.array(request, { minLength: 1, maxLength: 4 }), async (list, drawn) => {
          const retrieval = await make(list);
          const requests = drawn.map(requestOf);
          const alone = await Promise.all(requests.map(() => make(list)));
          const told = await Promise.all(requests.map((one, place) => alone[place]!.retrieve(one)));
          for (const one of requests) await retrieval.retrieve(one);
          for (const [place, one] of requests.entries()) {
            const { slots } = told[place]!;
            const due = await alone[place]!.explain(requestOf(drawn[place]!), slots);
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

    const exact = [...(exactVectors ? BY_VECTOR : []), ...(exactWords ? BY_WORDS : [])].filter((lane) =>
      can.includes(lane),
    );
    const expectAlike = alike(columns, tolerance);
    const exactly = requestWith(exact, phrases ? PHRASES : []);
    testIf(exact.length > 0, 'agrees with brute force on random collections, queries and filters', () =>
      fc.assert(
        fc.asyncProperty(files, exactly, async (list, drawn) => {
          const [own, due] = [await make(list), makeReference(list)];
          const [mine, plain] = [requestOf(drawn), requestOf(drawn)];
          fc.pre(isSharp(await due.retrieve({ ...plain, depth: plain.depth + 1 }), plain.depth, tolerance));
          expectAlike(await own.retrieve(mine), await due.retrieve(plain));
          expectAlike(await own.list(mine), await due.list(plain));
          const numbers = [...list.keys()];
          // The vectors it chooses by may have 8 bits, so passages are chosen by words alone.
          const byWords = { ...mine, lanes: mine.lanes.filter((lane) => lane !== 'semantic') };
          await own.retrieve(byWords);
          // Of passages that are equally good, it brings the first by its own ids.
          const hasBest =
            columns.includes('ids') || hasOneBest(await due.retrieve({ ...byWords, depth: 1_000 }));
          const clear = hasBest === true ? numbers : numbers.filter(hasBest);
          expectAlike(await own.bestPassages(byWords, clear), await due.bestPassages(byWords, clear));
          expect(await own.neighbours!(mine, numbers)).toEqual(await due.neighbours!(plain, numbers));
          const { documents, parents } = await own.retrieve(mine);
          const wanted = parents.flatMap((id, place) =>
            id === undefined ? [] : [{ document: documents[place]!, id }],
          );
          const [sections, dueSections] = [await own.sections(wanted), await due.sections(wanted)];
          expect(sections.map((each) => each?.text)).toEqual(dueSections.map((each) => each?.text));
        }),
        runs(150),
      ),
    );

    testIf(
      exactWords,
      'agrees with brute force on collections in which nearly all texts hold a word of the query',
      () =>
        fc.assert(
          fc.asyncProperty(manyFiles, fc.integer({ min: 1, max: 3 }), async (list, depth) => {
            const lanes = BY_WORDS.filter((lane) => can.includes(lane));
            const asked = requestOf({ asked: 'alpha beta', filters: {}, depth, lanes });
            const due = makeReference(list);
            fc.pre(isSharp(await due.retrieve({ ...asked, depth: depth + 1 }), depth, tolerance));
            expectAlike(await (await make(list)).retrieve(asked), await due.retrieve(asked));
          }),
          { ...runs(20), endOnFailure: true },
        ),
    );

    testIf(!exactVectors, 'scores by brute force what an approximate index finds', () =>
      fc.assert(
        fc.asyncProperty(files, requestWith(['semantic'], []), async (list, drawn) => {
          const found = await (await make(list)).retrieve(requestOf(drawn));
          const due = await makeReference(list).retrieve(requestOf({ ...drawn, depth: 1_000 }));
          expect([...(found.lanes.semantic?.scores ?? [])]).toEqual(
            found.slots.map((slot) =>
              within(tolerance.cosine)(due.lanes.semantic!.scores[due.slots.indexOf(slot)]!),
            ),
          );
        }),
        runs(30),
      ),
    );
  });
}

/** Whether one passage of a document has the most words of the query. */
const hasOneBest =
  ({ documents, lanes: { keyword } }: Found) =>
  (number: number) => {
    const [best = 0, next = 0] = documents
      .flatMap((document, place) => (document === number ? (keyword?.scores[place] ?? []) : []))
      .sort((a, b) => b - a);
    return best - next > 1e-6;
  };
