/** The numbers of models, which rows with vectors contain instead of names. */
import type { DatabaseSync } from 'node:sqlite';

/** Number of a model that is not in the table; numbers of models start at 1. */
const UNKNOWN_MODEL = 0;

/** Converts names of models to numbers. Numbers in the file never change, so they are kept in memory. */
export function modelNames(database: DatabaseSync): {
  readonly modelNumber: (name: string) => number;
  readonly internModel: (name: string) => number;
} {
  const select = database.prepare('SELECT number FROM models WHERE name = ?');
  // The new number is greater than all numbers in use: if the row of a model is lost, no new model gets its vectors.
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
    // Do not keep the number in memory yet: the transaction may be rolled back.
    return modelNumber(name) || Number(insert.run(name).lastInsertRowid);
  }
  return { modelNumber, internModel };
}
