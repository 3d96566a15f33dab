/** Loads the parts of a workspace at their first use, loads them again after another process wrote, unloads and closes them. */
import type { Thesaurus } from '../../core/ports.ts';
import type { IndexFacts } from '../api.ts';
import { createLazyResource } from '../lazy-resource.ts';
import { type LoadedIndexes, loadIndexes } from './loaded-indexes.ts';
import { type LoadedLinks, loadLinks } from './loaded-links.ts';
import { loadSemanticIndex, type SemanticIndex } from './semantic-index.ts';
import { createVocabulary } from './vocabulary.ts';
import type { WorkspaceParts } from './workspace-parts.ts';

export type Lifecycle = ReturnType<typeof createLifecycle>;

export function createLifecycle(parts: WorkspaceParts) {
  const { store, analyzers } = parts;
  let generation = store.getState('generation') ?? 0;
  /** Whether a sync had read all files before the documents were loaded. */
  let complete = store.getState('updated') !== undefined;
  let indexes: LoadedIndexes | undefined;
  let links: LoadedLinks | undefined;
  let unsaved = false;
  let semanticIndex: Promise<SemanticIndex> | undefined;
  let ready: SemanticIndex | undefined;
  let thesaurus: Thesaurus | undefined;
  let known: IndexFacts | undefined;
  let edition = 0;
  const embedder = createLazyResource(parts.openEmbedder);
  const scan = createLazyResource(parts.openScan);
  const vocabulary = store.vocabulary && createVocabulary(store, store.vocabulary, analyzers.all);

  function loadedIndexes(): LoadedIndexes {
    if (indexes === undefined) {
      indexes = loadIndexes(store, analyzers, parts.words);
      unsaved = indexes.repaired > 0;
    }
    return indexes;
  }

  /** Loads the model and the vectors at the first use. */
  function loadedSemanticIndex(): Promise<SemanticIndex> {
    if (semanticIndex) return semanticIndex;
    const idOf = (slot: number) => loadedIndexes().catalog.idOf(slot);
    const loading = loadSemanticIndex(store, embedder.get, scan.get, idOf);
    semanticIndex = loading;
    loading.then(
      (loaded) => {
        if (semanticIndex === loading) ready = loaded;
        changed();
      },
      () => {
        if (semanticIndex === loading) semanticIndex = undefined;
      },
    );
    return loading;
  }

  /** Returns the identity of the model without opening it; its name in the settings if it has made no vectors yet. */
  function currentModel(): string {
    if (ready) return ready.embedder.model;
    const isNamed = (store.getState('modelName') ?? parts.modelName) === parts.modelName;
    return (isNamed ? store.getState('model') : undefined) ?? parts.modelName;
  }

  function readFacts(): IndexFacts {
    const model = currentModel();
    const { documents, chunks, embedded } = store.counts(model);
    const updated = store.getState('updated');
    return { documents, chunks, embedded, model, stale: embedded < chunks, ...(updated ? { updated } : {}) };
  }

  /** Makes the next `facts` count again. */
  function changed(): void {
    known = undefined;
    edition++;
  }

  /** Tells other processes, through the store, that they must load the index again. */
  function announce(): void {
    generation = (store.getState('generation') ?? 0) + 1;
    store.setState({ generation });
    edition++;
  }

  loadedIndexes();
  return {
    /** Absent if the store has no vocabulary. */
    vocabulary,
    indexes: loadedIndexes,
    /** Documents and the slots of their chunks. */
    catalog: () => loadedIndexes().catalog,
    /** The words of all passages and documents, for an export. */
    wordSegments: () => ({
      passageWords: loadedIndexes().keyword.segments(),
      documentWords: loadedIndexes().documents.segments(),
    }),
    /** Links and communities. */
    links(): LoadedLinks {
      links ??= loadLinks(store, loadedIndexes().catalog);
      return links;
    },
    /** Undefined if synonyms are switched off. */
    thesaurus() {
      thesaurus ??= parts.openThesaurus?.();
      return thesaurus;
    },
    /** Opens the model at the first use, without loading vectors. */
    embedder: embedder.get,
    semanticIndex: loadedSemanticIndex,
    /** Returns the semantic index if it is loaded already: changes do not wait until it is loaded. */
    readySemanticIndex: () => ready,
    currentModel,
    changed,
    announce,
    /** Whether words of some documents are in memory but not saved. */
    isUnsaved: () => unsaved,
    noteUnsaved(now: boolean) {
      unsaved = now;
    },
    /** A number that increases with every change that may change an answer. */
    edition: () => edition,
    /** Number of documents whose words were missing in the store. Their words were made again, but are not saved yet. */
    repaired: () => (unsaved ? (indexes?.repaired ?? 0) : 0),
    /** Notes that a sync has read its files. */
    complete() {
      if (!complete) announce(); // other processes may have loaded an incomplete index
      complete = true;
      changed();
    },
    /** @param again whether to count again. @default false */
    facts(again = false): IndexFacts {
      known = (!again && known) || readFacts();
      // Another process may be rebuilding the index meanwhile.
      if (complete && store.getState('updated') !== undefined) return known;
      const { updated, ...facts } = known;
      return facts;
    },
    /** Unloads the indexes until the next use. Does nothing while vectors are loaded or words are unsaved. */
    rest() {
      if (unsaved || semanticIndex) return;
      indexes = links = undefined;
      vocabulary?.forget();
    },
    /** Loads the index again if another process has written to it. @returns whether another process has */
    refresh(): boolean {
      const current = store.getState('generation') ?? 0;
      if (current === generation) return false;
      generation = current;
      complete = store.getState('updated') !== undefined; // read before the documents, because another process may complete them meanwhile
      indexes = links = semanticIndex = ready = undefined;
      loadedIndexes();
      vocabulary?.forget();
      changed();
      return true;
    },
    async close() {
      thesaurus?.close();
      await parts.reranker.close();
      await Promise.all([embedder.close(), scan.close()]);
      store.close();
    },
  };
}
