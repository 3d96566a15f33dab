/** Loads the parts of a workspace at their first use, loads them again after another process wrote, unloads and closes them. */
import { DocfuseError } from '../../core/errors.ts';
import type { Thesaurus } from '../../core/ports.ts';
import type { IndexFacts } from '../api.ts';
import { createEmbeddingModels } from './embedding-models.ts';
import { type LoadedIndexes, loadIndexes } from './loaded-indexes.ts';
import { type LoadedLinks, loadLinks } from './loaded-links.ts';
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
  let thesaurus: Thesaurus | undefined;
  let known: IndexFacts | undefined;
  let edition = 0;
  const models = createEmbeddingModels(parts, {
    idOf: (slot) => loadedIndexes().catalog.idOf(slot),
    slotLimit: () => loadedIndexes().catalog.slotLimit,
    indexes: loadedIndexes,
    // Counts again also if vectors were missing: another process may have made some, and announces them only at the end of its run.
    onLoaded: (isOther) => {
      if (isOther || known?.stale) changed();
    },
  });
  const vocabulary = store.vocabulary && createVocabulary(store, store.vocabulary, analyzers.all);

  /** @param check whether to read all words to find damage. @default false */
  function loadedIndexes(check = false): LoadedIndexes {
    if (indexes === undefined) {
      indexes = loadIndexes(store, analyzers, { words: parts.words, check });
      unsaved = indexes.repaired > 0;
    }
    return indexes;
  }

  /** Reads all saved words. If some were replaced meanwhile or are damaged, everything is loaded again. */
  function checkWords(): void {
    try {
      loadedIndexes().check();
    } catch (error) {
      if (!(error instanceof DocfuseError)) throw error;
      reload(true);
    }
  }

  function checkedIndexes(): LoadedIndexes {
    checkWords();
    return loadedIndexes();
  }

  /** Loads again what was loaded, because its rows were replaced. @param check as in `loadedIndexes` */
  function reload(check = false): void {
    const wasLoaded = indexes !== undefined;
    indexes = links = undefined;
    models.forget();
    if (wasLoaded) loadedIndexes(check);
    vocabulary?.forget();
    changed();
  }

  function readFacts(): IndexFacts {
    const counts = store.counts(models.first.identity());
    const { documents, chunks } = counts;
    const each = models.facts(counts);
    const updated = store.getState('updated');
    return {
      documents,
      chunks,
      embedded: each.at(-1)!.embedded,
      model: each[0]!.model,
      ...(each.length > 1 && { models: each }),
      stale: each.some(({ embedded, of }) => embedded < of),
      ...(updated ? { updated } : {}),
    };
  }

  /** Notes a change that may change an answer. The next `facts` counts again. */
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

  return {
    /** Absent if the store has no vocabulary. */
    vocabulary,
    indexes: loadedIndexes,
    checkedIndexes,
    checkWords,
    /** Loads everything again, and makes lost words again from the text. */
    reloadWords: () => reload(true),
    isLoaded: () => indexes !== undefined,
    catalog: () => loadedIndexes().catalog,
    /** The words of all passages and documents, for an export. */
    wordSegments() {
      const { keyword, documents } = checkedIndexes();
      return { passageWords: keyword.segments(), documentWords: documents.segments() };
    },
    /** The words of passages, documents and code with their statistics, for a publication. */
    wordStatistics() {
      const { keyword, documents, code } = checkedIndexes();
      return {
        passages: keyword.statistics(),
        documents: documents.statistics(),
        code: code.statistics(),
        documentsWith: documents.countOf,
        words: keyword,
        wholeWords: documents,
      };
    },
    links(): LoadedLinks {
      links ??= loadLinks(store, () => loadedIndexes().catalog, parts.clock);
      return links;
    },
    /** Undefined if synonyms are switched off. */
    thesaurus() {
      thesaurus ??= parts.openThesaurus?.();
      return thesaurus;
    },
    models,
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
    repaired() {
      checkWords();
      const { repaired } = loadedIndexes();
      return unsaved ? repaired : 0;
    },
    /** Notes that a sync has read its files. */
    complete() {
      if (!complete) announce(); // other processes may have loaded an incomplete index
      complete = true;
      changed();
    },
    /** @param again whether to count again. @default false */
    facts(again = false): IndexFacts {
      known = (!again && known) || readFacts();
      // `updated` is left out while the index is incomplete, for example because another process is rebuilding it.
      if (complete && store.getState('updated') !== undefined) return known;
      const { updated, ...facts } = known;
      return facts;
    },
    /** Unloads the indexes until the next use. Does nothing while vectors are loaded or words are unsaved. */
    rest() {
      if (unsaved || models.isInUse()) return;
      indexes = links = undefined;
      vocabulary?.forget();
    },
    /**
     * Unloads the indexes until the next use if saved words were unloaded: once the lock is given up, other processes may replace
     * these words. Unsaved words are made again from the stored texts at the next use, so nobody may be putting documents.
     */
    restIfUnloaded() {
      if (!indexes?.isUnloaded()) return;
      indexes = links = undefined;
      unsaved = false;
      vocabulary?.forget();
    },
    /** Loads the index again if another process has written to it, and returns whether one has. */
    refresh(): boolean {
      const current = store.getState('generation') ?? 0;
      if (current === generation) return false;
      generation = current;
      complete = store.getState('updated') !== undefined; // read before the documents, because another process may complete them meanwhile
      reload();
      return true;
    },
    async close() {
      thesaurus?.close();
      await parts.reranker.close();
      await models.close();
      store.close();
    },
  };
}
