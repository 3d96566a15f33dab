/** The words of the collection and their vectors: what queries are expanded from. */
import type { DatabaseSync } from 'node:sqlite';
import type { Store } from '../../core/ports.ts';
import { toBlob, toVector } from './rows.ts';
import { transaction } from './transaction.ts';

type VocabularyTable = Pick<Store, 'vocabulary' | 'vocabularyWords' | 'updateVocabulary'>;

const OF_MODEL = 'model = (SELECT number FROM models WHERE name = ?)';

export function vocabularyTable(database: DatabaseSync): VocabularyTable {
  const words = database.prepare(`SELECT word FROM vocabulary WHERE ${OF_MODEL}`);
  const addModel = database.prepare('INSERT INTO models (name) VALUES (?) ON CONFLICT (name) DO NOTHING');
  const dropOthers = database.prepare(`DELETE FROM vocabulary WHERE NOT (${OF_MODEL})`);
  const dropWord = database.prepare(`DELETE FROM vocabulary WHERE ${OF_MODEL} AND word = ?`);
  const putWord = database.prepare(
    `INSERT INTO vocabulary (model, word, vector) SELECT number, ?, ? FROM models WHERE name = ?
     ON CONFLICT (model, word) DO UPDATE SET vector = excluded.vector`,
  );

  return {
    *vocabulary(model) {
      const statement = database.prepare(
        `SELECT word, vector FROM vocabulary WHERE ${OF_MODEL} ORDER BY word`,
      );
      for (const { word, vector } of statement.iterate(model)) {
        yield { word: word as string, vector: toVector(vector as Uint8Array) };
      }
    },
    vocabularyWords: (model) => new Set(words.all(model).map(({ word }) => word as string)),
    updateVocabulary(model, drop, put) {
      transaction(database, () => {
        addModel.run(model);
        dropOthers.run(model);
        for (const word of drop) dropWord.run(model, word);
        for (const { word, vector } of put) putWord.run(word, toBlob(vector), model);
      });
    },
  };
}
