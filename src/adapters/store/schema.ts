/** The tables of an index file, as a list of migrations: entry i leads from format i to format i + 1. */

/** Marks the file as ours ("dfus"), so that another program's database is never taken for an index. */
export const APPLICATION_ID = 0x64667573;

/**
 * Large enough for ten 384-dimension vectors a page with little waste; 4 KiB pages would waste a quarter.
 * Fixed when a file is made.
 */
export const PAGE_SIZE = 16_384;

/**
 * Format 1. Numbers of documents and slots are AUTOINCREMENT, hence never given out twice: structures derived
 * from them can be stale, but never wrong. Chunk ids are short hashes and therefore deliberately not UNIQUE.
 */
const FIRST_FORMAT = `
  CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE documents (
    number       INTEGER PRIMARY KEY AUTOINCREMENT,
    id           TEXT    NOT NULL UNIQUE,
    collection   TEXT    NOT NULL,
    path         TEXT    NOT NULL,
    fields       TEXT    NOT NULL,  -- JSON
    front_matter TEXT    NOT NULL,  -- JSON
    size         INTEGER NOT NULL,
    modified     REAL    NOT NULL,
    hash         TEXT    NOT NULL,
    first_line   INTEGER NOT NULL,
    warnings     TEXT    NOT NULL   -- JSON
  ) STRICT;

  -- What is embedded for a chunk, known by its key; equal texts share a row, and so a vector.
  CREATE TABLE passages (
    number     INTEGER PRIMARY KEY,
    key        TEXT    NOT NULL UNIQUE,
    characters INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX passages_by_length ON passages (characters);

  -- Narrow rows: all of them are read when an index is opened. The wide part is in chunk_bodies.
  CREATE TABLE chunks (
    slot      INTEGER PRIMARY KEY AUTOINCREMENT,
    document  INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
    passage   INTEGER NOT NULL REFERENCES passages (number),
    id        TEXT    NOT NULL,
    languages TEXT    NOT NULL      -- JSON
  ) STRICT;
  CREATE INDEX chunks_by_document ON chunks (document);
  CREATE INDEX chunks_by_passage ON chunks (passage);

  CREATE TABLE chunk_bodies (
    slot         INTEGER PRIMARY KEY REFERENCES chunks (slot) ON DELETE CASCADE,
    start_offset INTEGER NOT NULL,
    end_offset   INTEGER NOT NULL,
    start_line   INTEGER NOT NULL,
    end_line     INTEGER NOT NULL,
    overlap      INTEGER NOT NULL,
    parent_id    TEXT,
    heading_path TEXT    NOT NULL,  -- JSON
    text         TEXT    NOT NULL,
    code_blocks  TEXT    NOT NULL   -- JSON
  ) STRICT;

  CREATE TABLE parents (
    document     INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
    id           TEXT    NOT NULL,
    start_offset INTEGER NOT NULL,
    end_offset   INTEGER NOT NULL,
    start_line   INTEGER NOT NULL,
    end_line     INTEGER NOT NULL,
    heading_path TEXT    NOT NULL   -- JSON
  ) STRICT;
  CREATE INDEX parents_by_id ON parents (id);
  CREATE INDEX parents_by_document ON parents (document);

  CREATE TABLE links (
    document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
    ordinal  INTEGER NOT NULL,
    kind     TEXT    NOT NULL,
    target   TEXT    NOT NULL,
    anchor   TEXT,
    label    TEXT,
    line     INTEGER NOT NULL,
    PRIMARY KEY (document, ordinal)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE models (
    number INTEGER PRIMARY KEY,
    name   TEXT NOT NULL UNIQUE
  ) STRICT;

  -- A rowid table, so that rows are appended whatever the order of keys; passage first serves the cascade.
  CREATE TABLE vectors (
    number  INTEGER PRIMARY KEY,
    model   INTEGER NOT NULL REFERENCES models (number),
    passage INTEGER NOT NULL REFERENCES passages (number) ON DELETE CASCADE,
    vector  BLOB    NOT NULL,       -- float32, little-endian
    UNIQUE (passage, model)
  ) STRICT;

  CREATE TABLE segments (
    id    INTEGER PRIMARY KEY AUTOINCREMENT,
    kind  TEXT NOT NULL,
    bytes BLOB NOT NULL
  ) STRICT;
  CREATE INDEX segments_by_kind ON segments (kind);
`;

/** Format 2: the words of the collection with their vectors, for expanding queries. */
const WITH_VOCABULARY = `
  CREATE TABLE vocabulary (
    number INTEGER PRIMARY KEY,
    model  INTEGER NOT NULL REFERENCES models (number),
    word   TEXT    NOT NULL,
    vector BLOB    NOT NULL,        -- float32, little-endian
    UNIQUE (model, word)
  ) STRICT;
`;

/**
 * Format 3: what is asked of every candidate of a search stands in the narrow rows. `content_hash` is `contentHash`.
 */
const WITH_CONTENT_HASH = `
  ALTER TABLE chunks ADD COLUMN content INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE chunks ADD COLUMN parent_id TEXT;
  UPDATE chunks SET
    content = (SELECT content_hash(b.text, b.overlap) FROM chunk_bodies b WHERE b.slot = chunks.slot),
    parent_id = (SELECT b.parent_id FROM chunk_bodies b WHERE b.slot = chunks.slot);
  ALTER TABLE chunk_bodies DROP COLUMN parent_id;
`;

/**
 * Format 4: every row that answers are drawn from has a checksum (row-checksum.ts), and documents know how many rows hang
 * on them, so that what is spoilt or lost is noticed where SQLite has no means to. The numbers rows are known by are not
 * covered where SQLite gives them out; a row under a wrong one is missed where it belongs.
 */
const WITH_CHECKSUMS = `
  ALTER TABLE meta ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
  UPDATE meta SET checksum = row_checksum(key, value);
  ALTER TABLE documents ADD COLUMN chunk_count INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE documents ADD COLUMN link_count INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE documents ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
  UPDATE documents SET
    chunk_count = (SELECT count(*) FROM chunks c WHERE c.document = documents.number),
    link_count = (SELECT count(*) FROM links l WHERE l.document = documents.number);
  UPDATE documents SET checksum = row_checksum(id, collection, path, fields, front_matter, size, modified, hash, first_line,
    warnings, chunk_count, link_count);
  ALTER TABLE chunks ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
  UPDATE chunks SET checksum = row_checksum(document, passage, id, languages, content, parent_id);
  ALTER TABLE chunk_bodies ADD COLUMN text_checksum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE chunk_bodies ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
  UPDATE chunk_bodies SET
    text_checksum = row_checksum(slot, overlap, text),
    checksum = row_checksum(slot, start_offset, end_offset, start_line, end_line, heading_path, code_blocks);
  ALTER TABLE parents ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
  UPDATE parents SET checksum = row_checksum(document, id, start_offset, end_offset, start_line, end_line, heading_path);
  ALTER TABLE links ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
  UPDATE links SET checksum = row_checksum(document, ordinal, kind, target, anchor, label, line);
  ALTER TABLE vectors ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
  UPDATE vectors SET checksum = row_checksum(model, passage, vector);
  ALTER TABLE vocabulary ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
  UPDATE vocabulary SET checksum = row_checksum(model, word, vector);
`;

/** Format 5: what leads to the list or the table that a chunk goes on with. A damaged row gets no new checksum. */
const WITH_LEADS = `
  ALTER TABLE chunk_bodies ADD COLUMN lead TEXT;
  UPDATE chunk_bodies
    SET checksum = row_checksum(slot, start_offset, end_offset, start_line, end_line, heading_path, code_blocks, lead)
    WHERE checksum = row_checksum(slot, start_offset, end_offset, start_line, end_line, heading_path, code_blocks);
`;

/** Format 6: when the file system last noted a change, 0 for none known. A spoilt row is not sealed anew. */
const WITH_ALTERED = `
  ALTER TABLE documents ADD COLUMN altered REAL NOT NULL DEFAULT 0;
  UPDATE documents
    SET checksum = row_checksum(id, collection, path, fields, front_matter, size, modified, altered, hash, first_line, warnings,
      chunk_count, link_count)
    WHERE checksum = row_checksum(id, collection, path, fields, front_matter, size, modified, hash, first_line, warnings,
      chunk_count, link_count);
`;

export const MIGRATIONS: readonly string[] = [
  FIRST_FORMAT,
  WITH_VOCABULARY,
  WITH_CONTENT_HASH,
  WITH_CHECKSUMS,
  WITH_LEADS,
  WITH_ALTERED,
];
