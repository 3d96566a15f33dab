/** Keeps the order in which vectors lost their last passage: those that did so last have the greatest numbers. */
import type { DatabaseSync } from 'node:sqlite';

/** @returns a function that moves the vectors of those of some passages that no chunk refers to */
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
