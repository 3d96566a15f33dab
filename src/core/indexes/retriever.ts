/** The contract of everything that ranks chunks; one suite tests all who obey it. */
import type { Chunk } from '../model/chunk.ts';
import type { DocumentFields } from '../model/document.ts';
import type { Ranking } from '../model/hit.ts';
import type { ParsedQuery } from '../model/query.ts';
import type { Analyzer } from '../text/analyzer.ts';

/** A chunk as the indexes take it in. */
export interface IndexEntry {
  readonly slot: number;
  readonly chunk: Pick<Chunk, 'id' | 'text' | 'lead' | 'headingPath' | 'codeBlocks'>;
  readonly document: DocumentFields;
  /** Unit length; absent while it is still being made. */
  readonly vector?: Float32Array;
  /** Of the language its collection is in. @default `AUTO_ANALYZER` */
  readonly analyzer?: Analyzer;
}

export interface RetrieverQuery {
  readonly parsed: ParsedQuery;
  /** Embedding of the query, unit length; absent in modes that do without. */
  readonly vector?: Float32Array;
}

/** `mask[slot] === 1` allows a slot; absent means every live slot is allowed. May be shorter than the highest slot. */
export type SlotMask = Uint8Array;

export interface Retriever {
  readonly name: 'semantic' | 'keyword' | 'code';
  add(entries: readonly IndexEntry[]): void;
  remove(slots: Iterable<number>): void;
  /** The best `k` allowed slots; statistics are those of all live slots, so a filter never changes a score. */
  search(query: RetrieverQuery, k: number, mask?: SlotMask): Promise<Ranking> | Ranking;
}
