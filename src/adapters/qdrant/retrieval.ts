/** Retrieval from a published collection: Qdrant finds candidates, and the word indexes of docfuse score them. */
import type { ChunkRecord } from '../../core/ports.ts';
import type { Narrowing, Retrieval, RetrievalRequest } from '../../core/retrieval/retrieval.ts';
import type { Analyzers } from '../../core/text/analyzer.ts';
import type { QdrantConnection } from './client.ts';
import { both, IS_SHOWN, toFilter } from './conditions.ts';
import { createLoading, EXACT_PASSAGES, type LoadedRequest } from './load-candidates.ts';
import {
  addWordless,
  documentKeys,
  type LoadedDocument,
  type LoadedPassage,
  loadedDocument,
  noneLoaded,
  passageKeys,
  retrievalOver,
} from './loaded-passages.ts';
import { createNarrowing, type Narrowed } from './narrow.ts';
import { createPoints } from './points.ts';
import { type DocumentPayload, dimensionOf, type PassagePayload, type PublishedState } from './schema.ts';
import { createWordCounts } from './word-counts.ts';

/**
 * Reads the collection of `state`, not the alias, so that one search never sees two collections. Its methods throw `index_missing`
 * after a rebuild has replaced the collection.
 * @param state what is published; the retrieval is for this generation of it
 */
export function createQdrantRetrieval(
  connection: QdrantConnection,
  state: PublishedState,
  analyzers?: Analyzers,
): Retrieval {
  const points = createPoints(connection, state.collection);
  const counts = createWordCounts(connection, state);
  const narrow = createNarrowing(points, counts);
  const { load } = createLoading(points, state, counts, analyzers);
  const answered = new WeakMap<RetrievalRequest, Promise<LoadedRequest>>();

  function loadedFor(request: RetrievalRequest): Promise<LoadedRequest> {
    const found = answered.get(request) ?? narrow(request).then((narrowed) => load(request, narrowed));
    answered.set(request, found);
    found.catch(() => answered.delete(request));
    return found;
  }

  /** Returns what an answer says of all passages. */
  async function totals({ passage, isNarrow, relaxed }: Narrowed) {
    const passing = isNarrow && { passing: await points.count(passage) };
    return { total: state.passages.count, relaxed, ...passing };
  }

  async function chunks(slots: readonly number[]): Promise<readonly (ChunkRecord | undefined)[]> {
    const found = await points.get<Partial<Pick<PassagePayload, 'chunk'>>>(slots, ['chunk']);
    return slots.map((slot) => found.get(slot)?.chunk);
  }

  async function texts(slots: readonly number[]): Promise<readonly string[]> {
    return (await chunks(slots)).map((chunk) => chunk?.text.slice(chunk.overlap) ?? '');
  }

  return {
    capabilities: {
      exactWords: true,
      exactVectors: state.passages.count <= EXACT_PASSAGES,
      phrases: true,
      explanations: true,
    },

    async retrieve(request) {
      answered.delete(request);
      const { retrieval, request: asked, narrowed } = await loadedFor(request);
      const [{ passing: _, ...found }, facts] = await Promise.all([
        retrieval.retrieve(asked),
        totals(narrowed),
      ]);
      return { ...found, ...facts };
    },

    async list(narrowing: Narrowing) {
      const narrowed = await narrow(narrowing);
      const round = counts.round();
      for (const term of narrowed.terms) round.terms.add(term);
      const keys = passageKeys(narrowed.terms.map(dimensionOf));
      const loaded = noneLoaded();
      const numbers = new Set<number>();
      const shown = both(narrowed.passage, { must: [IS_SHOWN] });
      for await (const page of points.pages<LoadedPassage>(shown, keys)) {
        for (const { id, payload } of page) {
          if (numbers.has(payload.document)) continue;
          numbers.add(payload.document);
          loaded.allowed.add(id);
          loaded.passages.set(id, payload);
        }
      }
      for (const [slot, payload] of await points.excluded(narrowed.excluded, [...numbers], keys))
        loaded.passages.set(slot, payload);
      const documents = await points.documents<LoadedDocument>([...numbers], documentKeys([]));
      for (const [number, document] of documents) loaded.documents.set(number, document);
      if (narrowed.excluded) addWordless(loaded);
      const facts = await totals(narrowed);
      const { passing: _, ...found } = await retrievalOver(loaded, { state, counts, round, analyzers }).list(
        narrowing,
      );
      return { ...found, ...facts };
    },

    async bestPassages(request, documents) {
      const before = await loadedFor(request);
      const retrieval = await before.extend(documents);
      answered.set(request, Promise.resolve({ ...before, retrieval }));
      return retrieval.bestPassages(before.request, documents);
    },

    async neighbours(request, numbers) {
      const { narrowed } = await loadedFor(request);
      const found = await points.documents<Pick<DocumentPayload, 'record' | 'linked' | 'heads'>>(numbers, [
        ...['record.id', 'linked', 'heads'],
      ]);
      const passing = new Set<number>();
      if (narrowed.isNarrow) {
        const searches = numbers.map((number) => ({
          filter: toFilter(both(narrowed.passage, { must: [{ key: 'document', match: { value: number } }] })),
          ...{ limit: 1, with_payload: ['document'] },
        }));
        for (const [first] of await points.search<LoadedPassage>(searches))
          if (first) passing.add(first.payload.document);
      }
      return numbers.map((document) => {
        const own = found.get(document);
        return {
          document,
          id: own?.record.id ?? '',
          passes: narrowed.isNarrow ? passing.has(document) : (own?.heads.length ?? 0) > 0,
          links: new Map(own?.linked ?? []),
        };
      });
    },

    async explain(request, slots) {
      const { retrieval, request: asked } = await loadedFor(request);
      return retrieval.explain(asked, slots);
    },
    release: (request) => void answered.delete(request),

    async documents(numbers) {
      const found = await points.documents<Pick<DocumentPayload, 'record'>>(numbers, ['record']);
      return numbers.map((number) => {
        const document = found.get(number);
        return document && loadedDocument(document);
      });
    },
    chunks,
    texts,
    async vectors(slots) {
      const found = await points.vectors(slots);
      return slots.map((slot) => found.get(slot));
    },
    async sections(wanted) {
      const numbers = [...new Set(wanted.map(({ document }) => document))];
      const found = await points.documents<Pick<DocumentPayload, 'heads' | 'parents'>>(numbers, [
        'heads',
        'parents',
      ]);
      const slots = wanted.map(({ document, id }) =>
        (found.get(document)?.heads ?? []).flatMap(({ slot, parentId }) => (parentId === id ? [slot] : [])),
      );
      const known = [...new Set(slots.flat())];
      const read = await texts(known);
      const textOf = new Map(known.map((slot, place) => [slot, read[place]!]));
      return wanted.map(({ document, id }, place) => {
        const parent = found.get(document)?.parents.find((each) => each.id === id);
        return parent && { ...parent, text: slots[place]!.map((slot) => textOf.get(slot)!).join('') };
      });
    },
  };
}
