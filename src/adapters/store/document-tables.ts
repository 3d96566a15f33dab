/** Documents with their chunks, parents and links. */
import type { DatabaseSync } from 'node:sqlite';
import { embeddingText } from '../../core/chunk/chunk-head.ts';
import type { DocumentRecord, NewDocument } from '../../core/ports.ts';
import type { DocumentStore, LinkStore } from '../../core/storage.ts';
import { internPassage, orphanVectors } from './interned.ts';
import { rowChecksum, type Value } from './row-checksum.ts';
import {
  arraysOf,
  CHUNK_COLUMNS,
  DOCUMENT_COLUMNS,
  FILE_COLUMNS,
  SEALED,
  sealedInsert,
  sealOf,
  toChunk,
  toChunkHead,
  toDocument,
  toFile,
  toJson,
  toLink,
  toParent,
  toText,
} from './rows.ts';
import { transaction } from './transaction.ts';

const SELECT_DOCUMENTS = `SELECT ${DOCUMENT_COLUMNS} FROM documents`;

/** A replaced document gets a new number and new slots, so data derived from the old numbers never describes the new text. */
export function documentTables(database: DatabaseSync): DocumentStore & LinkStore {
  // CROSS JOIN keeps the order of the list. One statement for a list takes half the time of a statement for each row.
  const chunksOfList = `(SELECT value FROM json_each(?)) CROSS JOIN chunks c ON c.slot = value LEFT JOIN chunk_bodies b USING (slot)`;
  const chunksBySlots = database.prepare(`SELECT ${CHUNK_COLUMNS} FROM ${chunksOfList}`);
  const textsBySlots = arraysOf<[number, number, string, number]>(
    database,
    `SELECT c.slot, b.overlap, b.text, b.text_checksum FROM ${chunksOfList}`,
  );
  // A document without chunks gives one row, whose slot is null.
  const chunksByDocument = database.prepare(
    `SELECT d.chunk_count, ${CHUNK_COLUMNS} FROM documents d LEFT JOIN chunks c ON c.document = d.number
     LEFT JOIN chunk_bodies b USING (slot) WHERE d.number = ? ORDER BY c.slot`,
  );
  const parentsByIds = arraysOf(
    database,
    `SELECT ${SEALED.parents}, checksum FROM (SELECT value FROM json_each(?)) CROSS JOIN parents p
     ON p.rowid = (SELECT min(rowid) FROM parents WHERE id = value)`,
  );
  // This is one statement, because a removal by another process between two statements would look like damage.
  const lostParent = database.prepare(
    `SELECT 1 FROM chunks c WHERE c.parent_id = ? AND NOT EXISTS (SELECT 1 FROM parents p WHERE p.id = c.parent_id)
     LIMIT 1`,
  );
  const linksByDocument = database.prepare(
    'SELECT l.*, link_count FROM documents d LEFT JOIN links l ON l.document = d.number WHERE d.number = ? ORDER BY ordinal',
  );
  const documentByNumber = database.prepare(`${SELECT_DOCUMENTS} WHERE number = ?`);
  const files = arraysOf(database, `SELECT ${FILE_COLUMNS} FROM documents ORDER BY number`);
  const withWarnings = arraysOf(database, `${SELECT_DOCUMENTS} WHERE warnings <> '[]' ORDER BY number`);
  const numberById = database.prepare('SELECT number FROM documents WHERE id = ?');
  const slotsByDocument = database.prepare(
    'SELECT slot, passage FROM chunks WHERE document = ? ORDER BY slot',
  );
  const deleteDocument = database.prepare('DELETE FROM documents WHERE number = ?');
  const touchDocument = database.prepare(
    'UPDATE documents SET modified = ?, altered = ?, size = ?, checksum = ? WHERE number = ?',
  );
  const headsByDocument = arraysOf(database, 'SELECT * FROM chunks WHERE document = ? ORDER BY slot');
  /** Lists of languages, by their JSON. */
  const languageLists = new Map<string, readonly string[]>();
  const insert = documentInserts(database);
  const orphan = orphanVectors(database);

  /** Removes a document. `replace` inserts the new version before `orphan` runs, because the new version reuses most vectors. */
  function remove<T>(number: number, replace?: () => T) {
    const rows = slotsByDocument.all(number) as { slot: number; passage: number }[];
    deleteDocument.run(number);
    const replacement = replace?.();
    orphan(rows.map(({ passage }) => passage));
    return { removed: rows.map(({ slot }) => slot), replacement };
  }

  /** Records that the first call of `files` read. The next call of `documents` takes them: a command compares files, then opens the index. */
  let kept: { readonly records: readonly DocumentRecord[]; readonly version: unknown } | undefined;
  let isRead = false;
  /** Changes with every write of another process. */
  const otherWrites = database.prepare('PRAGMA data_version');
  /** Number of times that this process wrote documents. Its other writes do not count: a sync writes facts between both calls. */
  let ownWrites = 0;

  function write<T>(work: () => T): T {
    ownWrites++;
    return transaction(database, work);
  }

  const version = () => `${otherWrites.get()?.data_version} ${ownWrites}`;

  // Equal count and equal greatest number mean equal documents, because a number is never used again.
  const edition = database.prepare(
    "SELECT count(*) || ' ' || coalesce(max(number), 0) AS edition FROM documents",
  );

  return {
    documentsEdition: () => String(edition.get()?.edition),
    documents() {
      isRead = true;
      const former = kept;
      kept = undefined;
      return former && former.version === version() ? former.records : readDocuments(database);
    },
    files() {
      if (isRead) return files.all().map(toFile);
      isRead = true;
      kept = { version: version(), records: [...readDocuments(database)] };
      return kept.records;
    },
    documentsWithWarnings: () => withWarnings.all().map(toDocument),
    document(number) {
      const row = documentByNumber.get(number);
      return row && toDocument(Object.values(row) as Value[]);
    },
    slotsByDocument: () => readSlots(database),
    headsOf: (document) => headsByDocument.all(document).map((row) => toChunkHead(row, languageLists)),
    chunks: (slots) => chunksBySlots.all(JSON.stringify(slots)).map(toChunk),
    texts: (slots) => textsBySlots.all(JSON.stringify(slots)).map((row) => toText(...row).slice(row[1])),
    chunksOf(document) {
      const rows = chunksByDocument.all(document);
      const chunks = rows.filter(({ slot }) => slot !== null);
      requireCount('chunks', chunks.length, Number(rows[0]?.chunk_count ?? 0));
      return chunks.map(toChunk);
    },
    parents(ids) {
      const parents = parentsByIds.all(JSON.stringify(ids)).map(toParent);
      if (parents.length < ids.length && ids.some((id) => lostParent.get(id)))
        throw new RangeError('the section around a passage is missing');
      return parents;
    },
    linksOf(document) {
      const rows = linksByDocument.all(document);
      const links = rows.filter(({ kind }) => kind !== null).map(toLink);
      requireCount('links', links.length, Number(rows[0]?.link_count ?? 0));
      return links;
    },
    links: () => readLinks(database),
    putDocument: (document) =>
      write(() => {
        const former = numberById.get(document.id)?.number;
        if (former === undefined) return { ...insert(document), removed: [] };
        const { removed, replacement } = remove(former as number, () => insert(document));
        return { ...replacement!, removed };
      }),
    touchDocument(number, { modified, altered, size }) {
      write(() => {
        const row = documentByNumber.get(number);
        if (!row) return;
        toDocument(Object.values(row) as Value[]); // a damaged row must not get a new checksum
        const checksum = sealOf('documents', { ...row, modified, altered, size });
        touchDocument.run(modified, altered, size, checksum, number);
      });
    },
    removeDocument: (number) => write(() => remove(number).removed),
  };
}

function* readDocuments(database: DatabaseSync): Iterable<DocumentRecord> {
  requireWholeIndexes(database);
  const all = arraysOf(database, `${SELECT_DOCUMENTS} ORDER BY number`);
  for (const row of all.iterate()) yield toDocument(row);
}

/**
 * Reads the slots of each document. One statement also reads how many there must be, because another process may write between
 * two statements.
 * @throws RangeError if passages are missing
 */
function readSlots(database: DatabaseSync): ReadonlyMap<number, readonly number[]> {
  // `chunks_by_document` has all columns of the query, so SQLite does not read the long rows of the table. One result row for each
  // document takes a fifth of the time of one for each slot.
  const statement = arraysOf<readonly [document: number | null, json: string, sum: number]>(
    database,
    `SELECT c.*, d.expected FROM (SELECT coalesce(sum(chunk_count), 0) AS expected FROM documents) d LEFT JOIN
     (SELECT document, json_group_array(slot) FROM chunks INDEXED BY chunks_by_document GROUP BY document) c ON true`,
  );
  const slots = new Map<number, readonly number[]>();
  let [found, expected] = [0, 0];
  for (const [document, json, sum] of statement.iterate()) {
    expected = sum;
    if (document === null) break; // the table is empty
    const own = JSON.parse(json) as readonly number[];
    slots.set(document, own);
    found += own.length;
  }
  requireCount('chunks', found, expected);
  return slots;
}

/** Reads all links in order. One statement also reads how many there must be. */
function* readLinks(database: DatabaseSync): ReturnType<LinkStore['links']> {
  const statement = arraysOf(
    database,
    `SELECT t.*, d.expected FROM (SELECT coalesce(sum(link_count), 0) AS expected FROM documents) d
     LEFT JOIN links t ON true ORDER BY document, ordinal`,
  );
  let [found, expected] = [0, 0];
  for (const row of statement.iterate()) {
    const [document, ordinal, kind, target, anchor, label, line, checksum, sum] = row;
    expected = sum as number;
    if (document === null) break; // the table is empty
    found++;
    const link = toLink({ document, ordinal, kind, target, anchor, label, line, checksum });
    yield { document: document as number, link };
  }
  requireCount('links', found, expected);
}

function requireCount(table: string, found: number, expected: number): void {
  if (found !== expected) throw new RangeError(`${table} holds ${found} rows, not ${expected}`);
}

function documentInserts(
  database: DatabaseSync,
): (document: NewDocument) => { number: number; slots: number[] } {
  const insertDocument = sealedInsert(database, 'documents');
  const intern = internPassage(database);
  const insertChunk = sealedInsert(database, 'chunks');
  const insertBody = database.prepare(
    `INSERT INTO chunk_bodies (${SEALED.chunk_bodies}, checksum, overlap, text, text_checksum)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertParent = sealedInsert(database, 'parents');
  const insertLink = sealedInsert(database, 'links');

  function putChunks(number: number, { chunks, vectorKeys, contents }: NewDocument): number[] {
    return chunks.map((chunk, i) => {
      const of = intern(vectorKeys[i]!, embeddingText(chunk).length);
      const languages = new Set(
        chunk.codeBlocks.map((block) => block.language).filter((name) => name !== ''),
      );
      const { id, start, end, startLine, endLine, headingPath, codeBlocks, overlap, text } = chunk;
      const slot = insertChunk(number, of, id, toJson([...languages]), contents[i]!, chunk.parentId ?? null);
      const lines = [start, end, startLine, endLine] as const;
      const lead = chunk.contextPrefix ?? null;
      const body = [slot, ...lines, toJson(headingPath), toJson(codeBlocks), lead] as const;
      insertBody.run(...body, rowChecksum(...body), overlap, text, rowChecksum(slot, overlap, text));
      return slot;
    });
  }

  return (document) => {
    const { chunks, links, parents } = document;
    const { id, collection, path, size, modified, altered, hash } = document;
    const about = [id, collection, path, toJson(document.fields), toJson(document.frontMatter)] as const;
    const state = [size, modified, altered, hash, document.firstLine, toJson(document.warnings)] as const;
    const number = insertDocument(...about, ...state, chunks.length, links.length);
    const slots = putChunks(number, document);
    for (const { id, start, end, startLine, endLine, headingPath } of parents) {
      insertParent(number, id, start, end, startLine, endLine, toJson(headingPath));
    }
    for (const [ordinal, { kind, target, anchor = null, label = null, line }] of links.entries()) {
      insertLink(number, ordinal, kind, target, anchor, label, line);
    }
    return { number, slots };
  };
}

/** Tables whose rows are counted nowhere else. If a row is missing only in an index of SQLite, some answers would lack it. */
const INDEXED = ['documents', 'passages', 'chunks'] as const;

/**
 * Checks that the indexes of SQLite have as many rows as their tables. SQLite itself does not notice a wrong page or a lost
 * write. The check takes milliseconds for 100,000 rows. One statement counts a table and its indexes, because another process
 * may write between two statements.
 * @throws RangeError naming the table
 */
function requireWholeIndexes(database: DatabaseSync): void {
  const indexesOf = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?");
  for (const table of INDEXED) {
    const ways = ['NOT INDEXED', ...indexesOf.all(table).map(({ name }) => `INDEXED BY ${name}`)];
    const counts = ways.map((way) => `SELECT count(*) AS rows FROM ${table} ${way}`);
    const all = database.prepare(counts.join(' UNION ALL ')).all();
    if (all.some(({ rows }) => rows !== all[0]!.rows))
      throw new RangeError(`an SQLite index of ${table} has missing or extra rows`);
  }
}
