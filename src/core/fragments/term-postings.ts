/** The postings of a term, by document, and their encoding as bytes. */
import { KEYWORD_FIELDS } from '../model/ranking-constants.ts';
import { type ByteReader, type ByteWriter, createReader, createWriter } from './bytes.ts';

/** How often a term occurs in a text, and how many positions the text has. */
export interface Occurrence {
  readonly frequency: number;
  readonly length: number;
}

/** A name of a document that holds a term. */
export interface NameWeight {
  /** Index of the name in `documentNames`; `FILE_NAME` for the file name without its stop words. */
  readonly name: number;
  /** Number of different terms in the name. */
  readonly terms: number;
  /** Sum of the idf of these terms, in steps of 1/64. */
  readonly total: number;
}

export const FILE_NAME = 63;

/** A document that holds a term, with everything that scores it and its passages. */
export interface DocumentPosting {
  readonly document: number;
  /** Occurrences in document fields that are indexed with each passage; `field` is an index into `KEYWORD_FIELDS`. */
  readonly fields: readonly (Occurrence & { readonly field: number })[];
  /** Occurrences in title, aliases and file name, as one text. */
  readonly names?: Occurrence & { readonly weights: readonly NameWeight[] };
  /** Occurrences in the whole text. */
  readonly text?: Occurrence;
  /** Passages that hold the term in their headings or text, in order; `passage` counts from 0 in the document. */
  readonly passages: readonly PassagePosting[];
}

export interface PassagePosting {
  readonly passage: number;
  readonly headers?: Occurrence;
  readonly content?: Occurrence;
}

export const HEADERS = KEYWORD_FIELDS.indexOf('headers');
export const CONTENT = KEYWORD_FIELDS.indexOf('content');

/** Fields of the document itself, in the order of their bits. */
const DOCUMENT_FIELDS = [...KEYWORD_FIELDS.keys()].filter((field) => field !== HEADERS && field !== CONTENT);

/** Bits of the mask of a document. From `FIRST_FIELD` on, each bit stands for one field of the document. */
const TEXT = 1;
const NAMES = 2;
const FIRST_FIELD = 4;

/** Each column is written as a separate block: similar numbers side by side compress better. */
const COLUMNS = [
  'gaps',
  'masks',
  'frequencies',
  'lengths',
  'names',
  'passages',
  'inPassages',
  'inLengths',
] as const;
type Columns<Each> = Readonly<Record<(typeof COLUMNS)[number], Each>>;

function columns<Each>(make: () => Each): Columns<Each> {
  return Object.fromEntries(COLUMNS.map((name) => [name, make()])) as Columns<Each>;
}

/** @param postings in ascending order of document */
export function encodePostings(postings: readonly DocumentPosting[]): Uint8Array<ArrayBuffer> {
  const to = columns(createWriter);
  let before = -1;
  for (const { document, fields, names, text, passages } of postings) {
    to.gaps.number(document - before - 1);
    before = document;
    const bits = fields.map(({ field }) => FIRST_FIELD << DOCUMENT_FIELDS.indexOf(field));
    to.masks.number(bits.reduce((sum, bit) => sum | bit, (text ? TEXT : 0) | (names ? NAMES : 0)));
    for (const each of [text, names, ...fields]) {
      if (!each) continue;
      to.frequencies.number(each.frequency);
      to.lengths.number(each.length);
    }
    if (names) writeNames(to.names, names.weights);
    to.passages.number(passages.length);
    writePassages(to, passages);
  }
  const all = createWriter();
  all.number(postings.length);
  for (const name of COLUMNS) all.block(to[name].bytes());
  return all.bytes();
}

function writeNames(to: ByteWriter, weights: readonly NameWeight[]): void {
  to.number(weights.length);
  for (const { name, terms, total } of weights) for (const each of [name, terms, total]) to.number(each);
}

function writePassages(to: Columns<ByteWriter>, passages: readonly PassagePosting[]): void {
  let before = -1;
  for (const { passage, headers, content } of passages) {
    const kind = (headers ? 2 : 0) | (content ? 1 : 0);
    to.passages.number((passage - before - 1) * 3 + kind - 1);
    before = passage;
    for (const each of [headers, content]) {
      if (!each) continue;
      to.inPassages.number(each.frequency);
      to.inLengths.number(each.length);
    }
  }
}

export function decodePostings(bytes: Uint8Array<ArrayBuffer>): readonly DocumentPosting[] {
  const all = createReader(bytes);
  const count = all.number();
  const from = columns(() => createReader(all.block()));
  const occurrence = () => readOccurrence(from.frequencies, from.lengths);
  let document = -1;
  return Array.from({ length: count }, (): DocumentPosting => {
    document += from.gaps.number() + 1;
    const mask = from.masks.number();
    const text = mask & TEXT ? occurrence() : undefined;
    const names = mask & NAMES ? occurrence() : undefined;
    const fields = DOCUMENT_FIELDS.filter((_, bit) => mask & (FIRST_FIELD << bit)).map((field) => ({
      field,
      ...occurrence(),
    }));
    const weights = names ? readNames(from.names) : [];
    return {
      document,
      fields,
      ...(text && { text }),
      ...(names && { names: { ...names, weights } }),
      passages: readPassages(from),
    };
  });
}

function readOccurrence(frequencies: ByteReader, lengths: ByteReader): Occurrence {
  return { frequency: frequencies.number(), length: lengths.number() };
}

function readNames(from: ByteReader): readonly NameWeight[] {
  return Array.from({ length: from.number() }, () => ({
    name: from.number(),
    terms: from.number(),
    total: from.number(),
  }));
}

function readPassages(from: Columns<ByteReader>): readonly PassagePosting[] {
  let passage = -1;
  const occurrence = () => readOccurrence(from.inPassages, from.inLengths);
  return Array.from({ length: from.passages.number() }, () => {
    const head = from.passages.number();
    passage += Math.floor(head / 3) + 1;
    const kind = (head % 3) + 1;
    const headers = kind & 2 ? occurrence() : undefined;
    const content = kind & 1 ? occurrence() : undefined;
    return { passage, ...(headers && { headers }), ...(content && { content }) };
  });
}
