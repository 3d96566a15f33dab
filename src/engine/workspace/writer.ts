/** Changes the store and what is in memory together: nothing else changes both. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { PathScope } from '../../core/model/document.ts';
import type { DocumentRecord, SkippedFile, SourceFile } from '../../core/ports.ts';
import type { ReadBatch } from '../../core/read-batch.ts';
import type { Steps } from '../../core/steps.ts';
import type { KeyedVector, PutDocument } from '../../core/storage.ts';
import { inTurns, TURN_MS } from '../in-turns.ts';
import type { Lifecycle } from './lifecycle.ts';
import { type IndexedDocument, readBack } from './loaded-indexes.ts';
import type { SemanticIndex } from './semantic-index.ts';
import type { BatchedDocument, WorkspaceParts } from './workspace-parts.ts';

/** Raise it when reading or cutting changes: every file is then read again, and only new passages embedded. */
const READER_VERSION = 8;

/** Attempts to empty the log, and the pause between them. */
const TRIES = 4;
const RETRY_MS = 50;

export type Writer = ReturnType<typeof createWriter>;

export function createWriter(parts: WorkspaceParts, loaded: Lifecycle) {
  const { store, clock, chunking } = parts;
  const roots = parts.collections.map(({ name, root }) => `${name}=${root}`).sort(); // their order means nothing
  const fingerprint = JSON.stringify({ reader: READER_VERSION, chunking, roots });
  /** Whether text of removed documents may be in the vocabulary or in the log of changes; a run that was killed may have left some. */
  let hasRemains = true;

  /** A document about to be removed; a damaged one is removed as well. */
  function formerOf(number: number): IndexedDocument | undefined {
    hasRemains = true;
    try {
      const record = store.document(number);
      return record && readBack(store, record);
    } catch {
      return undefined;
    }
  }

  /** Passages that were embedded before, such as those of a renamed file, have their vectors at once. */
  function* addKnownVectors({ embedder, semantic }: SemanticIndex, slots: readonly number[]): Steps<void> {
    for (const slot of slots) {
      const vector = store.vector(embedder.model, slot);
      if (vector) semantic.addVector(slot, vector);
      yield;
    }
  }

  return {
    /** Whether all files must be read again, because they were cut by other rules. */
    fingerprintChanged: () => loaded.catalog().documents > 0 && store.getState('fingerprint') !== fingerprint,
    /** If only some must: collections, folders and documents with files that are still cut by other rules. */
    staleDocuments: (): readonly string[] =>
      store.getState('fingerprint') === fingerprint ? (store.getState('staleDocuments') ?? []) : [],
    /** Saves which documents are stale: those of some collections, folders and paths, or all. */
    noteStaleDocuments(staleDocuments: readonly string[] | 'anywhere') {
      store.setState(
        staleDocuments === 'anywhere' ? { fingerprint: 'mixed' } : { staleDocuments, fingerprint },
      );
    },
    /** Adds documents that were read together, and their words. */
    async put(batch: readonly BatchedDocument[], words: ReadBatch['words']) {
      const [indexes, links] = [loaded.indexes(), loaded.links()]; // before the store has the batch, or loading would find it, too
      const numbers: number[] = [];
      const slots: number[] = [];
      try {
        for (let rest = batch; rest.length > 0; await nextTurn()) rest = rest.slice(putSome(rest));
      } finally {
        indexes.addWords(words, numbers, slots);
        loaded.noteUnsaved(true);
        loaded.changed();
      }
      await inTurns(indexes.settle());
      const ready = loaded.readySemanticIndex();
      if (ready) await inTurns(addKnownVectors(ready, slots));
      loaded.changed();

      /** As many as one turn has time for, in one transaction; returns how many. */
      function putSome(rest: readonly BatchedDocument[]): number {
        const end = clock.monotonic() + TURN_MS;
        const done: (BatchedDocument & PutDocument & { readonly former: IndexedDocument | undefined })[] = [];
        store.together(() => {
          for (const one of rest) {
            const former = one.replaced && formerOf(one.replaced.number);
            done.push({ ...one, former, ...store.putDocument(one.document) });
            if (clock.monotonic() > end) break;
          }
        });
        for (const { document, replaced, former, number, slots: added, removed } of done) {
          if (replaced) {
            indexes.remove(replaced.number, former);
            links.remove(replaced.number);
          }
          loaded.readySemanticIndex()?.semantic.remove(removed);
          // Read it back from the store: a substring would keep the whole text alive.
          const record = store.document(number)!;
          indexes.put({ record, slots: added, chunks: document.chunks, contents: document.contents });
          links.put(indexes.catalog.document(number)!, () => store.linksOf(number));
          numbers.push(number);
          slots.push(...added);
        }
        loaded.changed();
        return done.length;
      }
    },
    /** Takes over a new file time; the content is the same. */
    touch(document: DocumentRecord, file: SourceFile) {
      store.touchDocument(document.number, file);
      loaded.indexes().touch({ ...document, ...file });
    },
    remove(number: number) {
      const [indexes, links] = [loaded.indexes(), loaded.links()];
      const former = formerOf(number);
      const slots = store.removeDocument(number);
      loaded.readySemanticIndex()?.semantic.remove(slots);
      indexes.remove(number, former);
      links.remove(number);
      loaded.noteUnsaved(true);
      loaded.changed();
    },
    /** Notes which model the vectors are made with from now on. */
    noteModel(identity: string) {
      const isNoted = store.getState('model') === identity && store.getState('modelName') === parts.modelName;
      if (!isNoted) store.setState({ model: identity, modelName: parts.modelName });
      loaded.changed();
    },
    /** Brings links and communities up to date with the documents; `keep` if that will be done again soon. */
    settleLinks(keep: boolean) {
      if (loaded.links().settle(parts.hash, keep)) loaded.announce();
    },
    /**
     * Saves the words of what was put or removed, if anything was.
     * @param all whether all words of removed documents go now, also those in large segments. @default false
     */
    async flush(all = false) {
      const due = all && loaded.indexes().holdsRemoved();
      if (due) hasRemains = true;
      if (!loaded.isUnsaved() && !due) return;
      await inTurns(loaded.indexes().flush(all));
      loaded.noteUnsaved(false);
      loaded.announce();
    },
    /** Notes that all files have been read, or those in `scope`. */
    finishReading(skipped: readonly SkippedFile[], scope?: PathScope) {
      const before = (scope && store.getState('skipped')) ?? [];
      const elsewhere = before.filter(({ path }) => !scope?.covers(path));
      store.setState({
        roots: parts.collections.map(({ root }) => root),
        skipped: [...elsewhere, ...skipped],
        updated: new Date(clock.now()).toISOString(),
      });
      loaded.complete();
    },
    putVectors(model: string, vectors: readonly KeyedVector[]) {
      store.putVectors(model, vectors);
      loaded.changed();
      const ready = loaded.readySemanticIndex();
      if (!ready) return;
      const byKey = new Map(vectors.map(({ key, vector }) => [key, vector]));
      for (const { slot, key } of store.slotsOfVectorKeys([...byKey.keys()])) {
        ready.semantic.addVector(slot, byKey.get(key)!);
      }
    },
    /** Brings the words that queries are expanded from up to date, where they are kept. */
    async updateVocabulary(signal?: AbortSignal) {
      if (!parts.expandQueries) return;
      const embedder = await loaded.embedder();
      await loaded.vocabulary?.update(embedder, loaded.indexes().documents.segments(), signal);
    },
    /**
     * Takes the words of removed documents from the vocabulary and their text from the log of changes.
     * @returns false while other processes read the log: the next call tries again
     */
    async clearRemains() {
      if (!hasRemains) return true;
      loaded.vocabulary?.prune(loaded.currentModel(), loaded.indexes().documents.segments());
      hasRemains = !(await attempt(store.truncateLog));
      return !hasRemains;
    },
    /** Makes the words of all documents again from their stored text; `flush` saves them. */
    async readAgain() {
      await inTurns(loaded.indexes().readAgain());
      loaded.noteUnsaved(true);
      hasRemains = true;
    },
    /** Drops the vectors and words that no document needs, all of them; returns how many vectors. */
    forgetUnused() {
      const model = loaded.currentModel();
      if (parts.expandQueries) loaded.vocabulary?.prune(model, loaded.indexes().documents.segments());
      else store.vocabulary?.update(model, store.vocabulary.words(model), []);
      return store.pruneVectors(undefined, 0);
    },
  };
}

/** Tries for a moment: a search by another process reads for some milliseconds. */
async function attempt(work: () => boolean): Promise<boolean> {
  for (let tries = 1; !work(); tries++) {
    if (tries === TRIES) return false;
    await sleep(RETRY_MS);
  }
  return true;
}
