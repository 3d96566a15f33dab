/** Converts rows of SQLite to records and back. Each row has a checksum. */
import type { DatabaseSync } from 'node:sqlite';
import type { Parent } from '../../core/model/chunk.ts';
import type { CodeBlock, DocumentFields, FrontMatter, Link, LinkKind } from '../../core/model/document.ts';
import type { ChunkHead, ChunkRecord, DocumentRecord, StoredFile } from '../../core/ports.ts';
import { rowChecksum, type Value } from './row-checksum.ts';

/** Columns that the checksum of a row covers, in this order. The text of a passage has its own checksum (schema.ts). */
export const SEALED = {
  documents:
    'id, collection, path, fields, front_matter, size, modified, altered, hash, first_line, warnings, chunk_count, link_count',
  chunks: 'document, passage, id, languages, content, parent_id',
  chunk_bodies: 'slot, start_offset, end_offset, start_line, end_line, heading_path, code_blocks, lead',
  parents: 'document, id, start_offset, end_offset, start_line, end_line, heading_path',
  links: 'document, ordinal, kind, target, anchor, label, line',
  vectors: 'model, passage, vector',
  vocabulary: 'model, word, vector',
} as const;
type Sealed = keyof typeof SEALED;

const NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(SEALED).map(([table, columns]) => [table, columns.split(', ')]),
);

/** Columns of a document, as `toDocument` needs them: in this order. */
export const DOCUMENT_COLUMNS = `number, ${SEALED.documents}, checksum`;

/** Columns of a document, as `toFile` needs them. */
export const FILE_COLUMNS = 'number, id, collection, path, size, modified, altered, hash';

/** Columns of a chunk (`c`) and its body (`b`) that `toChunk` needs. */
export const CHUNK_COLUMNS = `c.slot, c.id, c.document, b.start_offset, b.end_offset, b.start_line, b.end_line, b.overlap,
  c.parent_id, b.heading_path, b.text, b.code_blocks, b.lead, b.text_checksum, b.checksum`;

export type Row = Readonly<Record<string, unknown>>;

/** Prepares a query that gives each row as an array, in the order of its columns: objects would take twice the time. */
export function arraysOf<Columns = readonly Value[]>(database: DatabaseSync, query: string) {
  const statement = database.prepare(query);
  statement.setReturnArrays(true);
  return statement as unknown as { all(...values: Value[]): Columns[]; iterate(): Iterable<Columns> };
}

type Columns<Texts extends string, Numbers extends string, Optional extends string = never> = {
  readonly [Name in Texts]: string;
} & { readonly [Name in Numbers]: number } & { readonly [Name in Optional]: string | null };

/** Columns with the place of a chunk in its document. */
type Extent = 'start_offset' | 'end_offset' | 'start_line' | 'end_line';

/**
 * Prepares to insert rows with their checksums.
 * @returns a function that inserts one row, with values in the order of `SEALED`, and returns its number
 */
export function sealedInsert(
  database: DatabaseSync,
  table: Sealed,
  onConflict = '',
): (...values: Value[]) => number {
  const marks = NAMES.get(table)!
    .map(() => '?, ')
    .join('');
  const insert = database.prepare(
    `INSERT INTO ${table} (${SEALED[table]}, checksum) VALUES (${marks}?) ${onConflict}`,
  );
  return (...values) => Number(insert.run(...values, rowChecksum(...values)).lastInsertRowid);
}

/** Returns the checksum that an undamaged row has. */
export function sealOf(table: Sealed, row: Row): number {
  return rowChecksum(...NAMES.get(table)!.map((name) => row[name] as Value));
}

/** @throws RangeError if the row is damaged */
export function verify(table: Sealed, row: Row): void {
  if (sealOf(table, row) !== row.checksum) throw damaged(table);
}

function damaged(table: Sealed): RangeError {
  return new RangeError(`a row of ${table} has a wrong checksum`);
}

/** Does not verify the row: its checksum covers all columns. @param row `FILE_COLUMNS` */
export function toFile(row: readonly Value[]): StoredFile {
  const [number, id, collection, path, size, modified, altered, hash] = row as readonly [
    ...[number: number, id: string, collection: string, path: string],
    ...[size: number, modified: number, altered: number, hash: string],
  ];
  return { number, id, collection, path, size, modified, altered, hash };
}

/** @param row `DOCUMENT_COLUMNS` */
export function toDocument(row: readonly Value[]): DocumentRecord {
  const [number, id, collection, path, fields, frontMatter, ...others] = row as readonly [
    ...[number: number, id: string, collection: string, path: string, fields: string, frontMatter: string],
    ...[size: number, modified: number, altered: number, hash: string, firstLine: number, warnings: string],
    ...[chunks: number, links: number, checksum: number],
  ];
  const [size, modified, altered, hash, firstLine, warnings, , , checksum] = others;
  if (rowChecksum(...row.slice(1, -1)) !== checksum) throw damaged('documents');
  return {
    number,
    id,
    collection,
    path,
    size,
    modified,
    altered,
    hash,
    firstLine,
    fields: fromJson<DocumentFields>(fields),
    frontMatter: fromJson<FrontMatter>(frontMatter),
    warnings: fromJson<readonly string[]>(warnings),
  };
}

/**
 * @param row the columns in the order of the table
 * @param lists the lists of languages read so far, by their JSON. Rows share these lists, because most rows have one of a few
 */
export function toChunkHead(row: readonly Value[], lists: Map<string, readonly string[]>): ChunkHead {
  const [slot, document, passage, id, languages, content, parentId, checksum] = row as readonly [
    ...[slot: number, document: number, passage: number, id: string],
    ...[languages: string, content: number, parentId: string | null, checksum: number],
  ];
  if (rowChecksum(document, passage, id, languages, content, parentId) !== checksum) throw damaged('chunks');
  const known = lists.get(languages) ?? fromJson<readonly string[]>(languages);
  lists.set(languages, known);
  return { slot, id, document, languages: known, content, ...(parentId !== null && { parentId }) };
}

/** @throws RangeError if the text is damaged, or its row is missing: all columns are then null */
export function toText(slot: number, overlap: number, text: string, checksum: number): string {
  if (rowChecksum(slot, overlap, text) !== checksum)
    throw new RangeError('the text of a passage has a wrong checksum');
  return text;
}

export function toChunk(row: Row): ChunkRecord {
  verify('chunk_bodies', row);
  const { slot, document, id, overlap, text, text_checksum, lead, parent_id, ...body } = row as Columns<
    'id' | 'heading_path' | 'code_blocks' | 'text',
    'slot' | 'document' | 'overlap' | 'text_checksum' | Extent,
    'lead' | 'parent_id'
  >;
  return {
    slot,
    document,
    id,
    overlap,
    headingPath: fromJson<readonly string[]>(body.heading_path),
    text: toText(slot, overlap, text, text_checksum),
    ...(lead !== null && { contextPrefix: lead }),
    codeBlocks: fromJson<readonly CodeBlock[]>(body.code_blocks),
    start: body.start_offset,
    end: body.end_offset,
    startLine: body.start_line,
    endLine: body.end_line,
    ...(parent_id !== null && { parentId: parent_id }),
  };
}

/** @param row the columns of `SEALED` and the checksum */
export function toParent(row: readonly Value[]): Parent {
  const [document, id, start, end, startLine, endLine, headings, checksum] = row as readonly [
    ...[document: number, id: string, start: number, end: number, startLine: number, endLine: number],
    ...[headings: string, checksum: number],
  ];
  if (rowChecksum(document, id, start, end, startLine, endLine, headings) !== checksum)
    throw damaged('parents');
  return { id, headingPath: fromJson<readonly string[]>(headings), start, end, startLine, endLine };
}

export function toLink(row: Row): Link {
  verify('links', row);
  const { kind, target, line, anchor, label } = row as Columns<'kind' | 'target', 'line', 'anchor' | 'label'>;
  return {
    kind: kind as LinkKind,
    target,
    line,
    ...(anchor !== null && { anchor }),
    ...(label !== null && { label }),
  };
}

/** Returns the blob of a vector, unless it is damaged. @param of what it belongs to: the number of a passage, or a word */
export function soundVector({ vector, checksum }: Row, model: number, of: number | string): Uint8Array {
  const blob = vector as Uint8Array;
  if (rowChecksum(model, of, blob) !== checksum) throw new RangeError('a vector has a wrong checksum');
  return blob;
}

/** Converts a value to JSON. Big integers, which front matter in TOML may hold, become strings of digits. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
}

const NOTHING: readonly never[] = Object.freeze([]);

/** Parses the result of `toJson`. Most lists are empty; parsing them would take most of the time that opening an index takes. */
function fromJson<T>(json: string): T {
  return (json === '[]' ? NOTHING : JSON.parse(json)) as T;
}
