/** Copies undamaged vectors of passages and words, and facts about the model, from an index that may be damaged. */
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { embeddingText } from '../../core/chunk/chunk-head.ts';
import { largestNumber, unpackVector } from '../../core/indexes/packed-vector.ts';
import type { IndexState, RenewOptions, Store } from '../../core/storage.ts';
import { rowChecksum } from './row-checksum.ts';
import { CHUNK_COLUMNS, type Row, soundVector, toChunk, verify } from './rows.ts';
import { isDamage, isStorageTrouble } from './sqlite-errors.ts';

type ReadBlob = (blob: Uint8Array) => Float32Array;

/** The first format whose vectors are packed. */
const FIRST_PACKED = 9;

/** The first format whose vectors are 16-bit floats. Formats before it have 32-bit floats. */
const FIRST_WITH_HALVES = 8;

/** Slots that are read and copied at a time. If a database page cannot be read, the remaining slots of the batch are skipped. */
const BATCH = 256;

const VECTORS = `
  SELECT ${CHUNK_COLUMNS}, c.passage, c.languages, c.content, c.checksum AS head_checksum, m.name AS model_name, v.model,
    v.vector, v.checksum AS vector_checksum
  FROM chunks c JOIN chunk_bodies b USING (slot) JOIN vectors v ON v.passage = c.passage JOIN models m ON m.number = v.model
  WHERE c.slot BETWEEN ? AND ?`;

const LAST_SLOT = 'SELECT max(slot) AS slot FROM chunks';

const COUNT = 'SELECT count(*) AS vectors FROM chunks c JOIN vectors v ON v.passage = c.passage';

const WORDS = `
  SELECT m.name AS model_name, w.model, w.word, w.vector, w.checksum AS vector_checksum
  FROM vocabulary w JOIN models m ON m.number = w.model`;

/**
 * Copies undamaged vectors into another index, each under the key of its text. Reads ranges of `BATCH` slots: a damaged page
 * costs only vectors of the ranges that use this page.
 * @throws an error of SQLite other than damage, such as a lock
 */
export async function copyVectors(
  former: DatabaseSync,
  store: Required<Store>,
  keyOf: (text: string) => string,
  { signal, onProgress }: RenewOptions,
): Promise<void> {
  const [counted] = soundRows(former, COUNT);
  const total = Number(counted?.vectors ?? 0);
  let done = 0;
  const [format] = soundRows(former, 'PRAGMA user_version');
  if (!format) return;
  const read = readerOf(Number(format.user_version));
  const [last] = soundRows(former, LAST_SLOT);
  for (let slot = 0; slot < Number(last?.slot ?? 0); slot += BATCH) {
    const rows = [...soundRows(former, VECTORS, slot + 1, slot + BATCH)];
    const sound = rows.flatMap((row) => ifSound(() => vectorOfRow(row, keyOf, read)));
    for (const [model, vectors] of Map.groupBy(sound, (each) => each.model)) store.putVectors(model, vectors);
    done = Math.min(done + rows.length, total);
    onProgress?.(done, total);
    await nextTurn(); // lets signals and the progress display run
    signal?.throwIfAborted();
  }
  const words = [...soundRows(former, WORDS)].flatMap((row) => ifSound(() => soundWord(row, read)));
  for (const [model, wordsOfModel] of Map.groupBy(words, (each) => each.model))
    store.vocabulary.update(model, [], wordsOfModel);
  // With these facts, docfuse can count the vectors before it opens the model.
  store.setState(soundFacts(former, ['model', 'modelName']));
}

/** Reads facts; leaves out damaged ones. */
export function soundFacts(
  database: DatabaseSync,
  names: readonly (keyof IndexState)[],
): Partial<IndexState> {
  const query = `SELECT key, value, checksum FROM meta WHERE key IN ('${names.join("', '")}')`;
  const facts = [...soundRows(database, query)].flatMap(({ key, value, checksum }) =>
    ifSound(() => {
      if (rowChecksum(key as string, value as string) !== checksum) throw new RangeError('damaged');
      return [key, JSON.parse(value as string)] as const;
    }),
  );
  return Object.fromEntries(facts);
}

/**
 * Reads rows up to the first page that cannot be read. Reads no rows if a table or a column is missing.
 * @throws an error of SQLite other than damage, such as a lock: the caller may try again later and then get all rows
 */
export function* soundRows(
  database: DatabaseSync,
  query: string,
  ...values: readonly number[]
): Generator<Row> {
  try {
    yield* database.prepare(query).iterate(...values);
  } catch (error) {
    if (isStorageTrouble(error) && !isDamage(error)) throw error;
  }
}

/** @returns an empty list for a damaged row */
function ifSound<T>(check: () => T): T[] {
  try {
    return [check()];
  } catch {
    return [];
  }
}

function vectorOfRow(row: Row, keyOf: (text: string) => string, read: ReadBlob) {
  verify('chunks', { ...row, checksum: row.head_checksum });
  const key = keyOf(embeddingText(toChunk(row)));
  return { model: row.model_name as string, key, vector: vectorOf(row, row.passage as number, read) };
}

function soundWord(row: Row, read: ReadBlob) {
  const word = row.word as string;
  return { model: row.model_name as string, word, vector: vectorOf(row, word, read) };
}

function vectorOf(row: Row, of: number | string, read: ReadBlob): Float32Array {
  const vector = read(soundVector({ ...row, checksum: row.vector_checksum }, row.model as number, of));
  largestNumber(vector);
  return vector;
}

function readerOf(format: number): ReadBlob {
  if (format >= FIRST_PACKED) return unpackVector;
  return format >= FIRST_WITH_HALVES ? fromHalves : fromFloats;
}

function fromHalves({ buffer, byteOffset, byteLength }: Uint8Array): Float32Array {
  const halves = new Uint16Array(buffer as ArrayBuffer, byteOffset, byteLength / 2);
  const bits = Uint32Array.from(halves, (half) => ((half & 0x8000) << 16) | ((half & 0x7fff) << 13));
  // Moves the exponent to that of a 32-bit float. Subnormal numbers stay right.
  return new Float32Array(bits.buffer).map((value) => value * 2 ** 112);
}

function fromFloats({ buffer, byteOffset, byteLength }: Uint8Array): Float32Array {
  return new Float32Array(buffer as ArrayBuffer, byteOffset, byteLength / 4);
}
