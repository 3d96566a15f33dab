/** Changes the store and the loaded indexes together. All changes of documents and vectors go through this file. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Link, PathScope } from '../../core/model/document.ts';
import type { SourceFile } from '../../core/ports.ts';
import type { ReadBatch } from '../../core/read-batch.ts';
import type { Steps } from '../../core/steps.ts';
import type { IndexState, KeyedVector, PutDocument } from '../../core/storage.ts';
import type { Lifecycle } from './lifecycle.ts';
import { analysisOf, type IndexedDocument, readBack } from './loaded-indexes.ts';
import { notePlainQuestions } from './question-centre.ts';
import { areWordsLost } from './saved-segments.ts';
import type { SemanticIndex } from './semantic-index.ts';
import type { BatchedDocument, WorkspaceParts } from './workspace-parts.ts';

/** Raise this number when reading or chunking changes. Every file is then read again; only new passages are embedded. */
const READER_VERSION = 17;

/** Max attempts to empty the log. Between two attempts, the writer waits `RETRY_MS`. */
const TRIES = 4;
const RETRY_MS = 50;

export type Writer = ReturnType<typeof createWriter>;

export function createWriter(parts: WorkspaceParts, loaded: Lifecycle) {
  const { store, clock, chunking } = parts;
  const roots = parts.collections.map(({ name, root }) => `${name}=${root}`).sort(); // the order of roots has no effect
  const fingerprint = JSON.stringify({ reader: READER_VERSION, chunking, roots });
  /** Whether vocabulary or log may hold text of removed documents. True at the start: a killed run may have left text there. */
  let hasRemains = true;
  /** Whether file times were noted that other processes have not been told of. */
  let isTouched = false;

  /** Reads a document that will be removed; undefined if the document is damaged: it can be removed anyway. */
  function formerOf(number: number): (IndexedDocument & { readonly links: readonly Link[] }) | undefined {
    hasRemains = true;
    try {
      const record = store.document(number);
      return record && { ...readBack(store, record), links: store.linksOf(number) };
    } catch {
      return undefined;
    }
  }

  /** Whether the saved words match the current documents and rules. If so, loading them is needed only to repair damage. */
  function areWordsSaved(): boolean {
    const isCurrent = store.getState('wordsSaved') === store.documentsEdition();
    return isCurrent && store.getState('analysis') === analysisOf(parts.analyzers);
  }

  /** Adds vectors that the store already has, such as those of passages of a renamed file. */
  function* addKnownVectors({ embedder, semantic }: SemanticIndex, slots: readonly number[]): Steps<void> {
    for (const slot of slots) {
      const vector = store.vector(embedder.model, slot);
      if (vector) semantic.addVector(slot, vector);
      yield;
    }
  }

  /**
   * Saves the words of documents that were put, and drops words of removed documents.
   * @param all whether to drop all words of removed documents, even if large segments must be rewritten. @default false
   * @param verifies whether the run checks stored data later. If so, saved words are not loaded here. @default false
   * @param unload whether to unload saved words; `restIfUnloaded` must be called before the lock is given up. @default false
   */
  async function flush({ all = false, verifies = false, unload = false } = {}): Promise<void> {
    if (verifies && !loaded.isLoaded() && areWordsSaved()) return;
    const indexes = loaded.indexes();
    const due = all && indexes.holdsRemoved();
    if (due) hasRemains = true;
    if (loaded.isUnsaved() || due) {
      await saveWords(all, unload);
      loaded.announce();
    }
    if (all && !areWordsSaved()) store.setState({ wordsSaved: store.documentsEdition() });
  }

  /** Saves words. If saved words are damaged, loads all again and repeats: loading makes lost words again from the text. */
  async function saveWords(...how: readonly [all: boolean, unload: boolean]): Promise<void> {
    const save = async () => {
      const indexes = loaded.indexes();
      await inTurns(indexes.flush(...how));
      return indexes;
    };
    const saved = await save().catch((error: unknown) => {
      if (!areWordsLost(error)) throw error;
      loaded.reloadWords();
      return save();
    });
    // A search may have loaded the indexes again meanwhile. The words that were made again then are not saved.
    if (loaded.indexes() === saved) loaded.noteUnsaved(false);
  }

  const documentSegments = () => loaded.checkedIndexes().documents.segments();

  return {
    /** Whether all files must be read again, because they were read or chunked by other rules. */
    fingerprintChanged: () => store.getState('fingerprint') !== fingerprint && loaded.catalog().documents > 0,
    /** Ids of collections, folders and documents that were read by other rules. Empty if `fingerprintChanged`: all are stale. */
    staleDocuments: (): readonly string[] =>
      store.getState('fingerprint') === fingerprint ? (store.getState('staleDocuments') ?? []) : [],
    /** Saves which documents are stale: ids of collections, folders and documents, or `anywhere` for all. */
    noteStaleDocuments(staleDocuments: readonly string[] | 'anywhere') {
      store.setState(
        staleDocuments === 'anywhere' ? { fingerprint: 'mixed' } : { staleDocuments, fingerprint },
      );
    },
    /** Adds documents that were read together, and their words. */
    async put(batch: readonly BatchedDocument[], words: ReadBatch['words']) {
      const [indexes, links] = [loaded.indexes(), loaded.links()]; // load before the store holds the batch, or the batch would be added twice
      loaded.noteUnsaved(true); // before documents are put: the indexes must not be unloaded meanwhile
      links.follow();
      const numbers: number[] = [];
      const slots: number[] = [];
      try {
        for (let rest = batch; rest.length > 0; await nextTurn()) rest = rest.slice(putSome(rest));
      } finally {
        // A search that meets damaged words loads the indexes again, and they lack what was put since.
        if (loaded.indexes() === indexes) indexes.addWords(words, numbers, slots);
        else loaded.reloadWords();
        loaded.changed();
      }
      await inTurns(loaded.indexes().settle());
      for (const ready of loaded.models.ready()) await inTurns(addKnownVectors(ready, slots));
      loaded.changed();

      /** Puts documents in one transaction until `TURN_MS` have passed. Returns their number. */
      function putSome(rest: readonly BatchedDocument[]): number {
        const end = clock.monotonic() + TURN_MS;
        const done: (BatchedDocument & PutDocument & { readonly former: ReturnType<typeof formerOf> })[] = [];
        store.together(() => {
          for (const one of rest) {
            const former = one.replaced && formerOf(one.replaced.number);
            done.push({ ...one, former, ...store.putDocument(one.document) });
            if (clock.monotonic() > end) break;
          }
        });
        for (const { replaced, former, number, slots: added, removed } of done) {
          if (replaced) {
            links.remove(replaced.number, former?.links);
            indexes.remove(replaced.number, former);
          }
          for (const { semantic } of loaded.models.ready()) semantic.remove(removed);
          // Read the record back from the store: a substring would keep the whole text alive.
          const record = store.document(number)!;
          indexes.put(record, added);
          links.put(indexes.catalog.document(number)!, () => store.linksOf(number));
          numbers.push(number);
          slots.push(...added);
        }
        loaded.changed();
        return done.length;
      }
    },
    /** Notes a new file time of a document with unchanged content. */
    touch(number: number, file: SourceFile) {
      store.touchDocument(number, file);
      isTouched = true;
      if (loaded.isLoaded()) loaded.indexes().touch(store.document(number)!);
    },
    remove(number: number) {
      const [indexes, links] = [loaded.indexes(), loaded.links()];
      links.follow();
      const former = formerOf(number);
      const slots = store.removeDocument(number);
      for (const { semantic } of loaded.models.ready()) semantic.remove(slots);
      links.remove(number, former?.links);
      indexes.remove(number, former);
      loaded.noteUnsaved(true);
      loaded.changed();
    },
    /** Prepares the models to embed with: saves their identities, and finds the languages of new documents. */
    async prepareModels() {
      await loaded.models.note();
      if (parts.multilingual) {
        await notePlainQuestions(store, await loaded.models.covering.embedder());
        await inTurns(loaded.models.languages.update(await parts.openDetector()));
      }
      loaded.changed();
      return loaded.models.toEmbed();
    },
    settleLinks() {
      if (loaded.links().settle()) loaded.announce();
    },
    flush,
    /** Loads the words, and saves those that were missing or damaged. */
    async repairWords() {
      if (loaded.repaired() > 0) await flush();
    },
    /** Records in the store that all files, or those in `scope`, were read. */
    finishReading(
      { skipped, notConverted }: Pick<IndexState, 'skipped' | 'notConverted'>,
      scope?: PathScope,
    ) {
      const before = (scope && store.getState('skipped')) ?? [];
      const elsewhere = before.filter(({ path }) => !scope?.covers(path));
      const tried = Object.entries((scope && store.getState('notConverted')) ?? {});
      store.setState({
        roots: parts.collections.map(({ root }) => root),
        skipped: [...elsewhere, ...skipped],
        notConverted: {
          ...Object.fromEntries(tried.filter(([path]) => !scope?.covers(path))),
          ...notConverted,
        },
        updated: new Date(clock.now()).toISOString(),
      });
      loaded.complete();
      if (isTouched) loaded.announce();
      isTouched = false;
    },
    putVectors(model: string, vectors: readonly KeyedVector[]) {
      store.putVectors(model, vectors);
      loaded.changed();
      const ready = loaded.models.ready().find(({ embedder }) => embedder.model === model);
      if (!ready) return;
      // Reads the vectors that the store has rounded, so that answers are the same after the index is opened again.
      for (const slot of store.slotsOfVectorKeys(vectors.map(({ key }) => key)))
        ready.semantic.addVector(slot, store.vector(model, slot)!);
    },
    async updateVocabulary(signal?: AbortSignal) {
      if (!parts.expandQueries) return;
      const embedder = await loaded.models.first.embedder();
      await loaded.vocabulary?.update(embedder, documentSegments(), signal);
    },
    /**
     * Removes the words of removed documents from the vocabulary, and their text from the log.
     * @returns false if other processes were reading the log; the next call tries again
     */
    async clearRemains() {
      if (!hasRemains) return true;
      loaded.vocabulary?.prune(loaded.models.first.identity(), documentSegments);
      hasRemains = !(await attempt(store.truncateLog));
      return !hasRemains;
    },
    /** Makes the words of all documents again from their stored texts. `flush` saves them. */
    async readAgain() {
      await inTurns(loaded.indexes().readAgain());
      loaded.noteUnsaved(true);
      hasRemains = true;
    },
    /** Deletes all vectors and vocabulary words that no document needs. Returns the number of deleted vectors. */
    forgetUnused() {
      const model = loaded.models.first.identity();
      if (parts.expandQueries) loaded.vocabulary?.prune(model, documentSegments);
      else store.vocabulary?.update(model, store.vocabulary.words(model), []);
      return store.pruneVectors(undefined, 0);
    },
  };
}

/** Runs `work` until it returns true, at most `TRIES` times: a search in another process may use the log for milliseconds. */
async function attempt(work: () => boolean): Promise<boolean> {
  for (let tries = 1; !work(); tries++) {
    if (tries === TRIES) return false;
    await sleep(RETRY_MS);
  }
  return true;
}

/** Milliseconds of work before yielding: short compared with a search, but long enough that yielding costs little. */
const TURN_MS = 25;

export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  let end = performance.now() + TURN_MS;
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() < end) continue;
    await nextTurn();
    end = performance.now() + TURN_MS;
  }
}
