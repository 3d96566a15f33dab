/** An open index from the inside: the store, what is derived from it, and the only places that change both. */
import type { ChunkingSettings } from '../core/chunk/chunk-document.ts';
import type { SearchMode } from '../core/model/query.ts';
import type {
  Clock,
  Embedder,
  NewDocument,
  Reranker,
  SkippedFile,
  Source,
  Store,
  Thesaurus,
  VectorScan,
} from '../core/ports.ts';
import type { SearchServices } from '../core/search/state.ts';
import type { IndexFacts } from './api.ts';
import { createLinkMemory, type LinkMemory } from './link-memory.ts';
import { isRuntimeMissing, loadMeaning, type Meaning } from './meaning.ts';
import { loadMemory, type Memory } from './memory.ts';
import { createVocabulary } from './vocabulary.ts';

/** Raise it when reading or cutting changes: every file is then read again, and only new passages embedded. */
const READER_VERSION = 1;

export interface OpenCollection {
  readonly name: string;
  readonly root: string;
  readonly source: Source;
}

export interface WorkspaceParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly collections: readonly OpenCollection[];
  readonly chunking: ChunkingSettings;
  /** Name of the model until it is opened. */
  readonly modelName: string;
  readonly openEmbedder: () => Promise<Embedder>;
  readonly openScan: () => Promise<VectorScan>;
  /** Loads its model at the first use. */
  readonly reranker: Reranker;
  /** Whether a vocabulary is kept, to expand queries from. */
  readonly expandQueries: boolean;
  /** Absent when no synonyms are looked up. */
  readonly openThesaurus?: () => Thesaurus;
  /** Hash of a text, for the cache of vectors. */
  readonly hash: (text: string) => string;
}

export interface Workspace extends WorkspaceParts {
  /** Files must all be read again, because they were cut by other rules. */
  recipeChanged(): boolean;
  /** Replaces or adds a document, on disk at once and in memory. */
  put(document: NewDocument, text: string): void;
  remove(number: number): void;
  /** Links and communities, as they are now. */
  links(): LinkMemory;
  /** Saves the words of what was put. */
  flush(): void;
  /** Notes that all files have been read. */
  finishReading(skipped: readonly SkippedFile[]): void;
  /** The model and the vectors; loaded on first use. */
  meaning(): Promise<Meaning>;
  putVectors(
    model: string,
    vectors: readonly { readonly key: string; readonly vector: Float32Array }[],
  ): void;
  /** Brings the words that queries are expanded from up to date, where they are. */
  updateVocabulary(signal?: AbortSignal): Promise<void>;
  /** Notices what another process wrote since. */
  refresh(): void;
  services(mode: SearchMode): Promise<{ readonly services: SearchServices; readonly problem?: string }>;
  facts(): IndexFacts;
  close(): Promise<void>;
}

export function createWorkspace(parts: WorkspaceParts): Workspace {
  const { store, clock, chunking } = parts;
  const recipe = JSON.stringify({ reader: READER_VERSION, chunking });
  let generation = store.getMeta('generation') ?? '0';
  let memory: Memory = loadMemory(store);
  let links: LinkMemory = createLinkMemory(store, memory.catalog);
  let meaning: Promise<Meaning> | undefined;
  let ready: Meaning | undefined;
  let thesaurus: Thesaurus | undefined;
  const vocabulary = parts.expandQueries ? createVocabulary(store) : undefined;
  let known: IndexFacts | undefined;

  async function openMeaning(): Promise<Meaning> {
    const { openEmbedder, openScan } = parts;
    ready = await loadMeaning({ store, openEmbedder, openScan, idOf: (slot) => memory.catalog.idOf(slot) });
    return ready;
  }

  function openedThesaurus(): { readonly thesaurus?: Thesaurus } {
    thesaurus ??= parts.openThesaurus?.();
    return thesaurus ? { thesaurus } : {};
  }

  function loadedMeaning(): Promise<Meaning> {
    meaning ??= openMeaning().catch((error) => {
      meaning = undefined;
      throw error;
    });
    return meaning;
  }

  /** The model whose vectors are used, known before it is opened. */
  function currentModel(): string {
    return ready?.embedder.model ?? store.getMeta('model') ?? parts.modelName;
  }

  function changed(): void {
    known = undefined;
  }

  return {
    ...parts,
    recipeChanged: () => store.getMeta('recipe') !== recipe,
    put(document, text) {
      const { number, slots, removed } = store.putDocument(document);
      const before = memory.catalog.numberOf(document.id);
      if (before !== undefined) {
        memory.remove(before);
        links.remove(before);
      }
      ready?.semantic.remove(removed);
      const { chunks, parents: _parents, links: written, vectorKeys: _keys, ...record } = document;
      memory.put({ record: { ...record, number }, slots, chunks, text });
      links.put(memory.catalog.document(number)!, written);
      changed();
    },
    remove(number) {
      const removed = store.removeDocument(number);
      ready?.semantic.remove(removed);
      memory.remove(number);
      links.remove(number);
      changed();
    },
    links: () => links,
    flush() {
      memory.flush();
      generation = String(Number(store.getMeta('generation') ?? '0') + 1);
      store.setMeta('generation', generation);
    },
    finishReading(skipped) {
      store.setMeta('recipe', recipe);
      store.setMeta('skipped', JSON.stringify(skipped));
      store.setMeta('updated', new Date(clock.now()).toISOString());
      changed();
    },
    meaning: loadedMeaning,
    putVectors(model, vectors) {
      store.putVectors(model, vectors);
      const byKey = new Map(vectors.map(({ key, vector }) => [key, vector]));
      for (const { slot, key } of store.slotsOfVectorKeys([...byKey.keys()])) {
        ready?.semantic.addVector(slot, byKey.get(key)!);
      }
      changed();
    },
    async updateVocabulary(signal) {
      await vocabulary?.update(await loadedMeaning(), memory.documents.segments(), signal);
    },
    refresh() {
      const current = store.getMeta('generation') ?? '0';
      if (current === generation) return;
      generation = current;
      memory = loadMemory(store);
      links = createLinkMemory(store, memory.catalog);
      void ready?.embedder.close();
      meaning = ready = undefined;
      vocabulary?.forget();
      changed();
    },
    async services(mode) {
      const { catalog, keyword, code, documents } = memory;
      const model = currentModel();
      const words = {
        catalog,
        keyword,
        code,
        documents,
        readChunks: store.chunks,
        rerank: parts.reranker.score,
        readTexts: store.texts,
        readParents: store.parents,
        vectorOf: (slot: number) => store.vector(model, slot),
        links: links.edges,
        communityOf: links.communityOf,
        ...openedThesaurus(),
      };
      if (mode === 'keyword' || mode === 'code') return { services: words };
      try {
        const loaded = await loadedMeaning();
        const { embedder, semantic } = loaded;
        const concepts = vocabulary && { concepts: vocabulary.concepts(loaded) };
        const embedQuery = embedder.embedQuery;
        const embedPassage = async (text: string) => (await embedder.embedPassages([text]))[0]!;
        return { services: { ...words, semantic, embedQuery, embedPassage, ...concepts } };
      } catch (error) {
        if (!isRuntimeMissing(error) || mode === 'semantic') throw error;
        return { services: words, problem: `${error.message} This answer is by words only.` };
      }
    },
    facts() {
      known ??= readFacts(store, currentModel());
      return known;
    },
    async close() {
      thesaurus?.close();
      await (await meaning?.catch(() => undefined))?.embedder.close();
      await parts.reranker.close();
      store.close();
    },
  };
}

function readFacts(store: Store, model: string): IndexFacts {
  const { documents, chunks, embedded } = store.counts(model);
  const updated = store.getMeta('updated');
  return { documents, chunks, embedded, model, stale: embedded < chunks, ...(updated ? { updated } : {}) };
}
