/** Begins an index anew, with the vectors of the former one that are what was written: they take the longest to make. */
import { existsSync, renameSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { embeddingText } from '../../core/chunk/embedding-text.ts';
import { DocfuseError } from '../../core/errors.ts';
import type { WordVector } from '../../core/ports.ts';
import { requireOurs } from './migrate.ts';
import { openDatabase, removeDatabase } from './open-database.ts';
import { rowChecksum } from './row-checksum.ts';
import { CHUNK_COLUMNS, type ChunkHeadRow, type ChunkRow, toChunk, toChunkHead, toVector } from './rows.ts';
import { guardFor } from './sqlite-errors.ts';
import { openSqliteStore } from './sqlite-store.ts';

/** Slots read at once, and left out together where the file cannot be read. */
const BATCH = 256;

/** So many batches in a row that cannot be read end the search for more. */
const MOST_FAILURES = 1_000;

const VECTORS = `
  SELECT ${CHUNK_COLUMNS}, c.passage, c.languages, c.content, c.checksum AS head_checksum, m.name AS model_name, v.model,
    v.vector, v.checksum AS vector_checksum
  FROM chunks c JOIN chunk_bodies b USING (slot) JOIN vectors v ON v.passage = c.passage JOIN models m ON m.number = v.model
  WHERE c.slot BETWEEN ? AND ?`;

const NEXT_SLOT = 'SELECT min(slot) AS slot FROM chunks WHERE slot > ?';

const WORDS = `
  SELECT m.name AS model_name, w.model, w.word, w.vector, w.checksum AS vector_checksum
  FROM vocabulary w JOIN models m ON m.number = w.model`;

/** Which model the vectors are of, so that they count before it is opened. */
const FACTS = "SELECT key, value, checksum FROM meta WHERE key IN ('model', 'model_name')";

/**
 * Replaces an index by one that holds vectors and nothing else; only for the holder of the write lock. Until it is replaced
 * the former one stays as it was. A vector is kept when it, its passage and the text that the passage stands for are all
 * what was written, under the key of that text.
 * @param keyOf key of a text that is embedded; without it no vectors are kept
 * @throws DocfuseError `storage` for the database of another program, and where the new one cannot be written
 */
export function renewDatabase(file: string, keyOf?: (text: string) => string): void {
  if (!existsSync(file)) return;
  const former = openFormer(file);
  if (!former || !keyOf) {
    former?.close();
    removeDatabase(file);
    return;
  }
  const fresh = `${file}.new`;
  guardFor(file)(() => {
    removeDatabase(fresh); // of a run that was stopped
    try {
      copyVectors(former, fresh, keyOf);
    } catch (error) {
      removeDatabase(fresh);
      throw error;
    } finally {
      former.close();
    }
    removeDatabase(file);
    renameSync(fresh, file);
  })();
}

/** @returns undefined for a file that cannot be read, or has another format */
function openFormer(file: string): DatabaseSync | undefined {
  try {
    // First by itself, for a damaged index that may not be opened is ours all the same.
    const any = new DatabaseSync(file, { readOnly: true });
    try {
      requireOurs(any, file);
    } finally {
      any.close();
    }
  } catch (error) {
    if (error instanceof DocfuseError) throw error;
    return undefined;
  }
  try {
    return openDatabase(file, true);
  } catch {
    return undefined;
  }
}

function copyVectors(former: DatabaseSync, fresh: string, keyOf: (text: string) => string): void {
  const store = openSqliteStore(fresh);
  try {
    for (const batch of soundVectors(former, keyOf)) {
      for (const [model, vectors] of Map.groupBy(batch, (each) => each.model))
        store.putVectors(model, vectors);
    }
    for (const [model, words] of Map.groupBy(soundWords(former), (each) => each.model))
      store.updateVocabulary(model, [], words);
    for (const [key, value] of soundFacts(former)) store.setMeta(key, value);
  } finally {
    store.close();
  }
}

interface SoundVector {
  readonly model: string;
  readonly key: string;
  readonly vector: Float32Array;
}

function* soundVectors(
  former: DatabaseSync,
  keyOf: (text: string) => string,
): Iterable<readonly SoundVector[]> {
  const [select, next] = prepareAll(former, [VECTORS, NEXT_SLOT]);
  if (!select || !next) return;
  let failures = 0;
  for (let slot = 0; failures < MOST_FAILURES; slot += BATCH) {
    try {
      const following = next.get(slot)?.slot as number | null;
      if (following === null) return;
      slot = following - 1;
      yield select.all(slot + 1, slot + BATCH).flatMap((row) => soundVector(row, keyOf));
      failures = 0;
    } catch {
      failures++;
    }
  }
}

/** @returns nothing where a table is not there */
function prepareAll(database: DatabaseSync, statements: readonly string[]): StatementSync[] {
  try {
    return statements.map((statement) => database.prepare(statement));
  } catch {
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

function soundFacts(former: DatabaseSync): (readonly [key: string, value: string])[] {
  const [select] = prepareAll(former, [FACTS]);
  const rows = ifSound(() => select?.all() ?? []).flat();
  return rows
    .map(({ key, value, checksum }) => [key as string, value as string, checksum] as const)
    .filter(([key, value, checksum]) => rowChecksum(key, value) === checksum)
    .map(([key, value]) => [key, value]);
}

function ifSound<T>(read: () => T): T[] {
  try {
    return [read()];
  } catch {
    return [];
  }
}

function vectorOf(row: AnyRow, of: number | string): Float32Array {
  const stored = { vector: row.vector as Uint8Array, checksum: row.vector_checksum as number };
  return toVector(stored, row.model as number, of);
}
