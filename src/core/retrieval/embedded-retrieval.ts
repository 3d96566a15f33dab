/** Retrieval from indexes in memory, and from stored texts and vectors. */
import type { LinkGraph } from '../graph/link-graph.ts';
import type { Constraint } from '../indexes/constraints.ts';
import {
  countAllowed,
  isAllowed,
  type NameShare,
  type Ranking,
  type SlotMask,
} from '../indexes/retriever.ts';
import { type Indexes, LANE_TABLE } from '../lanes/lane-table.ts';
import type { Candidates, Found, LaneFound } from '../model/candidates.ts';
import type { Parent } from '../model/chunk.ts';
import { defined } from '../model/defined.ts';
import { type Explanation, leaves } from '../model/hit.ts';
import type { ParsedQuery } from '../model/query.ts';
import { LANES, type Lane } from '../model/ranking-constants.ts';
import type { Awaitable, ChunkRecord } from '../ports.ts';
import { documentFilter, languageFilter } from '../query/filter.ts';
import type { Narrowing, Retrieval, RetrievalRequest } from './retrieval.ts';

export interface EmbeddedParts extends Indexes {
  /** A number shared by all documents of a community; undefined for a document without a community. */
  readonly communityOf?: (document: number) => number | undefined;
  /** Loads the links at the first call. */
  readonly links?: () => Pick<LinkGraph, 'neighbours'>;
  /** Returns chunks in the order of `slots`; unknown slots are left out. */
  readonly readChunks: (slots: readonly number[]) => readonly ChunkRecord[];
  readonly readTexts: (slots: readonly number[]) => readonly string[];
  readonly readParents: (ids: readonly string[]) => readonly Parent[];
  readonly vectorOf: (slot: number) => Float32Array | undefined;
}

interface Ranked {
  readonly constraint: Constraint;
  readonly rankings: Readonly<Partial<Record<Lane, Ranking>>>;
}

/** Caches rankings by request: after `retrieve`, other methods called with the same request object do not search again. */
export function createEmbeddedRetrieval(parts: EmbeddedParts): Retrieval {
  const { catalog, keyword, readChunks, readTexts, readParents, vectorOf, links } = parts;
  const answered = new WeakMap<RetrievalRequest, Ranked>();

  async function rank(request: RetrievalRequest): Promise<Ranked> {
    const constraint = compileFilters(request, parts);
    const { mask } = constraint;
    const pending: Partial<Record<Lane, Awaitable<Ranking | undefined>>> = {};
    for (const lane of request.lanes) {
      pending[lane] = LANE_TABLE[lane].search?.({ indexes: parts, request, mask, rankings: pending });
    }
    const found = Object.entries(pending).map(async ([lane, ranking]) => [lane, await ranking] as const);
    const rankings = Object.fromEntries((await Promise.all(found)).filter(([, ranking]) => ranking));
    const ranked = { constraint, rankings };
    answered.set(request, ranked);
    return ranked;
  }

  function describe(found: Candidates, { mask, relaxed }: Constraint): Found {
    const passing = mask && { passing: countAllowed(mask) };
    return { ...found, total: catalog.chunks, relaxed, ...passing };
  }

  function textsOf(slots: readonly number[]): readonly string[] {
    const texts = readTexts(slots);
    // If some slots were removed, read one by one to find out which.
    return texts.length === slots.length ? texts : slots.map((slot) => readTexts([slot])[0] ?? '');
  }

  return {
    capabilities: {
      exactWords: true,
      exactVectors: true,
      phrases: true,
      wordForms: true,
      explanations: true,
    },
    words: keyword,

    async retrieve(request) {
      const { constraint, rankings } = await rank(request);
      const slots = new Set(LANES.flatMap((lane) => rankings[lane]?.entries ?? []).map(({ slot }) => slot));
      return describe(collectColumns([...slots], rankings, request, parts), constraint);
    },
    list(narrowing: Narrowing) {
      const constraint = compileFilters(narrowing, parts);
      const slots = [...catalog.all()].flatMap(
        ({ number }) => catalog.firstShown(number, constraint.mask) ?? [],
      );
      return describe(collectColumns(slots, {}, narrowing, parts), constraint);
    },
    async bestPassages(request, documents) {
      const { constraint, rankings } = answered.get(request) ?? (await rank(request));
      const best = bestPassage(rankings, constraint.mask, catalog);
      const slots = documents.map(best).filter((slot) => slot !== undefined);
      const scored = Object.entries(rankings).map(([lane, ranking]) => [lane, { ...ranking, entries: [] }]);
      return collectColumns(slots, Object.fromEntries(scored), request, parts);
    },
    ...(links && {
      async neighbours(request: RetrievalRequest, documents: readonly number[]) {
        const { mask } = (answered.get(request) ?? (await rank(request))).constraint;
        const graph = links();
        return documents.map((document) => ({
          document,
          id: catalog.document(document)?.id ?? '',
          passes: catalog.slotsOf(document).some((slot) => isAllowed(mask, slot)),
          links: graph.neighbours(document),
        }));
      },
    }),
    async explain(request, slots) {
      const { rankings } = answered.get(request) ?? (await rank(request));
      const told = Object.entries(rankings).flatMap(([lane, { explain, scoreOf, shareOf }]) => {
        if (!explain) return [];
        const tell = (slot: number): [Explanation, ...Explanation[]] => {
          const share = scoreOf(slot) > 0 ? shareOf?.(slot) : undefined;
          return share ? [explain(slot), explainShare(share)] : [explain(slot)];
        };
        return [[lane, slots.map(tell)] as const];
      });
      return Object.fromEntries(told);
    },
    release(request) {
      for (const { release } of Object.values(answered.get(request)?.rankings ?? {})) release?.();
      answered.delete(request);
    },

    documents: (numbers) => numbers.map(catalog.document),
    chunks(slots) {
      const known = new Map(readChunks(slots).map((chunk) => [chunk.slot, chunk]));
      return slots.map((slot) => known.get(slot));
    },
    texts: textsOf,
    vectors: (slots) => slots.map(vectorOf),
    sections(wanted) {
      const parents = new Map(readParents(wanted.map(({ id }) => id)).map((parent) => [parent.id, parent]));
      // The slots of a document are in the order of its text.
      const slots = wanted.map(({ document, id }) =>
        catalog.slotsOf(document).filter((slot) => catalog.parentOf(slot) === id),
      );
      const texts = textsOf(slots.flat()).values();
      return wanted.map(({ id }, index) => {
        const parent = parents.get(id);
        const text = slots[index]!.map(() => texts.next().value).join('');
        return parent && { ...parent, text };
      });
    },
  };
}

/**
 * Makes a function that returns the best allowed passage of a document, by the sum of its scaled semantic and keyword
 * scores. Scaling maps the median of a lane to 0, and the best score found to 1. Equal sums are ordered by id.
 */
function bestPassage(
  { semantic, keyword }: Ranked['rankings'],
  mask: SlotMask | undefined,
  { slotsOf, idOf }: Indexes['catalog'],
): (document: number) => number | undefined {
  const scales = [semantic, keyword].flatMap((ranking) => {
    if (!ranking) return [];
    const { entries, median = 0, scoreOf, approximateScoreOf = scoreOf } = ranking;
    const span = (entries[0]?.score ?? 0) - median || 1;
    // The 8-bit cosine is enough to choose a passage; the chosen passage is scored from 12 bits later.
    return [(slot: number) => (approximateScoreOf(slot) - median) / span];
  });
  return (document) => {
    let best: number | undefined;
    let max = 0;
    for (const slot of slotsOf(document)) {
      if (!isAllowed(mask, slot)) continue;
      let sum = 0;
      for (const scale of scales) sum += scale(slot);
      if (best !== undefined && !(sum > max || (sum === max && idOf(slot) < idOf(best)))) continue;
      [best, max] = [slot, sum];
    }
    return best;
  };
}

/** Finds the slots that pass the filters of request and query, the required and excluded words, and the phrases. */
export function compileFilters(
  { query, filters }: Narrowing,
  { catalog, keyword }: Pick<Indexes, 'catalog' | 'keyword'>,
): Constraint {
  const all = [filters, query.filters];
  return keyword.constraintMask(query, catalog.mask(all.map(documentFilter), all.map(languageFilter)));
}

function explainShare({ value, matched, total }: NameShare): Explanation {
  const parts = leaves({ 'idf of its words in the query': matched, 'idf of all its words': total });
  return { label: 'share of the name or heading in the query', value, parts };
}

/** Returns facts and scores of slots. A slot that was removed after ranking has `shown` false. */
function collectColumns(
  slots: readonly number[],
  rankings: Readonly<Partial<Record<Lane, Ranking>>>,
  { query, communities }: Pick<RetrievalRequest, 'query' | 'communities'>,
  parts: EmbeddedParts,
): Candidates {
  const { catalog, communityOf } = parts;
  const documents = slots.map(catalog.documentOf);
  const numbers = documents.map((document) => document?.number ?? -1);
  const places = new Map(slots.map((slot, place) => [slot, place]));
  const mayShow = parentTest(query, parts);
  const lanes = LANES.flatMap((lane) => {
    const ranking = rankings[lane];
    return ranking ? [[lane, scoreColumn(ranking, slots, places)] as const] : [];
  });
  return {
    slots,
    ids: slots.map(catalog.idOf),
    documents: numbers,
    modified: documents.map((document) => document?.modified ?? 0),
    contents: slots.map(catalog.contentOf),
    parents: slots.map((slot, place) => {
      const parent = catalog.parentOf(slot);
      return parent !== undefined && mayShow(numbers[place]!, parent) ? parent : undefined;
    }),
    ...(communities && communityOf && { communities: numbers.map(communityOf) }),
    shown: slots.map(catalog.isShown),
    lanes: Object.fromEntries(lanes),
  };
}

function scoreColumn(
  { entries, best, median, bound, idf, scoreOf, scoresOf, shareOf }: Ranking,
  slots: readonly number[],
  places: ReadonlyMap<number, number>,
): LaneFound {
  const scores = scoresOf?.(slots) ?? new Float64Array(slots.length);
  const shares = shareOf && new Float64Array(slots.length);
  for (let place = 0; place < slots.length; place++) {
    const slot = slots[place]!;
    if (!scoresOf) scores[place] = scoreOf(slot);
    if (shares && scores[place]! > 0) shares[place] = shareOf(slot).value;
  }
  return {
    scores,
    ranked: entries.flatMap(({ slot }) => places.get(slot) ?? []),
    best,
    ...defined({ shares, median, bound, idf }),
  };
}

/** Makes the test that a parent must pass to be shown: none of its passages has an excluded word. */
function parentTest(
  query: ParsedQuery,
  { catalog, keyword }: EmbeddedParts,
): (document: number, parent: string) => boolean {
  if (query.excludedTerms.length + query.excludedPhrases.length === 0) return () => true;
  const { mask } = keyword.constraintMask({ ...query, required: [], phrases: [] });
  return (document, parent) =>
    catalog.slotsOf(document).every((slot) => catalog.parentOf(slot) !== parent || mask?.[slot] === 1);
}
