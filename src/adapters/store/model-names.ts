/** The number of each model: rows of vectors hold it in place of the name. */
import type { DatabaseSync } from 'node:sqlite';

/** No model has this number: they are counted from 1. */
const UNKNOWN_MODEL = 0;

/** Model names as numbers. Those that are in the file never change, so they are remembered. */
export function modelNames(database: DatabaseSync): {
  readonly modelNumber: (name: string) => number;
  readonly internModel: (name: string) => number;
} {
  const select = database.prepare('SELECT number FROM models WHERE name = ?');
  // Above all numbers that are referred to: vectors whose model was lost must not be those of another.
  const insert = database.prepare(
    `INSERT INTO models (number, name)
     SELECT 1 + max((SELECT coalesce(max(number), 0) FROM models), (SELECT coalesce(max(model), 0) FROM vectors),
       (SELECT coalesce(max(model), 0) FROM vocabulary)), ?`,
  );
  const known = new Map<string, number>();

  function modelNumber(name: string): number {
    const number = known.get(name) ?? (select.get(name)?.number as number | undefined);
    if (number === undefined) return UNKNOWN_MODEL;
    known.set(name, number);
    return number;
  }
  function internModel(name: string): number {
    // Remembered only after its transaction is committed.
    return modelNumber(name) || Number(insert.run(name).lastInsertRowid);
  }
  return { modelNumber, internModel };
}
