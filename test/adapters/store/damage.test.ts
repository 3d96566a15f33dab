/** Damage anywhere in an index file: the store says so or does not notice, but it never fails otherwise. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { removeDatabase } from '../../../src/adapters/store/open-database.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite-store.ts';
import { DocfuseError } from '../../../src/core/errors.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { sampleDocument } from './sample.ts';

const ROUNDS = 80;

it('gives a clear error or works, wherever the file is damaged', () => {
  const file = join(temporaryFolder(), 'index.sqlite');
  const sound = makeIndex(file);
  const random = generator(20261122);
  const codes = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    removeDatabase(file);
    writeFileSync(file, damage(sound, random));
    const code = useEverything(file);
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  expect([...codes.keys()].sort()).toEqual(expect.arrayContaining(['index_damaged']));
  expect(codes.get('index_damaged')).toBeGreaterThan(ROUNDS / 4);
});

it('notices that the end of the file is gone', () => {
  const file = join(temporaryFolder(), 'index.sqlite');
  const sound = makeIndex(file);
  removeDatabase(file);
  writeFileSync(file, sound.subarray(0, sound.length / 2));
  expect(useEverything(file)).toBe('index_damaged');
});

it('notices that an index over its documents missed a write', () => {
  const file = join(temporaryFolder(), 'index.sqlite');
  const store = openSqliteStore(file);
  const numbers = ['a.md', 'b.md', 'c.md'].map(
    (path) => store.putDocument(sampleDocument(path, [path])).number,
  );
  store.close();
  const database = new DatabaseSync(file);
  const { rootpage } = database
    .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_documents_1'")
    .get() as { rootpage: number };
  const { page_size: size } = database.prepare('PRAGMA page_size').get() as { page_size: number };
  database.close();
  const page = [(rootpage - 1) * size, rootpage * size] as const;
  const missed = readFileSync(file).subarray(...page);
  const later = openSqliteStore(file);
  later.removeDocument(numbers[0]!);
  later.close();
  const bytes = readFileSync(file);
  bytes.set(missed, page[0]);
  writeFileSync(file, bytes);

  const damaged = openSqliteStore(file);
  expect(() => [...damaged.documents()]).toThrow(/an SQLite index of documents has missing or extra rows/);
  expect(damaged.problems()).not.toEqual([]);
  damaged.close();
});

it('notices that the passages of chunks are not in order', () => {
  const file = join(temporaryFolder(), 'index.sqlite');
  makeIndex(file);
  const database = new DatabaseSync(file, { defensive: false });
  database.exec(`PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, '(passage)', '(passage DESC)') WHERE name = 'chunks_by_passage'`);
  database.close();
  const store = openSqliteStore(file);
  expect(() => [...store.vectors('m')]).toThrow(expect.objectContaining({ code: 'index_damaged' }));
  store.close();
});

it('gives what is left of a passage or a model that was lost to no other', () => {
  const file = join(temporaryFolder(), 'index.sqlite');
  const store = openSqliteStore(file);
  const first = store.putDocument(sampleDocument('a.md', ['one']));
  const one = Float32Array.of(1, 0);
  for (const model of ['m', 'other'])
    store.putVectors(model, [{ key: store.missingVectors(model, 1)[0]!.key, vector: one }]);
  store.close();
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  database.exec("DELETE FROM passages; DELETE FROM models WHERE name = 'other'");
  database.close();

  const again = openSqliteStore(file);
  const { slots } = again.putDocument(sampleDocument('b.md', ['two']));
  expect(again.vector('m', slots[0]!)).toBeUndefined();
  const [missing] = again.missingVectors('third', 9);
  again.putVectors('third', [{ key: missing!.key, vector: Float32Array.of(0, 1) }]);
  expect([...again.vectors('third')].map(({ slot }) => slot)).toEqual(slots);
  expect(again.vector('m', first.slots[0]!)).toEqual(one);
  // The text of the first could never be embedded again.
  expect(() => again.pruneVectors(['third'], 0)).toThrow(/the key of a passage is missing/);
  again.close();
});

function makeIndex(file: string): Uint8Array {
  const store = openSqliteStore(file);
  for (let i = 0; i < 40; i++) {
    store.putDocument(sampleDocument(`${i}.md`, [`text ${i} `.repeat(50), `more ${i} `.repeat(20)]));
  }
  const vectors = store
    .missingVectors('m', 1000)
    .map(({ key }) => ({ key, vector: new Float32Array(96).fill(0.5) }));
  store.putVectors('m', vectors);
  store.segments.put('chunks', new Uint8Array(50_000).fill(1));
  store.close();
  return readFileSync(file);
}

/** Overwrites a run of bytes, with noise, zeros or ones. */
function damage(sound: Uint8Array, random: () => number): Uint8Array {
  const bytes = Uint8Array.from(sound);
  const length = 1 + Math.floor(random() ** 3 * 30_000);
  const start = Math.floor(random() * bytes.length);
  const kind = Math.floor(random() * 3);
  for (let i = start; i < Math.min(bytes.length, start + length); i++) {
    bytes[i] = kind === 0 ? Math.floor(random() * 256) : kind === 1 ? 0 : 255;
  }
  return bytes;
}

/** Runs every method; returns the code of the error that came, or `fine`. */
function useEverything(file: string): string {
  try {
    const store = openSqliteStore(file);
    try {
      const numbers = [...store.documents()].map((document) => document.number);
      const slots = numbers.flatMap(store.headsOf).map((head) => head.slot);
      void store.slotsByDocument();
      for (const number of numbers) void [store.chunksOf(number), store.linksOf(number)];
      for (const slot of slots) void [store.chunks([slot]), store.vector('m', slot)];
      void [
        store.parents(['p3.md']),
        [...store.vectors('m')],
        [...store.segments.read('chunks')],
        store.counts('m'),
      ];
      void [
        store.missingVectors('other', 100),
        store.countMissingVectors('other'),
        store.getState('updated'),
      ];
      void [...store.slotsOfVectorKeys(['x'])];
      store.putDocument(sampleDocument('3.md', ['new']));
      store.putVectors('m', [{ key: 'x', vector: Float32Array.of(1) }]);
      store.setState({ updated: 'y' });
      if (numbers[0] !== undefined)
        store.touchDocument(numbers[0], { path: '', size: 1, modified: 1, altered: 1 });
      if (numbers[0] !== undefined) store.removeDocument(numbers[0]);
      store.pruneVectors(['m'], 0);
      store.segments.use('chunks', [store.segments.put('chunks', Uint8Array.of(1))], [1]);
    } finally {
      store.close();
    }
    return 'fine';
  } catch (error) {
    if (error instanceof DocfuseError) return error.code;
    throw error;
  }
}

/** Mulberry32, so that a failure can be repeated. */
function generator(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
