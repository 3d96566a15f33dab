/** Converts rows of SQLite to records and back. */
import type { Parent } from '../../core/model/chunk.ts';
import type { CodeBlock, DocumentFields, FrontMatter, Link, LinkKind } from '../../core/model/document.ts';
import type { ChunkHead, ChunkRecord, DocumentRecord } from '../../core/ports.ts';
import { rowChecksum, type Value } from './row-checksum.ts';

/** Of a chunk and its body, joined as `c` and `b`. */
export const CHUNK_COLUMNS = `c.slot, c.id, c.document, b.start_offset, b.end_offset, b.start_line, b.end_line, b.overlap,
  c.parent_id, b.heading_path, b.text, b.code_blocks, b.lead, b.text_checksum, b.checksum`;

export interface DocumentRow {
  readonly number: number;
  readonly id: string;
  readonly collection: string;
  readonly path: string;
  readonly fields: string;
  readonly front_matter: string;
  readonly size: number;
  readonly modified: number;
  readonly altered: number;
  readonly hash: string;
  readonly first_line: number;
  readonly warnings: string;
  readonly chunk_count: number;
  readonly link_count: number;
  readonly checksum: number;
}

interface SpanRow {
  readonly start_offset: number;
  readonly end_offset: number;
  readonly start_line: number;
  readonly end_line: number;
}

export interface ChunkHeadRow {
  readonly slot: number;
  readonly id: string;
  readonly document: number;
  readonly passage: number;
  readonly languages: string;
  readonly content: number;
  readonly parent_id: string | null;
  readonly checksum: number;
}

export interface BodyTextRow {
  readonly slot: number;
  readonly overlap: number;
  readonly text: string;
  readonly text_checksum: number;
}

export interface ChunkRow extends SpanRow, BodyTextRow {
  readonly id: string;
  readonly document: number;
  readonly parent_id: string | null;
  readonly heading_path: string;
  readonly code_blocks: string;
  readonly lead: string | null;
  readonly checksum: number;
}

export interface ParentRow extends SpanRow {
  readonly document: number;
  readonly id: string;
  readonly heading_path: string;
  readonly checksum: number;
}

export interface LinkRow {
  readonly document: number;
  readonly ordinal: number;
  readonly kind: string;
  readonly target: string;
  readonly anchor: string | null;
  readonly label: string | null;
  readonly line: number;
  readonly checksum: number;
}

export interface VectorRow {
  readonly vector: Uint8Array;
  readonly checksum: number;
}

/** @throws RangeError when a row is not what was written */
function verify(table: string, row: { readonly checksum: number }, values: readonly Value[]): void {
  if (rowChecksum(...values) !== row.checksum)
    throw new RangeError(`a row of ${table} is not what was written`);
}

export function documentChecksum(row: Omit<DocumentRow, 'number' | 'checksum'>): number {
  return rowChecksum(...documentValues(row));
}

/** In the order of the columns. */
export function documentValues(row: Omit<DocumentRow, 'number' | 'checksum'>): Value[] {
  const { id, collection, path, fields, front_matter, size, modified, altered } = row;
  const about = [id, collection, path, fields, front_matter, size, modified, altered];
  return [...about, row.hash, row.first_line, row.warnings, row.chunk_count, row.link_count];
}

export function toDocument(row: DocumentRow): DocumentRecord {
  verify('documents', row, documentValues(row));
  return {
    number: row.number,
    id: row.id,
    collection: row.collection,
    path: row.path,
    fields: fromJson<DocumentFields>(row.fields),
    frontMatter: fromJson<FrontMatter>(row.front_matter),
    size: row.size,
    modified: row.modified,
    altered: row.altered,
    hash: row.hash,
    firstLine: row.first_line,
    warnings: fromJson<readonly string[]>(row.warnings),
  };
}

export function toChunkHead(row: ChunkHeadRow): ChunkHead {
  verifyHead(row);
  return {
    slot: row.slot,
    id: row.id,
    document: row.document,
    languages: fromJson<readonly string[]>(row.languages),
    content: row.content,
    ...(row.parent_id !== null && { parentId: row.parent_id }),
  };
}

function verifyHead(row: Omit<ChunkHeadRow, 'slot'>): void {
  verify('chunks', row, [row.document, row.passage, row.id, row.languages, row.content, row.parent_id]);
}

/** @throws RangeError also for a body that is gone, whose columns are all null */
export function toText(row: BodyTextRow): string {
  if (rowChecksum(row.slot, row.overlap, row.text) !== row.text_checksum)
    throw new RangeError('the text of a passage is not what was written');
  return row.text;
}

export function toChunk(row: ChunkRow): ChunkRecord {
  const { slot, start_offset, end_offset, start_line, end_line, heading_path, code_blocks, lead } = row;
  verify('chunk_bodies', row, [
    slot,
    start_offset,
    end_offset,
    start_line,
    end_line,
    heading_path,
    code_blocks,
    lead,
  ]);
  return {
    slot: row.slot,
    document: row.document,
    id: row.id,
    headingPath: fromJson<readonly string[]>(row.heading_path),
    text: toText(row),
    overlap: row.overlap,
    ...(lead !== null && { lead }),
    codeBlocks: fromJson<readonly CodeBlock[]>(row.code_blocks),
    ...toSpan(row),
    ...(row.parent_id !== null && { parentId: row.parent_id }),
  };
}

export function toParent(row: ParentRow): Parent {
  const { document, id, start_offset, end_offset, start_line, end_line, heading_path } = row;
  verify('parents', row, [document, id, start_offset, end_offset, start_line, end_line, heading_path]);
  return { id: row.id, headingPath: fromJson<readonly string[]>(row.heading_path), ...toSpan(row) };
}

export function toLink(row: LinkRow): Link {
  const { document, ordinal, kind, target, anchor, label, line } = row;
  verify('links', row, [document, ordinal, kind, target, anchor, label, line]);
  return {
    kind: row.kind as LinkKind,
    target: row.target,
    line: row.line,
    ...(row.anchor !== null && { anchor: row.anchor }),
    ...(row.label !== null && { label: row.label }),
  };
}

/**
 * The blob's own memory, not a copy: SQLite hands out a fresh one for each row. Little-endian, as all of Node's.
 * @param of the passage or the word
 */
export function toVector(
  { vector: blob, checksum }: VectorRow,
  model: number,
  of: number | string,
): Float32Array {
  if (rowChecksum(model, of, blob) !== checksum) throw new RangeError('a vector is not what was written');
  return new Float32Array(blob.buffer as ArrayBuffer, blob.byteOffset, blob.byteLength / 4);
}

export function toBlob(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** Front matter in TOML may hold integers beyond the safe ones; they keep their digits as text. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
}

function toSpan(row: SpanRow): Pick<ChunkRecord, 'start' | 'end' | 'startLine' | 'endLine'> {
  return { start: row.start_offset, end: row.end_offset, startLine: row.start_line, endLine: row.end_line };
}

const NOTHING: readonly never[] = Object.freeze([]);

/** What `toJson` wrote. Most lists are empty, and parsing them would be most of the time of opening an index. */
function fromJson<T>(json: string): T {
  return (json === '[]' ? NOTHING : JSON.parse(json)) as T;
}
