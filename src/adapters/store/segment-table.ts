/** Segments: immutable parts of derived structures, stored as bytes. */
import type { DatabaseSync } from 'node:sqlite';
import type { SegmentKind, SegmentStore } from '../../core/storage.ts';
import { factTable } from './state-table.ts';
import { transaction } from './transaction.ts';

const usedKey = (kind: SegmentKind) => `segments_${kind}`;
/** In the column `kind` of a piece. */
const pieceKey = (kind: SegmentKind, id: number, piece: number | string) => `${kind}:${id}:${piece}`;

export function segmentTable(database: DatabaseSync): SegmentStore {
  const insertSegment = database.prepare('INSERT INTO segments (kind, bytes) VALUES (?, ?)');
  const replaceSegment = database.prepare('UPDATE segments SET bytes = ? WHERE kind = ? AND id = ?');
  const deleteSegment = database.prepare('DELETE FROM segments WHERE kind = ? AND id = ?');
  const segmentById = database.prepare('SELECT bytes FROM segments WHERE kind = ? AND id = ?');
  const readPiece = database.prepare('SELECT bytes FROM segments WHERE kind = ?');
  const replacePiece = database.prepare('UPDATE segments SET bytes = ? WHERE kind = ?');
  const deletePiece = database.prepare('DELETE FROM segments WHERE kind = ?');
  const deletePieces = database.prepare('DELETE FROM segments WHERE kind > ? AND kind < ?'); // ':' follows all digits
  const facts = factTable(database);

  /** Stores the pieces of a segment in the places of the pieces before, and removes those that are left. */
  function putPieces(kind: SegmentKind, id: number, pieces: readonly Uint8Array[]): void {
    for (const [piece, bytes] of pieces.entries()) {
      const key = pieceKey(kind, id, piece);
      if (replacePiece.run(bytes, key).changes === 0) insertSegment.run(key, bytes);
    }
    for (let left = pieces.length; deletePiece.run(pieceKey(kind, id, left)).changes > 0; ) left++;
  }

  return {
    *read(kind) {
      const statement = database.prepare('SELECT id, bytes FROM segments WHERE kind = ? ORDER BY id');
      for (const { id, bytes } of statement.iterate(kind)) {
        yield { id: id as number, bytes: bytes as Uint8Array };
      }
    },
    get: (kind, id) => segmentById.get(kind, id)?.bytes as Uint8Array | undefined,
    piece: (kind, id, piece) => readPiece.get(pieceKey(kind, id, piece))?.bytes as Uint8Array | undefined,
    put(kind, bytes, over, pieces = []) {
      return transaction(database, () => {
        // SQLite overwrites bytes of equal length in their place. Otherwise, it also writes zeros over the old bytes.
        const isOver = over !== undefined && replaceSegment.run(bytes, kind, over).changes > 0;
        const id = isOver ? over : Number(insertSegment.run(kind, bytes).lastInsertRowid);
        putPieces(kind, id, pieces);
        return id;
      });
    },
    inUse: (kind) => facts.get(usedKey(kind))?.match(/\d+/g)?.map(Number) ?? [],
    use(kind, ids, drop) {
      transaction(database, () => {
        if (facts.get(usedKey(kind)) !== ids.join()) facts.set(usedKey(kind), ids.join());
        for (const id of drop)
          if (deleteSegment.run(kind, id).changes > 0)
            deletePieces.run(pieceKey(kind, id, ''), pieceKey(kind, id, ':'));
      });
      // Frees SQLite's page cache: cached pages of the new segment would fragment memory.
      database.exec('PRAGMA shrink_memory');
    },
  };
}
