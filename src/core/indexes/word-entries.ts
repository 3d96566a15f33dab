/** Makes the entries of a document for the word indexes: one for the whole document, one for each passage. */
import type { Chunk } from '../model/chunk.ts';
import { type DocumentFields, documentNames } from '../model/document.ts';
import type { Analyzer } from '../text/analyzer.ts';
import type { DocumentEntry } from './documents.ts';
import type { IndexEntry } from './retriever.ts';

export interface DocumentTexts {
  readonly number: number;
  readonly path: string;
  readonly fields: DocumentFields;
  readonly chunks: readonly Chunk[];
  /** `slots[i]` is the slot of `chunks[i]`. */
  readonly slots: readonly number[];
}

export function wholeEntry(document: DocumentTexts, analyzer: Analyzer): DocumentEntry {
  const { number, path, fields, chunks } = document;
  const text = chunks.map((chunk) => chunk.text.slice(chunk.overlap));
  return { number, names: documentNames({ ...fields, path }), text, analyzer };
}

export function passageEntries(document: DocumentTexts, analyzer: Analyzer): readonly IndexEntry[] {
  const { chunks, slots, fields } = document;
  return chunks.map((chunk, index) => ({ slot: slots[index]!, chunk, document: fields, analyzer }));
}
