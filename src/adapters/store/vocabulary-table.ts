/** The words of the collection and their vectors, used to expand queries. */
import type { DatabaseSync } from 'node:sqlite';
import { packVector } from '../../core/indexes/packed-vector.ts';
import type { VocabularyStore } from '../../core/storage.ts';
import { modelNames } from './interned.ts';
import { sealedInsert, soundVector } from './rows.ts';
import { transaction } from './transaction.ts';

const OF_MODEL = 'model = (SELECT number FROM models WHERE name = ?)';

export function vocabularyTable(database: DatabaseSync): VocabularyStore {
  const selectWords = database.prepare(`SELECT word FROM vocabulary WHERE ${OF_MODEL}`);
  const { internModel } = modelNames(database);
  const dropOthers = database.prepare(`DELETE FROM vocabulary WHERE NOT (${OF_MODEL})`);
  const dropWord = database.prepare(`DELETE FROM vocabulary WHERE ${OF_MODEL} AND word = ?`);
  const putWord = sealedInsert(
    database,
    'vocabulary',
    'ON CONFLICT (model, word) DO UPDATE SET vector = excluded.vector, checksum = excluded.checksum',
  );

  return {
    *read(model) {
      const statement = database.prepare(`SELECT * FROM vocabulary WHERE ${OF_MODEL} ORDER BY word`);
      for (const row of statement.iterate(model)) {
        const word = row.word as string;
        yield { word, packed: soundVector(row, row.model as number, word) };
      }
    },
    words: (model) => new Set(selectWords.all(model).map(({ word }) => word as string)),
    update(model, drop, put) {
      transaction(database, () => {
        const number = internModel(model);
        dropOthers.run(model);
        for (const word of drop) dropWord.run(model, word);
        for (const { word, vector } of put) putWord(number, word, packVector(vector));
      });
    },
  };
}
