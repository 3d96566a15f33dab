/** The tables of an index file. */

/** Marks a file as an index of docfuse ("dfus"), to recognise databases of other programs. */
export const APPLICATION_ID = 0x64667573;

/** Number of the current format, stored in `user_version`. An index with a lower format is rebuilt and keeps its vectors. */
export const FORMAT = 10;

/**
 * Bytes per page. Twenty-seven vectors of 384 dimensions fill a page with little waste. A file keeps
 * its page size.
 */
export const PAGE_SIZE = 16_384;

/**
 * Numbers of documents and slots are AUTOINCREMENT, so no number is used twice between two rebuilds. Derived structures may
 * therefore contain numbers of removed rows, but never the number of a different row. Chunk ids are short hashes, which may
 * collide, so they are not UNIQUE.
 *
 * Every row from which answers are made has a checksum (row-checksum.ts), and a document stores how many rows belong to it. This
 * shows damaged and lost rows even if SQLite does not notice them. A checksum does not cover numbers that SQLite assigns: a row
 * with a wrong number is noticed because its right number is missing.
 */
export const TABLES = `
  -- With rowids, a look-up compares keys only. Without, SQLite copies whole rows, and values can be long.
  CREATE TABLE meta (
    key      TEXT PRIMARY KEY,
    value    TEXT NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE documents (
    number       INTEGER PRIMARY KEY AUTOINCREMENT,
    id           TEXT    NOT NULL UNIQUE,
    collection   TEXT    NOT NULL,
    path         TEXT    NOT NULL,
    fields       TEXT    NOT NULL,  -- JSON
    front_matter TEXT    NOT NULL,  -- JSON
    size         INTEGER NOT NULL,
    modified     REAL    NOT NULL,
    altered      REAL    NOT NULL,  -- ctime in milliseconds since 1970; 0 if unknown
    hash         TEXT    NOT NULL,
    first_line   INTEGER NOT NULL,
    warnings     TEXT    NOT NULL,  -- JSON
    chunk_count  INTEGER NOT NULL,
    link_count   INTEGER NOT NULL,
    checksum     INTEGER NOT NULL
  ) STRICT;

  -- The keys of embedded texts. Chunks with equal texts share a row, and so a vector.
  CREATE TABLE passages (
    number     INTEGER PRIMARY KEY,
    key        TEXT    NOT NULL UNIQUE,
    characters INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX passages_by_length ON passages (characters);

  -- Short rows, because all are read when an index is opened. The long columns are in chunk_bodies.
  CREATE TABLE chunks (
    slot      INTEGER PRIMARY KEY AUTOINCREMENT,
    document  INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
    passage   INTEGER NOT NULL REFERENCES passages (number),
    id        TEXT    NOT NULL,
    languages TEXT    NOT NULL,     -- JSON
    content   INTEGER NOT NULL,     -- contentHash
    parent_id TEXT,
    checksum  INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX chunks_by_document ON chunks (document);
  CREATE INDEX chunks_by_passage ON chunks (passage);

  CREATE TABLE chunk_bodies (
    slot          INTEGER PRIMARY KEY REFERENCES chunks (slot) ON DELETE CASCADE,
    start_offset  INTEGER NOT NULL,
    end_offset    INTEGER NOT NULL,
    start_line    INTEGER NOT NULL,
    end_line      INTEGER NOT NULL,
    heading_path  TEXT    NOT NULL, -- JSON
    code_blocks   TEXT    NOT NULL, -- JSON
    lead          TEXT,             -- context prefix: introduces the list or table in which the chunk begins
    checksum      INTEGER NOT NULL, -- of the columns above
    overlap       INTEGER NOT NULL,
    text          TEXT    NOT NULL,
    text_checksum INTEGER NOT NULL  -- of slot, overlap and text
  ) STRICT;

  CREATE TABLE parents (
    document     INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
    id           TEXT    NOT NULL,
    start_offset INTEGER NOT NULL,
    end_offset   INTEGER NOT NULL,
    start_line   INTEGER NOT NULL,
    end_line     INTEGER NOT NULL,
    heading_path TEXT    NOT NULL,  -- JSON
    checksum     INTEGER NOT NULL
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
    checksum INTEGER NOT NULL,
    PRIMARY KEY (document, ordinal)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE models (
    number INTEGER PRIMARY KEY,
    name   TEXT NOT NULL UNIQUE
  ) STRICT;

  -- A rowid table, so that inserts append. UNIQUE starts with passage, so that deleting a passage finds its vectors fast.
  CREATE TABLE vectors (
    number   INTEGER PRIMARY KEY,
    model    INTEGER NOT NULL REFERENCES models (number),
    passage  INTEGER NOT NULL REFERENCES passages (number) ON DELETE CASCADE,
    vector   BLOB    NOT NULL,      -- packed: core/indexes/packed-vector.ts
    checksum INTEGER NOT NULL,
    UNIQUE (passage, model)
  ) STRICT;

  CREATE TABLE segments (
    id    INTEGER PRIMARY KEY AUTOINCREMENT,
    kind  TEXT NOT NULL,
    bytes BLOB NOT NULL
  ) STRICT;
  CREATE INDEX segments_by_kind ON segments (kind);
  -- A large segment is a head with its pieces of equal length, each in a page of its own (segment-pieces.ts).
  CREATE TABLE pieces (
    id      INTEGER PRIMARY KEY,
    segment INTEGER NOT NULL REFERENCES segments (id) ON DELETE CASCADE,
    number  INTEGER NOT NULL,
    bytes   BLOB    NOT NULL,
    UNIQUE (segment, number)
  ) STRICT;

  -- The words of the collection, for expanding queries.
  CREATE TABLE vocabulary (
    number   INTEGER PRIMARY KEY,
    model    INTEGER NOT NULL REFERENCES models (number),
    word     TEXT    NOT NULL,
    vector   BLOB    NOT NULL,      -- packed: core/indexes/packed-vector.ts
    checksum INTEGER NOT NULL,
    UNIQUE (model, word)
  ) STRICT;
`;
