/** Vectors by model and passage: the embedding cache, and the source of the vector matrix. */
import type { DatabaseSync } from 'node:sqlite';
import { embeddingText } from '../../core/chunk/chunk-head.ts';
import { packVector, unpackVector } from '../../core/indexes/packed-vector.ts';
import type { VectorStore } from '../../core/storage.ts';
import { internPassage, modelNames } from './interned.ts';
import { CHUNK_COLUMNS, sealedInsert, soundVector, toChunk } from './rows.ts';
import { transaction } from './transaction.ts';

/** Chunks of documents that are not in the JSON list `?2`. */
const WANTED = 'c.document NOT IN (SELECT value FROM json_each(?2))';

/** Passages that have a wanted chunk, but no vector of the model with the number `?1`. */
const MISSING = `passages p
  WHERE NOT EXISTS (SELECT 1 FROM vectors v WHERE v.passage = p.number AND v.model = ?1)
    AND EXISTS (SELECT 1 FROM chunks c WHERE c.passage = p.number AND ${WANTED})`;

/**
 * An SQL expression: whether all passages have a vector of a model. Counting takes a sixth of the time of looking for each. In a
 * damaged index, a lost row of `passages` can hide a missing vector; `doctor` finds such a row.
 * @param model an SQL expression for the number of the model
 */
export function allEmbedded(model: string): string {
  return `(SELECT count(*) FROM passages) = (SELECT count(*) FROM vectors WHERE model = ${model})`;
}

/** Facts about the vectors of a part. Three long lists are parsed faster than a short list for each vector. */
type Heads = readonly [passages: readonly number[], checksums: readonly number[], lengths: readonly number[]];

/** Numbers of vectors that are read as one row: a row takes longer than its vector. */
const PART = 1024;

/** Max passages that one statement deletes. */
const PORTION = 200;

const ORPHANED = 'NOT EXISTS (SELECT 1 FROM chunks c WHERE c.passage = p.number)';

export function vectorTables(database: DatabaseSync): VectorStore {
  const { modelNumber, internModel } = modelNames(database);
  const missing = database.prepare(
    `SELECT p.number, p.key FROM ${MISSING} ORDER BY p.characters, p.number LIMIT ?3`,
  );
  const complete = database.prepare(`SELECT ${allEmbedded('?')} AS complete`);
  const countMissing = database.prepare(
    `SELECT count(*) AS texts, coalesce(sum(p.characters), 0) AS characters,
       (SELECT count(DISTINCT c.passage) FROM chunks c WHERE ${WANTED}) AS "of" FROM ${MISSING}`,
  );
  const textOfPassage = database.prepare(
    `SELECT ${CHUNK_COLUMNS} FROM chunks c LEFT JOIN chunk_bodies b USING (slot) WHERE c.passage = ? LIMIT 1`,
  );
  const intern = internPassage(database);
  const putVector = sealedInsert(
    database,
    'vectors',
    'ON CONFLICT (passage, model) DO UPDATE SET vector = excluded.vector, checksum = excluded.checksum',
  );
  const slotsByKey = database.prepare(
    `SELECT c.slot FROM passages p JOIN chunks c ON c.passage = p.number WHERE p.key = ? ORDER BY c.slot`,
  );
  const vectorBySlot = database.prepare(
    `SELECT c.passage, v.vector, v.checksum FROM chunks c JOIN vectors v ON v.passage = c.passage AND v.model = ?
     WHERE c.slot = ?`,
  );
  // `expected` comes from SQLite's index, to notice vectors that the table lost. With `+`, SQLite does not use that index to read.
  // SQLite takes blobs for text and back without a change; checksums would show one.
  const inPart = `FROM vectors WHERE number BETWEEN first AND first + ${PART - 1} AND +model = ?1`;
  const allVectors = database.prepare(
    `WITH RECURSIVE parts (first) AS (
       SELECT min(number) FROM vectors UNION ALL
       SELECT (SELECT min(number) FROM vectors WHERE number >= first + ${PART}) FROM parts WHERE first IS NOT NULL
     )
     SELECT (
         SELECT json_array(json_group_array(passage), json_group_array(checksum), json_group_array(length(vector))) ${inPart}
       ) AS heads,
       (SELECT CAST(group_concat(vector, '') AS BLOB) ${inPart}) AS vectors,
       (SELECT count(*) FROM vectors WHERE model = ?1) AS expected
     FROM parts`,
  );
  // The lists are in the order of the subquery.
  const allSlots = database.prepare(
    `SELECT json_group_array(passage) AS passages, json_group_array(slot) AS slots
     FROM (SELECT passage, slot FROM chunks ORDER BY passage, slot)`,
  );
  const deleteOthers = database.prepare(
    'DELETE FROM vectors WHERE model NOT IN (SELECT value FROM json_each(?))',
  );
  const orphanedVectors = `passages p JOIN vectors v ON v.passage = p.number WHERE ${ORPHANED}`;
  const countOrphaned = database.prepare(`SELECT count(*) AS vectors FROM ${orphanedVectors}`);
  const lostPassage = database.prepare(
    'SELECT 1 FROM chunks c WHERE NOT EXISTS (SELECT 1 FROM passages p WHERE p.number = c.passage) LIMIT 1',
  );
  // Keeps the vectors with the greatest numbers: their passages lost their last chunk most recently (interned.ts).
  const outdated = database.prepare(`SELECT p.number FROM passages p WHERE ${ORPHANED}
       AND p.number NOT IN (SELECT v.passage FROM ${orphanedVectors} ORDER BY v.number DESC LIMIT ?)`);
  const deletePassages = database.prepare(
    'DELETE FROM passages WHERE number IN (SELECT value FROM json_each(?))',
  );

  const countKept = () => countOrphaned.get()!.vectors as number;

  return {
    missingVectors(model, limit, except = []) {
      const ofModel = modelNumber(model);
      if (complete.get(ofModel)!.complete === 1) return [];
      const most = Number.isFinite(limit) ? limit : -1;
      const rows = missing.all(ofModel, JSON.stringify(except), most);
      return rows.map(({ number, key }) => ({ key: key as string, text: readText(number as number) }));
    },
    countMissingVectors(model, except = []) {
      const { texts, characters, of } = countMissing.get(modelNumber(model), JSON.stringify(except))!;
      return { texts: texts as number, characters: characters as number, of: of as number };
    },
    putVectors(model, vectors) {
      transaction(database, () => {
        const number = internModel(model);
        for (const { key, vector } of vectors) putVector(number, intern(key, 0), packVector(vector));
      });
    },
    *vectors(model) {
      const number = modelNumber(model);
      const { passages, slots, placeOf } = slotsOfPassages();
      let [found, expected] = [0, 0];
      for (const row of allVectors.iterate(number)) {
        expected = row.expected as number;
        const [ofPassage, checksums, lengths]: Heads = JSON.parse(row.heads as string);
        const bytes = (row.vectors ?? new Uint8Array()) as Uint8Array;
        found += ofPassage.length;
        let start = 0;
        for (let place = 0; place < ofPassage.length; place++) {
          const passage = ofPassage[place]!;
          const vector = bytes.subarray(start, start + lengths[place]!);
          start += lengths[place]!;
          const packed = soundVector({ vector, checksum: checksums[place]! }, number, passage);
          for (let at = placeOf(passage); passages[at] === passage; at++) yield { slot: slots[at]!, packed };
        }
      }
      if (found !== expected) throw new RangeError(`there are ${found} vectors, not ${expected}`);
    },
    *slotsOfVectorKeys(keys) {
      for (const key of new Set(keys)) {
        for (const { slot } of slotsByKey.all(key)) yield slot as number;
      }
    },
    vector(model, slot) {
      const number = modelNumber(model);
      const row = vectorBySlot.get(number, slot);
      return row && unpackVector(soundVector(row, number, row.passage as number));
    },
    pruneVectors: (models, keep) =>
      transaction(database, () => {
        if (lostPassage.get()) throw new RangeError('the key of a passage is missing');
        const numbersOf = models?.map(modelNumber);
        const others = numbersOf ? Number(deleteOthers.run(JSON.stringify(numbersOf)).changes) : 0;
        const orphans = countKept();
        // Deletes in portions, because SQLite keeps the changes of a statement in memory. Deleting a passage deletes its vectors.
        const numbers = outdated.all(keep).map(({ number }) => number as number);
        for (let at = 0; at < numbers.length; at += PORTION)
          deletePassages.run(JSON.stringify(numbers.slice(at, at + PORTION)));
        return others + orphans - countKept();
      }),
    countKeptVectors: countKept,
  };

  /** Returns two lists of equal length, ordered by passage. `placeOf` returns where a passage begins in them; −1 without chunks. */
  function slotsOfPassages() {
    const lists = allSlots.get()!;
    const passages: readonly number[] = JSON.parse(lists.passages as string);
    const slots: readonly number[] = JSON.parse(lists.slots as string);
    // Places, counted from 1. A map would take a fifth of the time that reading all vectors takes. Numbers that no passage has cost
    // nothing: the system gives memory when it is written.
    const places = new Uint32Array((passages.at(-1) ?? 0) + 1);
    for (let at = passages.length - 1; at >= 0; at--) {
      if (passages[at]! >= places.length)
        throw new RangeError('chunks are not in the order of their passages');
      places[passages[at]!] = at + 1;
    }
    return { passages, slots, placeOf: (passage: number) => (places[passage] ?? 0) - 1 };
  }

  function readText(passage: number): string {
    const row = textOfPassage.get(passage);
    if (row === undefined) throw new RangeError('a passage has no chunk');
    return embeddingText(toChunk(row));
  }
}
