/** The Store port on plain maps: what every store is compared with. It keeps neither segments nor a vocabulary. */

import { embeddingText } from '../../src/core/chunk/chunk-head.ts';
import { packVector, unpackVector } from '../../src/core/indexes/packed-vector.ts';
import type { ChunkHead, ChunkRecord, DocumentRecord, NewDocument } from '../../src/core/ports.ts';
import type { IndexState, Store } from '../../src/core/storage.ts';

interface Held {
  readonly record: DocumentRecord;
  readonly chunks: readonly ChunkRecord[];
  readonly given: NewDocument;
}

interface Row {
  readonly model: string;
  readonly key: string;
  readonly vector: Float32Array;
}

/** All that a store keeps. */
interface Kept {
  readonly state: Partial<IndexState>;
  readonly held: ReadonlyMap<number, Held>;
  /** Those whose last passage went away stand at the end, in the order in which they did. */
  readonly rows: readonly Row[];
  readonly last: readonly [number: number, slot: number];
}

export interface ReferenceStore extends Store {
  /** Another store, which keeps the same and changes apart. */
  copy(): ReferenceStore;
  /** Another store, with the vectors alone, by the keys that their texts get. Without `keyOf`, it is empty. */
  renewed(keyOf?: (text: string) => string): ReferenceStore;
}

/** Numbers of documents and slots count up from 1. */
export function createReferenceStore(kept?: Kept): ReferenceStore {
  let state: Partial<IndexState> = { ...kept?.state };
  let held = new Map<number, Held>(kept?.held);
  let rows: Row[] = [...(kept?.rows ?? [])];
  let [lastNumber, lastSlot] = kept?.last ?? [0, 0];

  const all = () => [...held.values()];
  const allChunks = () => all().flatMap(({ chunks }) => chunks);
  const placed = () => all().flatMap(({ chunks, given }) => chunks.map((chunk, i) => ({ chunk, given, i })));
  const keyed = () => placed().map(({ chunk, given, i }) => ({ chunk, key: given.vectorKeys[i]! }));
  const textsByKey = (except: readonly number[] = []) =>
    new Map(
      keyed()
        .filter(({ chunk }) => !except.includes(chunk.document))
        .map(({ chunk, key }) => [key, embeddingText(chunk)]),
    );
  const rowOf = (model: string, key: string) => rows.find((row) => row.model === model && row.key === key);
  const orphans = () => rows.filter(({ key }) => !textsByKey().has(key));

  function missing(model: string, except: readonly number[] = []) {
    return [...textsByKey(except)]
      .filter(([key]) => !rowOf(model, key))
      .map(([key, text]) => ({ key, text }));
  }

  function take(number: number): Held | undefined {
    const found = held.get(number);
    held.delete(number);
    return found;
  }

  function moveOrphans(keys: readonly string[]): void {
    for (const key of new Set(keys.filter((each) => !textsByKey().has(each)))) {
      const moved = rows.filter((row) => row.key === key);
      rows = [...rows.filter((row) => row.key !== key), ...moved];
    }
  }

  function together(work: () => void): void {
    const before = { state: { ...state }, held: new Map(held), rows };
    try {
      work();
    } catch (error) {
      ({ state, held, rows } = before);
      throw error;
    }
  }

  function insert(document: NewDocument): Held {
    const given = structuredClone(document);
    const { chunks, parents: _, links: __, vectorKeys: ___, contents: ____, ...record } = given;
    const number = ++lastNumber;
    const stored = {
      record: { ...record, number },
      chunks: chunks.map((chunk) => ({ ...chunk, slot: ++lastSlot, document: number })),
      given,
    };
    held.set(number, stored);
    return stored;
  }

  return {
    readOnly: false,
    together,
    getState: (key) => state[key],
    hasState: (key) => state[key] !== undefined,
    setState: (changes) => void Object.assign(state, structuredClone(changes)),
    documents: () => all().map(({ record }) => record),
    files: () =>
      all().map(({ record: { number, id, collection, path, size, modified, altered, hash } }) => {
        return { number, id, collection, path, size, modified, altered, hash };
      }),
    documentsWithWarnings: () => all().flatMap(({ record }) => (record.warnings.length > 0 ? [record] : [])),
    documentsEdition: () => [...held.keys()].join(),
    document: (number) => held.get(number)?.record,
    slotsByDocument: () =>
      new Map(
        [...Map.groupBy(allChunks(), ({ document }) => document)].map(([document, chunks]) => [
          document,
          chunks.map(({ slot }) => slot),
        ]),
      ),
    headsOf: (document) =>
      placed()
        .map(headOf)
        .filter((head) => head.document === document),
    chunks: (slots) => slots.flatMap((slot) => allChunks().find((chunk) => chunk.slot === slot) ?? []),
    texts: (slots) =>
      slots
        .flatMap((slot) => allChunks().find((chunk) => chunk.slot === slot) ?? [])
        .map((chunk) => chunk.text.slice(chunk.overlap)),
    chunksOf: (document) => held.get(document)?.chunks ?? [],
    parents: (ids) =>
      ids.flatMap(
        (id) => all().flatMap(({ given }) => given.parents.filter((parent) => parent.id === id))[0] ?? [],
      ),
    linksOf: (document) => held.get(document)?.given.links ?? [],
    links: () =>
      all().flatMap(({ record, given }) => given.links.map((link) => ({ document: record.number, link }))),
    putDocument(document) {
      const { chunks: given, vectorKeys, contents } = document;
      if (given.some((_, i) => vectorKeys[i] === undefined || contents[i] === undefined))
        throw new RangeError('a chunk has no key or no hash');
      const before = all().find(({ record }) => record.id === document.id);
      const removed = before && take(before.record.number);
      const { record, chunks } = insert(document);
      moveOrphans(removed?.given.vectorKeys ?? []);
      const slots = chunks.map(({ slot }) => slot);
      return { number: record.number, slots, removed: removed?.chunks.map(({ slot }) => slot) ?? [] };
    },
    touchDocument(number, { modified, altered, size }) {
      const found = held.get(number);
      if (found) held.set(number, { ...found, record: { ...found.record, modified, altered, size } });
    },
    removeDocument(number) {
      const removed = take(number);
      moveOrphans(removed?.given.vectorKeys ?? []);
      return removed?.chunks.map(({ slot }) => slot) ?? [];
    },
    missingVectors: (model, limit, except) =>
      missing(model, except)
        .sort((a, b) => a.text.length - b.text.length)
        .slice(0, limit),
    countMissingVectors: (model, except) => ({
      texts: missing(model, except).length,
      characters: missing(model, except).reduce((sum, { text }) => sum + text.length, 0),
      of: textsByKey(except).size,
    }),
    putVectors(model, vectors) {
      for (const { key, vector } of vectors) {
        const row = { model, key, vector: unpackVector(packVector(vector)) };
        const place = rows.findIndex((each) => each.model === model && each.key === key);
        if (place < 0) rows.push(row);
        else rows[place] = row;
      }
    },
    vectors: (model) =>
      keyed().flatMap(({ chunk, key }) => {
        const row = rowOf(model, key);
        return row ? [{ slot: chunk.slot, packed: packVector(row.vector) }] : [];
      }),
    slotsOfVectorKeys: (keys) =>
      [...new Set(keys)].flatMap((key) =>
        keyed()
          .filter((each) => each.key === key)
          .map(({ chunk }) => chunk.slot),
      ),
    vector(model, slot) {
      const found = keyed().find(({ chunk }) => chunk.slot === slot);
      return found && rowOf(model, found.key)?.vector;
    },
    pruneVectors(models, keep) {
      const before = rows.length;
      if (models !== undefined) rows = rows.filter((row) => models.includes(row.model));
      const unused = orphans();
      // A text keeps the vectors of all models, or none.
      const kept = new Set(unused.slice(Math.max(0, unused.length - keep)).map(({ key }) => key));
      rows = rows.filter((row) => !unused.includes(row) || kept.has(row.key));
      return before - rows.length;
    },
    countKeptVectors: () => orphans().length,
    counts: (model) => ({
      documents: held.size,
      chunks: allChunks().length,
      embedded: keyed().filter(({ key }) => rowOf(model, key)).length,
    }),
    countLinks: () => all().flatMap(({ given }) => given.links).length,
    bytes: () => 0,
    truncateLog: () => true,
    problems: () => [],
    close() {},
    copy: () => createReferenceStore({ state, held, rows, last: [lastNumber, lastSlot] }),
    renewed(keyOf) {
      const texts = textsByKey();
      const renamed = rows.flatMap((row) => {
        const text = texts.get(row.key);
        return keyOf && text !== undefined ? [{ ...row, key: keyOf(text) }] : [];
      });
      const { generation = 0 } = state;
      return createReferenceStore({
        state: { generation: generation + 1 },
        held: new Map(),
        rows: renamed,
        last: [lastNumber, lastSlot],
      });
    },
  };
}

function headOf({ chunk, given, i }: { chunk: ChunkRecord; given: NewDocument; i: number }): ChunkHead {
  const languages = new Set(chunk.codeBlocks.map(({ language }) => language).filter(Boolean));
  const { slot, id, document, parentId } = chunk;
  return {
    ...{ slot, id, document, languages: [...languages], content: given.contents[i]! },
    ...(parentId !== undefined && { parentId }),
  };
}
