/** What a workspace has in memory, each part from its first use on: loaded, loaded again after others wrote, given up, closed. */
import type { IndexFacts } from '../api.ts';
import { createLazyResource } from '../lazy-resource.ts';
import { type LoadedIndexes, loadIndexes } from './loaded-indexes.ts';
import { type LoadedLinks, loadLinks } from './loaded-links.ts';
import { loadSemanticIndex, type SemanticIndex } from './semantic-index.ts';
import { createVocabulary, type Vocabulary } from './vocabulary.ts';
import type { IndexLifecycle, WorkspaceParts } from './workspace.ts';

/** The same for writers, which change the store and the loaded indexes together. */
export interface Lifecycle extends IndexLifecycle {
  indexes(): LoadedIndexes;
  /** The semantic index, if it is loaded: for changes that cannot wait. */
  readySemanticIndex(): SemanticIndex | undefined;
  /** Absent when queries are not expanded. */
  readonly vocabulary: Vocabulary | undefined;
  /** The model whose vectors are used, known before it is opened; by its name alone where none were made with it. */
  currentModel(): string;
  /** Counts are read again. */
  changed(): void;
  /** Whether some document's words are only in memory, not saved yet. */
  isUnsaved(): boolean;
  noteUnsaved(unsaved: boolean): void;
  /** A run has read all there was to read. */
  complete(): void;
}

export function createLifecycle(parts: WorkspaceParts): Lifecycle {
  const { store, analyzers } = parts;
  let generation = store.getState('generation') ?? 0;
  /** Whether the documents in memory were all there were after some run. */
  let complete = store.getState('updated') !== undefined;
  let indexes: LoadedIndexes | undefined;
  let links: LoadedLinks | undefined;
  let unsaved = false;
  let semanticIndex: Promise<SemanticIndex> | undefined;
  let ready: SemanticIndex | undefined;
  let known: IndexFacts | undefined;
  let edition = 0;
  const embedder = createLazyResource(parts.openEmbedder);
  const scan = createLazyResource(parts.openScan);
  const vocabulary =
    parts.expandQueries && store.vocabulary
      ? createVocabulary(store, store.vocabulary, analyzers.all)
      : undefined;

  function loadedIndexes(): LoadedIndexes {
    if (indexes === undefined) {
      indexes = loadIndexes(store, analyzers, parts.words);
      unsaved = indexes.repaired > 0;
    }
    return indexes;
  }

  function loadedSemanticIndex(): Promise<SemanticIndex> {
    if (semanticIndex) return semanticIndex;
    const loading = loadSemanticIndex({
      ...{ store, openEmbedder: embedder.get, openScan: scan.get },
      idOf: (slot) => loadedIndexes().catalog.idOf(slot),
    });
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

  function changed(): void {
    known = undefined;
    edition++;
  }

  function announce(): void {
    generation = (store.getState('generation') ?? 0) + 1;
    store.setState({ generation });
    edition++;
  }

  loadedIndexes();
  return {
    vocabulary,
    indexes: loadedIndexes,
    catalog: () => loadedIndexes().catalog,
    links() {
      links ??= loadLinks(store, loadedIndexes().catalog);
      return links;
    },
    embedder: embedder.get,
    semanticIndex: loadedSemanticIndex,
    readySemanticIndex: () => ready,
    currentModel,
    changed,
    announce,
    isUnsaved: () => unsaved,
    noteUnsaved(now) {
      unsaved = now;
    },
    edition: () => edition,
    repaired: () => (unsaved ? (indexes?.repaired ?? 0) : 0),
    complete() {
      if (!complete) announce(); // to those who loaded what there was so far
      complete = true;
      changed();
    },
    facts(anew = false) {
      known = (!anew && known) || readFacts();
      // Another process may be rebuilding the index meanwhile.
      if (complete && store.getState('updated') !== undefined) return known;
      const { updated, ...facts } = known;
      return facts;
    },
    rest() {
      if (unsaved || semanticIndex) return;
      indexes = links = undefined;
      vocabulary?.forget();
    },
    refresh() {
      const current = store.getState('generation') ?? 0;
      if (current === generation) return false;
      generation = current;
      complete = store.getState('updated') !== undefined; // before the documents, which may all be there a moment later
      indexes = links = semanticIndex = ready = undefined;
      loadedIndexes();
      vocabulary?.forget();
      changed();
      return true;
    },
    async close() {
      await parts.reranker.close();
      await Promise.all([embedder.close(), scan.close()]);
      store.close();
    },
  };
}
