/** Segments: immutable parts of derived structures, stored as bytes. */
import type { DatabaseSync } from 'node:sqlite';
import type { SegmentKind, SegmentStore } from '../../core/storage.ts';
import { factTable } from './state-table.ts';
import { transaction } from './transaction.ts';

const usedKey = (kind: SegmentKind) => `segments_${kind}`;
export function segmentTable(database: DatabaseSync): SegmentStore {
  const insertSegment = database.prepare('INSERT INTO segments (kind, bytes) VALUES (?, ?)');
  const replaceSegment = database.prepare('UPDATE segments SET bytes = ? WHERE kind = ? AND id = ?');
  const deleteSegment = database.prepare('DELETE FROM segments WHERE kind = ? AND id = ?');
  const segmentById = database.prepare('SELECT bytes FROM segments WHERE kind = ? AND id = ?');
  const readPiece = database.prepare(
    'SELECT substr(bytes, ?, ?) AS bytes FROM pieces WHERE segment = ? AND number = ?',
  );
  const putPiece = database.prepare(
    'INSERT INTO pieces (segment, number, bytes) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET bytes = excluded.bytes',
  );
  const deleteRest = database.prepare('DELETE FROM pieces WHERE segment = ? AND number >= ?');
  const facts = factTable(database);

  return {
    *read(kind) {
      const statement = database.prepare('SELECT id, bytes FROM segments WHERE kind = ? ORDER BY id');
      for (const { id, bytes } of statement.iterate(kind)) {
        yield { id: id as number, bytes: bytes as Uint8Array };
      }
    },
    get: (kind, id) => segmentById.get(kind, id)?.bytes as Uint8Array | undefined,
    // SQL counts from 1.
    piece: (id, piece, from, to) =>
      readPiece.get(from + 1, to - from, id, piece)?.bytes as Uint8Array | undefined,
    put(kind, bytes, over, pieces = []) {
      return transaction(database, () => {
        // SQLite overwrites bytes of equal length in their place. Otherwise, it also writes zeros over the old bytes.
        const isOver = over !== undefined && replaceSegment.run(bytes, kind, over).changes > 0;
        const id = isOver ? over : Number(insertSegment.run(kind, bytes).lastInsertRowid);
        let count = 0;
        for (const bytes of pieces) putPiece.run(id, count++, bytes);
        deleteRest.run(id, count);
        return id;
      });
    },
    inUse: (kind) => facts.get(usedKey(kind))?.match(/\d+/g)?.map(Number) ?? [],
    use(kind, ids, drop) {
      transaction(database, () => {
        if (facts.get(usedKey(kind)) !== ids.join()) facts.set(usedKey(kind), ids.join());
        for (const id of drop) deleteSegment.run(kind, id);
      });
      // Frees SQLite's page cache: cached pages of the new segment would fragment memory.
      database.exec('PRAGMA shrink_memory');
    },
  };
}
