/** Assigns the numbers that rows hold instead of passage keys and model names. Also orders vectors of passages without chunks. */
import type { DatabaseSync } from 'node:sqlite';
import { memoize } from '../../core/text/memoize.ts';

/**
 * Makes a function that returns the number of a passage, and adds a missing one. A new number is greater than all numbers in use: if the row of a passage is lost, no new passage gets its chunks and vectors.
 * A SELECT before the write takes a quarter of the time of an upsert.
 */
export function internPassage(database: DatabaseSync) {
  const find = database.prepare('SELECT number, characters FROM passages WHERE key = ?');
  const grow = database.prepare('UPDATE passages SET characters = ? WHERE number = ?');
  const insert = database.prepare(
    `INSERT INTO passages (number, key, characters)
     SELECT 1 + max((SELECT coalesce(max(number), 0) FROM passages), (SELECT coalesce(max(passage), 0) FROM chunks),
       (SELECT coalesce(max(passage), 0) FROM vectors)), ?, ?`,
  );
  return (key: string, characters: number): number => {
    const known = find.get(key) as { number: number; characters: number } | undefined;
    if (!known) return Number(insert.run(key, characters).lastInsertRowid);
    if (known.characters < characters) grow.run(characters, known.number);
    return known.number;
  };
}

/**
 * Gives the vectors of passages without chunks the greatest numbers. The numbers then show in which order passages lost their
 * last chunk.
 */
export function orphanVectors(database: DatabaseSync): (passages: Iterable<number>) => void {
  const orphaned = database.prepare(
    `SELECT number FROM vectors WHERE passage = ?1 AND NOT EXISTS (SELECT 1 FROM chunks WHERE passage = ?1)`,
  );
  const move = database.prepare(
    'UPDATE vectors SET number = (SELECT max(number) + 1 FROM vectors) WHERE number = ?',
  );
  return (passages) => {
    for (const passage of new Set(passages))
      for (const { number } of orphaned.all(passage)) move.run(number!);
  };
}

/** Number of a model that is not in the table; numbers of models start at 1. */
const UNKNOWN_MODEL = 0;

/** Converts names of models to numbers. Numbers in the file never change, so they are kept in memory. */
export function modelNames(database: DatabaseSync) {
  const select = database.prepare('SELECT number FROM models WHERE name = ?');
  // The new number is greater than all numbers in use: if the row of a model is lost, no new model gets its vectors.
  const insert = database.prepare(
    `INSERT INTO models (number, name)
     SELECT 1 + max((SELECT coalesce(max(number), 0) FROM models), (SELECT coalesce(max(model), 0) FROM vectors),
       (SELECT coalesce(max(model), 0) FROM vocabulary)), ?`,
  );
  const known = memoize((name: string) => select.get(name)?.number as number | undefined);
  const modelNumber = (name: string) => known(name) ?? UNKNOWN_MODEL;
  function internModel(name: string): number {
    // Do not keep the number in memory yet: the transaction may be rolled back.
    return modelNumber(name) || Number(insert.run(name).lastInsertRowid);
  }
  return { modelNumber, internModel };
}
