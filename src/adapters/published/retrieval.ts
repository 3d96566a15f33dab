/** Retrieval from a published index: an engine finds candidates, and the word indexes of docfuse score them. */
import type { ChunkRecord } from '../../core/ports.ts';
import type { Narrowing, Retrieval, RetrievalRequest } from '../../core/retrieval/retrieval.ts';
import { keepBySlot } from '../../core/search/keep-passage-facts.ts';
import type { Analyzers } from '../../core/text/analyzer.ts';
import { memoize } from '../../core/text/memoize.ts';
import { IS_SHOWN, narrowed } from './conditions.ts';
import type { EditionReader } from './engine.ts';
import {
  type DocumentPayload,
  dimensionOf,
  fromPublished,
  type PassagePayload,
  type PublishedState,
} from './format.ts';
import { keepDocuments } from './kept-documents.ts';
import { createLoading, type LoadedRequest } from './load-candidates.ts';
import {
  addWordless,
  heldBy,
  type LoadedPassage,
  noneLoaded,
  ofPassage,
  readExcluded,
  retrievalOver,
} from './loaded-passages.ts';
import { createNarrowing, type Narrowed } from './narrow.ts';
import { createWordCounts } from './word-counts.ts';
import type { WordList } from './word-list.ts';

/** Reads passages; undefined for a removed one. */
export async function readChunks(
  reader: EditionReader,
  slots: readonly number[],
): Promise<readonly (ChunkRecord | undefined)[]> {
  const found = await reader.read<Pick<PassagePayload, 'chunk'>>('passage', slots, { keys: ['chunk'] });
  return slots.map((slot) => {
    const passage = found.get(slot);
    return passage && fromPublished(passage.chunk);
  });
}

/** Max passages that are kept, about 1.3 MB, 3.5 if all are long: more than most searches read. */
const MAX_CHUNKS = 1_024;

/**
 * The methods of the result throw `index_missing` after a rebuild has replaced the edition.
 * @param state state of the publication. After the next publication, a new retrieval is needed
 */
export function createPublishedRetrieval(
  reader: EditionReader,
  state: PublishedState,
  list: WordList,
  analyzers?: Analyzers,
): Retrieval {
  const counts = createWordCounts(reader, state, list);
  const narrow = createNarrowing(reader, list);
  const kept = keepDocuments(reader);
  const load = createLoading(reader, state, counts, analyzers, kept);
  const answered = new WeakMap<RetrievalRequest, Promise<LoadedRequest>>();

  const loadedFor = memoize((request: RetrievalRequest) => {
    const loading = narrow(request).then((asked) => load(request, asked));
    // The vector may fail before `load` asks for it, so its failure is awaited from the start.
    const found = Promise.all([loading, request.vector]).then(([loaded]) => loaded);
    found.catch(() => answered.delete(request));
    return found;
  }, answered);

  /** Returns the counts that an answer reports: all passages, and the passages that pass the restrictions. */
  async function totals({ passage, isNarrow, relaxed }: Narrowed) {
    const passing = isNarrow && { passing: (await reader.counts([passage]))[0]! };
    return { total: state.passages.count, relaxed, ...passing };
  }

  // Stages of a search ask for the same passages one after the other.
  const chunks = keepBySlot((slots) => readChunks(reader, slots), MAX_CHUNKS);

  async function texts(slots: readonly number[]): Promise<readonly string[]> {
    return (await chunks(slots)).map((chunk) => chunk?.text.slice(chunk.overlap) ?? '');
  }

  return {
    capabilities: {
      exactWords: true,
      exactVectors: reader.exactVectors,
      phrases: true,
      wordForms: false,
      explanations: true,
    },
    words: list.words,

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
      const asked = await narrow(narrowing);
      const round = counts.round();
      for (const term of asked.terms) round.terms.add(term);
      const wanted = ofPassage(asked.terms.map(dimensionOf));
      const loaded = noneLoaded();
      const numbers = new Set<number>();
      for await (const page of reader.pages<LoadedPassage>(narrowed(asked.passage, [IS_SHOWN]), wanted)) {
        for (const { id, payload } of page) {
          if (numbers.has(payload.document)) continue;
          numbers.add(payload.document);
          loaded.allowed.add(id);
          loaded.passages.set(id, payload);
        }
      }
      for (const [slot, payload] of await readExcluded(reader, asked.excluded, [...numbers], wanted))
        loaded.passages.set(slot, payload);
      for (const [number, document] of await kept.read([...numbers], heldBy(loaded)))
        loaded.documents.set(number, { ...document, in: {} });
      if (asked.excluded) addWordless(loaded);
      const facts = await totals(asked);
      const retrieval = retrievalOver(loaded, { state, counts, round, analyzers })();
      const { passing: _, ...found } = await retrieval.list(narrowing);
      return { ...found, ...facts };
    },

    async bestPassages(request, documents) {
      const before = await loadedFor(request);
      const retrieval = await before.extend(documents);
      answered.set(request, Promise.resolve({ ...before, retrieval }));
      return retrieval.bestPassages(before.request, documents);
    },

    async neighbours(request, numbers) {
      const { passage, isNarrow } = (await loadedFor(request)).narrowed;
      const passing = new Set<number>();
      const [found] = await Promise.all([
        kept.read(numbers),
        isNarrow &&
          reader
            .search<LoadedPassage>([{ where: passage, of: numbers, limit: 1 }], { keys: ['document'] })
            .then(({ payload }) => {
              for (const { document } of payload.values()) passing.add(document);
            }),
      ]);
      return numbers.map((document) => {
        const own = found.get(document);
        return {
          document,
          id: own?.facts.id ?? '',
          passes: isNarrow ? passing.has(document) : (own?.heads.length ?? 0) > 0,
          links: own?.links ?? new Map(),
        };
      });
    },

    async explain(request, slots) {
      const { retrieval, request: asked } = await loadedFor(request);
      return retrieval.explain(asked, slots);
    },
    release: (request) => void answered.delete(request),

    async documents(numbers) {
      const found = await kept.read(numbers);
      return numbers.map((number) => found.get(number)?.facts);
    },
    chunks,
    texts,
    async vectors(slots) {
      const found = await reader.vectors(slots);
      return slots.map((slot) => found.get(slot));
    },
    async sections(wanted) {
      const numbers = [...new Set(wanted.map(({ document }) => document))];
      const [found, joined] = await Promise.all([
        reader.read<Pick<DocumentPayload, 'parents'>>('document', numbers, { keys: ['parents'] }),
        kept.read(numbers).then(async (documents) => {
          const slots = wanted.map(({ document, id }) =>
            (documents.get(document)?.heads ?? []).flatMap(({ slot, parentId }) =>
              parentId === id ? [slot] : [],
            ),
          );
          const inOrder = (await texts(slots.flat())).values();
          return slots.map((own) => own.map(() => inOrder.next().value).join(''));
        }),
      ]);
      return wanted.map(({ document, id }, place) => {
        const parent = found.get(document)?.parents.find((each) => each.id === id);
        return parent && { ...parent, text: joined[place]! };
      });
    },
  };
}
