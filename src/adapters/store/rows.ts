/** Rows as SQLite gives them, and the records they stand for. */
import type { Parent } from '../../core/model/chunk.ts';
import type { CodeBlock, DocumentFields, FrontMatter, Link, LinkKind } from '../../core/model/document.ts';
import type { ChunkHead, ChunkRecord, DocumentRecord } from '../../core/ports.ts';

export interface DocumentRow {
  readonly number: number;
  readonly id: string;
  readonly collection: string;
  readonly path: string;
  readonly fields: string;
  readonly front_matter: string;
  readonly size: number;
  readonly modified: number;
  readonly hash: string;
  readonly first_line: number;
  readonly warnings: string;
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
  readonly languages: string;
  readonly content: number;
  readonly parent_id: string | null;
}

export interface ChunkRow extends SpanRow {
  readonly slot: number;
  readonly id: string;
  readonly document: number;
  readonly overlap: number;
  readonly parent_id: string | null;
  readonly heading_path: string;
  readonly text: string;
  readonly code_blocks: string;
}

export interface ParentRow extends SpanRow {
  readonly id: string;
  readonly heading_path: string;
}

export interface LinkRow {
  readonly kind: string;
  readonly target: string;
  readonly anchor: string | null;
  readonly label: string | null;
  readonly line: number;
}

export function toDocument(row: DocumentRow): DocumentRecord {
  return {
    number: row.number,
    id: row.id,
    collection: row.collection,
    path: row.path,
    fields: fromJson<DocumentFields>(row.fields),
    frontMatter: fromJson<FrontMatter>(row.front_matter),
    size: row.size,
    modified: row.modified,
    hash: row.hash,
    firstLine: row.first_line,
    warnings: fromJson<readonly string[]>(row.warnings),
  };
}

export function toChunkHead(row: ChunkHeadRow): ChunkHead {
  return {
    slot: row.slot,
    id: row.id,
    document: row.document,
    languages: fromJson<readonly string[]>(row.languages),
    content: row.content,
    ...(row.parent_id !== null && { parentId: row.parent_id }),
  };
}

export function toChunk(row: ChunkRow): ChunkRecord {
  return {
    slot: row.slot,
    document: row.document,
    id: row.id,
    headingPath: fromJson<readonly string[]>(row.heading_path),
    text: row.text,
    overlap: row.overlap,
    codeBlocks: fromJson<readonly CodeBlock[]>(row.code_blocks),
    ...toSpan(row),
    ...(row.parent_id !== null && { parentId: row.parent_id }),
  };
}

export function toParent(row: ParentRow): Parent {
  return { id: row.id, headingPath: fromJson<readonly string[]>(row.heading_path), ...toSpan(row) };
}

export function toLink(row: LinkRow): Link {
  return {
    kind: row.kind as LinkKind,
    target: row.target,
    line: row.line,
    ...(row.anchor !== null && { anchor: row.anchor }),
    ...(row.label !== null && { label: row.label }),
  };
}

/** The blob's own memory, not a copy: SQLite hands out a fresh one for each row. Little-endian, as all of Node's. */
export function toVector(blob: Uint8Array): Float32Array {
  if (!(blob instanceof Uint8Array) || blob.byteLength % 4 !== 0) throw new RangeError('a vector is not one');
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
