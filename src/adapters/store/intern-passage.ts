/** Passages by their key, each with a number. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';

/**
 * Answers with the `number` of the passage with the key `?1`, which is added with `?2` characters if it is not there.
 * A new number is above all that anything refers to, so that a row which was lost is not followed by another one in its
 * place, to which its chunks and vectors would then belong.
 */
export function internPassage(database: DatabaseSync): StatementSync {
  // DO UPDATE rather than DO NOTHING, because only then RETURNING answers for a row that is there already.
  return database.prepare(
    `INSERT INTO passages (number, key, characters)
     SELECT 1 + max((SELECT coalesce(max(number), 0) FROM passages), (SELECT coalesce(max(passage), 0) FROM chunks),
       (SELECT coalesce(max(passage), 0) FROM vectors)), ?1, ?2
     WHERE true
     ON CONFLICT (key) DO UPDATE SET characters = max(characters, excluded.characters) RETURNING number`,
  );
}
