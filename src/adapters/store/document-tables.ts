/** Documents with all that hangs on them: chunks, parents and links. */
import type { DatabaseSync } from 'node:sqlite';
import { contentHash } from '../../core/chunk/content-hash.ts';
import { embeddingText } from '../../core/chunk/embedding-text.ts';
import type { ChunkHead, ChunkRecord, DocumentRecord, NewDocument, Store } from '../../core/ports.ts';
import {
  type ChunkHeadRow,
  type ChunkRow,
  type DocumentRow,
  type LinkRow,
  type ParentRow,
  toChunk,
  toChunkHead,
  toDocument,
  toJson,
  toLink,
  toParent,
} from './rows.ts';
import { transaction } from './transaction.ts';

type DocumentTables = Pick<
  Store,
  | 'documents'
  | 'document'
  | 'chunkHeads'
  | 'chunks'
  | 'texts'
  | 'chunksOf'
  | 'parents'
  | 'linksOf'
  | 'links'
  | 'putDocument'
  | 'touchDocument'
  | 'removeDocument'
>;

const CHUNK_COLUMNS = `c.slot, c.id, c.document, b.start_offset, b.end_offset, b.start_line, b.end_line, b.overlap,
  c.parent_id, b.heading_path, b.text, b.code_blocks`;

/** A replaced document gets a new number and new slots, so whatever was derived from the old ones is never stale. */
export function documentTables(database: DatabaseSync): DocumentTables {
  const chunkBySlot = database.prepare(
    `SELECT ${CHUNK_COLUMNS} FROM chunks c JOIN chunk_bodies b USING (slot) WHERE c.slot = ?`,
  );
  const textBySlot = database.prepare('SELECT overlap, text FROM chunk_bodies WHERE slot = ?');
  const chunksByDocument = database.prepare(
    `SELECT ${CHUNK_COLUMNS} FROM chunks c JOIN chunk_bodies b USING (slot) WHERE c.document = ? ORDER BY c.slot`,
  );
  const parentById = database.prepare('SELECT * FROM parents WHERE id = ? ORDER BY rowid LIMIT 1');
  const linksByDocument = database.prepare('SELECT * FROM links WHERE document = ? ORDER BY ordinal');
  const documentByNumber = database.prepare('SELECT * FROM documents WHERE number = ?');
  const numberById = database.prepare('SELECT number FROM documents WHERE id = ?');
  const slotsByDocument = database.prepare('SELECT slot FROM chunks WHERE document = ? ORDER BY slot');
  const deleteDocument = database.prepare('DELETE FROM documents WHERE number = ?');
  const touchDocument = database.prepare('UPDATE documents SET modified = ?, size = ? WHERE number = ?');
  const insert = documentInserts(database);

  function remove(number: number): readonly number[] {
    const slots = slotsByDocument.all(number).map((row) => row.slot as number);
    deleteDocument.run(number);
    return slots;
  }

  return {
    *documents(): Iterable<DocumentRecord> {
      for (const row of database.prepare('SELECT * FROM documents ORDER BY number').iterate()) {
        yield toDocument(row as unknown as DocumentRow);
      }
    },
    document(number) {
      const row = documentByNumber.get(number);
      return row && toDocument(row as unknown as DocumentRow);
    },
    *chunkHeads(): Iterable<ChunkHead> {
      const rows = database
        .prepare('SELECT slot, id, document, languages, content, parent_id FROM chunks ORDER BY slot')
        .iterate();
      for (const row of rows) yield toChunkHead(row as unknown as ChunkHeadRow);
    },
    chunks(slots): readonly ChunkRecord[] {
      return slots
        .map((slot) => chunkBySlot.get(slot))
        .filter((row) => row !== undefined)
        .map((row) => toChunk(row as unknown as ChunkRow));
    },
    texts(slots) {
      return slots
        .map((slot) => textBySlot.get(slot))
        .filter((row) => row !== undefined)
        .map((row) => (row.text as string).slice(row.overlap as number));
    },
    chunksOf: (document) => chunksByDocument.all(document).map((row) => toChunk(row as unknown as ChunkRow)),
    parents(ids) {
      return ids
        .map((id) => parentById.get(id))
        .filter((row) => row !== undefined)
        .map((row) => toParent(row as unknown as ParentRow));
    },
    linksOf: (document) => linksByDocument.all(document).map((row) => toLink(row as unknown as LinkRow)),
    *links() {
      for (const row of database.prepare('SELECT * FROM links ORDER BY document, ordinal').iterate()) {
        yield { document: row.document as number, link: toLink(row as unknown as LinkRow) };
      }
    },
    putDocument: (document) =>
      transaction(database, () => {
        const former = numberById.get(document.id)?.number;
        const removed = former === undefined ? [] : remove(former as number);
        return { ...insert(document), removed };
      }),
    touchDocument(number, modified, size) {
      touchDocument.run(modified, size, number);
    },
    removeDocument: (number) => transaction(database, () => remove(number)),
  };
}

function documentInserts(
  database: DatabaseSync,
): (document: NewDocument) => { number: number; slots: number[] } {
  const insertDocument = database.prepare(
    `INSERT INTO documents (id, collection, path, fields, front_matter, size, modified, hash, first_line, warnings)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  // DO UPDATE rather than DO NOTHING, because only then RETURNING answers for a row that is there already.
  const internPassage = database.prepare(
    `INSERT INTO passages (key, characters) VALUES (?, ?)
     ON CONFLICT (key) DO UPDATE SET characters = excluded.characters RETURNING number`,
  );
  const insertChunk = database.prepare(
    'INSERT INTO chunks (document, passage, id, languages, content, parent_id) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const insertBody = database.prepare('INSERT INTO chunk_bodies VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const insertParent = database.prepare('INSERT INTO parents VALUES (?, ?, ?, ?, ?, ?, ?)');
  const insertLink = database.prepare('INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?)');

  function putChunks(number: number, { chunks, vectorKeys }: NewDocument): number[] {
    return chunks.map((chunk, i) => {
      const passage = internPassage.get(vectorKeys[i]!, embeddingText(chunk).length)!.number!;
      const languages = new Set(
        chunk.codeBlocks.map((block) => block.language).filter((name) => name !== ''),
      );
      const { lastInsertRowid } = insertChunk.run(
        number,
        passage,
        chunk.id,
        toJson([...languages]),
        contentHash(chunk),
        chunk.parentId ?? null,
      );
      const slot = Number(lastInsertRowid);
      insertBody.run(
        slot,
        chunk.start,
        chunk.end,
        chunk.startLine,
        chunk.endLine,
        chunk.overlap,
        toJson(chunk.headingPath),
        chunk.text,
        toJson(chunk.codeBlocks),
      );
      return slot;
    });
  }

  return (document) => {
    const { lastInsertRowid } = insertDocument.run(
      document.id,
      document.collection,
      document.path,
      toJson(document.fields),
      toJson(document.frontMatter),
      document.size,
      document.modified,
      document.hash,
      document.firstLine,
      toJson(document.warnings),
    );
    const number = Number(lastInsertRowid);
    const slots = putChunks(number, document);
    for (const { id, start, end, startLine, endLine, headingPath } of document.parents) {
      insertParent.run(number, id, start, end, startLine, endLine, toJson(headingPath));
    }
    for (const [ordinal, { kind, target, anchor, label, line }] of document.links.entries()) {
      insertLink.run(number, ordinal, kind, target, anchor ?? null, label ?? null, line);
    }
    return { number, slots };
  };
}
