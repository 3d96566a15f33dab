/** What a workspace has in memory, each part from its first use on: loaded, loaded again after others wrote, unloaded, closed. */
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
  /** Whether the documents in memory were all there were after some run. */
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

  /** The model and the vectors; loaded on first use. */
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

  /** The model whose vectors are used, known before it is opened; the setting's name for it if none were made with it. */
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

  /** Counts are read again. */
  function changed(): void {
    known = undefined;
    edition++;
  }

  /** Lets other processes know that there is something new to load. */
  function announce(): void {
    generation = (store.getState('generation') ?? 0) + 1;
    store.setState({ generation });
    edition++;
  }

  loadedIndexes();
  return {
    /** Absent where the store keeps none. */
    vocabulary,
    indexes: loadedIndexes,
    /** Documents and the slots of their chunks, as they are now. */
    catalog: () => loadedIndexes().catalog,
    /** Links and communities, as they are now. */
    links(): LoadedLinks {
      links ??= loadLinks(store, loadedIndexes().catalog);
      return links;
    },
    /** Undefined when no synonyms are looked up. */
    thesaurus() {
      thesaurus ??= parts.openThesaurus?.();
      return thesaurus;
    },
    /** The model alone; opened on first use. */
    embedder: embedder.get,
    semanticIndex: loadedSemanticIndex,
    /** The semantic index, if it is loaded: for changes that cannot wait. */
    readySemanticIndex: () => ready,
    currentModel,
    changed,
    announce,
    /** Whether some document's words are only in memory, not saved yet. */
    isUnsaved: () => unsaved,
    noteUnsaved(now: boolean) {
      unsaved = now;
    },
    /** Another number after every change that an answer may tell of. */
    edition: () => edition,
    /** Documents whose words were not found where they are kept, and are not saved again yet. */
    repaired: () => (unsaved ? (indexes?.repaired ?? 0) : 0),
    /** A run has read all there was to read. */
    complete() {
      if (!complete) announce(); // to processes that loaded the part there was
      complete = true;
      changed();
    },
    /** @param again whether they are counted again. @default false */
    facts(again = false): IndexFacts {
      known = (!again && known) || readFacts();
      // Another process may be rebuilding the index meanwhile.
      if (complete && store.getState('updated') !== undefined) return known;
      const { updated, ...facts } = known;
      return facts;
    },
    /** Unloads the indexes until the next search; does nothing while vectors are loaded. */
    rest() {
      if (unsaved || semanticIndex) return;
      indexes = links = undefined;
      vocabulary?.forget();
    },
    /** Notices what another process wrote since; returns whether it wrote. */
    refresh(): boolean {
      const current = store.getState('generation') ?? 0;
      if (current === generation) return false;
      generation = current;
      complete = store.getState('updated') !== undefined; // read before the documents: a writer may complete them meanwhile
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
