/** Vectors by model and passage: the embedding cache, and what the vector matrix is filled from. */
import type { DatabaseSync } from 'node:sqlite';
import { embeddingText } from '../../core/chunk/embedding-text.ts';
import type { Store } from '../../core/ports.ts';
import { toBlob, toVector } from './rows.ts';
import { transaction } from './transaction.ts';

type VectorTables = Pick<
  Store,
  | 'missingVectors'
  | 'countMissingVectors'
  | 'putVectors'
  | 'vectors'
  | 'slotsOfVectorKeys'
  | 'vector'
  | 'pruneVectors'
>;

/** Passages some chunk holds and the model numbered `?` has no vector for. */
const MISSING = `passages p
  WHERE NOT EXISTS (SELECT 1 FROM vectors v WHERE v.passage = p.number AND v.model = ?)
    AND EXISTS (SELECT 1 FROM chunks c WHERE c.passage = p.number)`;

const ORPHANED = 'NOT EXISTS (SELECT 1 FROM chunks c WHERE c.passage = p.number)';

/** No model has this number: SQLite counts rows from 1. */
const UNKNOWN_MODEL = 0;

export function vectorTables(database: DatabaseSync): VectorTables {
  const { modelNumber, internModel } = modelNames(database);
  const missing = database.prepare(
    `SELECT p.number, p.key FROM ${MISSING} ORDER BY p.characters, p.number LIMIT ?`,
  );
  const countMissing = database.prepare(
    `SELECT count(*) AS texts, coalesce(sum(p.characters), 0) AS characters,
       (SELECT count(DISTINCT passage) FROM chunks) AS "of" FROM ${MISSING}`,
  );
  const textOfPassage = database.prepare(
    `SELECT b.heading_path, b.text FROM chunks c JOIN chunk_bodies b USING (slot) WHERE c.passage = ? LIMIT 1`,
  );
  const internPassage = database.prepare(
    `INSERT INTO passages (key, characters) VALUES (?, 0)
     ON CONFLICT (key) DO UPDATE SET key = excluded.key RETURNING number`,
  );
  const putVector = database.prepare(
    `INSERT INTO vectors (model, passage, vector) VALUES (?, ?, ?)
     ON CONFLICT (passage, model) DO UPDATE SET vector = excluded.vector`,
  );
  const slotsByKey = database.prepare(
    `SELECT c.slot FROM passages p JOIN chunks c ON c.passage = p.number WHERE p.key = ? ORDER BY c.slot`,
  );
  const vectorBySlot = database.prepare(
    `SELECT v.vector FROM chunks c JOIN vectors v ON v.passage = c.passage AND v.model = ? WHERE c.slot = ?`,
  );
  const deleteOthers = database.prepare('DELETE FROM vectors WHERE model <> ?');
  const countOrphaned = database.prepare(
    `SELECT count(*) AS vectors FROM passages p JOIN vectors v ON v.passage = p.number WHERE ${ORPHANED}`,
  );
  const deleteOrphaned = database.prepare(`DELETE FROM passages AS p WHERE ${ORPHANED}`);

  return {
    missingVectors(model, limit) {
      const rows = missing.all(modelNumber(model), Number.isFinite(limit) ? limit : -1);
      return rows.map(({ number, key }) => ({ key: key as string, text: readText(number as number) }));
    },
    countMissingVectors(model) {
      const { texts, characters, of } = countMissing.get(modelNumber(model))!;
      return { texts: texts as number, characters: characters as number, of: of as number };
    },
    putVectors(model, vectors) {
      transaction(database, () => {
        const number = internModel(model);
        for (const { key, vector } of vectors) {
          putVector.run(number, internPassage.get(key)!.number!, toBlob(vector));
        }
      });
    },
    *vectors(model) {
      // CROSS JOIN fixes the order of the loops: vectors as they lie in the file, slots from a small index.
      const statement = database.prepare(
        `SELECT c.slot, v.vector FROM vectors v CROSS JOIN chunks c ON c.passage = v.passage WHERE v.model = ?`,
      );
      for (const { slot, vector } of statement.iterate(modelNumber(model))) {
        yield { slot: slot as number, vector: toVector(vector as Uint8Array) };
      }
    },
    *slotsOfVectorKeys(keys) {
      for (const key of new Set(keys)) {
        for (const { slot } of slotsByKey.all(key)) yield { slot: slot as number, key };
      }
    },
    vector(model, slot) {
      const row = vectorBySlot.get(modelNumber(model), slot);
      return row === undefined ? undefined : toVector(row.vector as Uint8Array);
    },
    pruneVectors: (model) =>
      transaction(database, () => {
        const { changes } = deleteOthers.run(modelNumber(model));
        const { vectors } = countOrphaned.get()!;
        deleteOrphaned.run(); // takes the vectors along
        return Number(changes) + (vectors as number);
      }),
  };

  function readText(passage: number): string {
    const row = textOfPassage.get(passage);
    if (row === undefined) throw new RangeError('a chunk has no text');
    return embeddingText({
      headingPath: JSON.parse(row.heading_path as string) as string[],
      text: row.text as string,
    });
  }
}

/** Model names as numbers; those that are in the file never change, so they are remembered. */
function modelNames(database: DatabaseSync): {
  readonly modelNumber: (name: string) => number;
  readonly internModel: (name: string) => number;
} {
  const select = database.prepare('SELECT number FROM models WHERE name = ?');
  const insert = database.prepare('INSERT INTO models (name) VALUES (?)');
  const known = new Map<string, number>();

  function modelNumber(name: string): number {
    const number = known.get(name) ?? (select.get(name)?.number as number | undefined);
    if (number === undefined) return UNKNOWN_MODEL;
    known.set(name, number);
    return number;
  }
  function internModel(name: string): number {
    // Not remembered before the transaction it happens in has been committed.
    return modelNumber(name) || Number(insert.run(name).lastInsertRowid);
  }
  return { modelNumber, internModel };
}
