/** Segments: immutable blocks of derived structures, kept as bytes. */
import type { DatabaseSync } from 'node:sqlite';
import type { Store } from '../../core/storage.ts';
import { transaction } from './transaction.ts';

type SegmentTable = Pick<Store, 'segments' | 'putSegment' | 'dropSegments'>;

export function segmentTable(database: DatabaseSync): SegmentTable {
  const insertSegment = database.prepare('INSERT INTO segments (kind, bytes) VALUES (?, ?)');
  const deleteSegment = database.prepare('DELETE FROM segments WHERE kind = ? AND id = ?');

  return {
    *segments(kind) {
      const statement = database.prepare('SELECT id, bytes FROM segments WHERE kind = ? ORDER BY id');
      for (const { id, bytes } of statement.iterate(kind)) {
        yield { id: id as number, bytes: bytes as Uint8Array };
      }
    },
    putSegment: (kind, bytes, drop = []) =>
      transaction(database, () => {
        for (const id of drop) deleteSegment.run(kind, id);
        return Number(insertSegment.run(kind, bytes).lastInsertRowid);
      }),
    dropSegments(kind, ids) {
      transaction(database, () => {
        for (const id of ids) deleteSegment.run(kind, id);
      });
      // The pages of what was just written would keep the holes between them from being used again.
      database.exec('PRAGMA shrink_memory');
    },
  };
}
