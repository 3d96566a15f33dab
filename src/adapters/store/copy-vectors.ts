/** Reads the sound parts of a possibly damaged index: vectors, words, and their model. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { embeddingText } from '../../core/chunk/embedding-text.ts';
import type { RenewOptions, Store, WordVector } from '../../core/storage.ts';
import { rowChecksum } from './row-checksum.ts';
import { CHUNK_COLUMNS, type ChunkHeadRow, type ChunkRow, toChunk, toChunkHead, toVector } from './rows.ts';
import { isDamage, isStorageTrouble } from './sqlite-errors.ts';

/** Slots read at once, and left out together where the file cannot be read. */
const BATCH = 256;

/** Stops after this many unreadable batches in a row. */
const MAX_FAILURES = 1_000;

const VECTORS = `
  SELECT ${CHUNK_COLUMNS}, c.passage, c.languages, c.content, c.checksum AS head_checksum, m.name AS model_name, v.model,
    v.vector, v.checksum AS vector_checksum
  FROM chunks c JOIN chunk_bodies b USING (slot) JOIN vectors v ON v.passage = c.passage JOIN models m ON m.number = v.model
  WHERE c.slot BETWEEN ? AND ?`;

const COUNT = 'SELECT count(*) AS vectors FROM chunks c JOIN vectors v ON v.passage = c.passage';

const NEXT_SLOT = 'SELECT min(slot) AS slot FROM chunks WHERE slot > ?';

const WORDS = `
  SELECT m.name AS model_name, w.model, w.word, w.vector, w.checksum AS vector_checksum
  FROM vocabulary w JOIN models m ON m.number = w.model`;

/** Which model the vectors are of, so that they count before it is opened. */
const FACTS = { model: 'model', model_name: 'modelName' } as const;
const SELECT_FACTS = "SELECT key, value, checksum FROM meta WHERE key IN ('model', 'model_name')";

/**
 * Copies what is as it was written, under the key of its text, into another index.
 * @throws what SQLite says when rows cannot be read for another reason than damage
 */
export async function copyVectors(
  former: DatabaseSync,
  store: Required<Store>,
  keyOf: (text: string) => string,
  { signal, onProgress }: RenewOptions,
): Promise<void> {
  const [count] = prepareAll(former, [COUNT]);
  const [total = 0] = ifSound(() => (count?.get()?.vectors ?? 0) as number);
  let done = 0;
  for (const { rows, vectors: sound } of soundVectors(former, keyOf)) {
    for (const [model, vectors] of Map.groupBy(sound, (each) => each.model)) store.putVectors(model, vectors);
    done = Math.min(done + rows, total);
    onProgress?.(done, total);
    await nextTurn(); // for signals and what is drawn
    signal?.throwIfAborted();
  }
  for (const [model, words] of Map.groupBy(soundWords(former), (each) => each.model))
    store.vocabulary.update(model, [], words);
  for (const [key, value] of soundFacts(former)) store.setState({ [FACTS[key]]: value });
}

interface SoundVector {
  readonly model: string;
  readonly key: string;
  readonly vector: Float32Array;
}

function* soundVectors(
  former: DatabaseSync,
  keyOf: (text: string) => string,
): Iterable<{ readonly rows: number; readonly vectors: readonly SoundVector[] }> {
  const [select, next] = prepareAll(former, [VECTORS, NEXT_SLOT]);
  if (!select || !next) return;
  let failures = 0;
  for (let slot = 0; failures < MAX_FAILURES; slot += BATCH) {
    try {
      const following = next.get(slot)?.slot as number | null;
      if (following === null) return;
      slot = following - 1;
      const rows = select.all(slot + 1, slot + BATCH);
      yield { rows: rows.length, vectors: rows.flatMap((row) => soundVector(row, keyOf)) };
      failures = 0;
    } catch (error) {
      requireDamage(error);
      failures++;
    }
  }
}

/** @returns nothing where a table is not there */
export function prepareAll(database: DatabaseSync, statements: readonly string[]): StatementSync[] {
  try {
    return statements.map((statement) => database.prepare(statement));
  } catch (error) {
    requireDamage(error);
    return [];
  }
}

/** Rows as they are read, whatever is in them. */
type AnyRow = Readonly<Record<string, unknown>>;

function soundVector(row: AnyRow, keyOf: (text: string) => string): SoundVector[] {
  return ifSound(() => {
    toChunkHead({ ...row, checksum: row.head_checksum } as unknown as ChunkHeadRow);
    const chunk = toChunk(row as unknown as ChunkRow);
    const vector = vectorOf(row, row.passage as number);
    return { model: row.model_name as string, key: keyOf(embeddingText(chunk)), vector };
  });
}

function soundWords(former: DatabaseSync): (WordVector & { readonly model: string })[] {
  const [select] = prepareAll(former, [WORDS]);
  const rows = ifSound(() => select?.all() ?? []).flat();
  return rows.flatMap((row) => {
    const word = row.word as string;
    return ifSound(() => ({ model: row.model_name as string, word, vector: vectorOf(row, word) }));
  });
}

function soundFacts(former: DatabaseSync): (readonly [key: keyof typeof FACTS, value: string])[] {
  const [select] = prepareAll(former, [SELECT_FACTS]);
  const rows = ifSound(() => select?.all() ?? []).flat();
  return rows
    .map(({ key, value, checksum }) => [key as keyof typeof FACTS, value as string, checksum] as const)
    .filter(([key, value, checksum]) => rowChecksum(key, value) === checksum)
    .map(([key, value]) => [key, value]);
}

/** @returns nothing for what is damaged */
export function ifSound<T>(read: () => T): T[] {
  try {
    return [read()];
  } catch (error) {
    requireDamage(error);
    return [];
  }
}

/** Other failures, such as a lock, may pass: stop, so that nothing is lost. */
function requireDamage(error: unknown): void {
  if (isStorageTrouble(error) && !isDamage(error)) throw error;
}

function vectorOf(row: AnyRow, of: number | string): Float32Array {
  const stored = { vector: row.vector as Uint8Array, checksum: row.vector_checksum as number };
  return toVector(stored, row.model as number, of);
}
