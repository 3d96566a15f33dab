/** The interface of all retrievers, which rank chunks. One test suite runs on all implementations. */
import type { LaneScores } from '../model/candidates.ts';
import type { Chunk } from '../model/chunk.ts';
import type { DocumentFields } from '../model/document.ts';
import type { Explanation, Ranked } from '../model/hit.ts';
import type { ParsedQuery } from '../model/query.ts';
import type { Lane } from '../model/ranking-constants.ts';
import type { Analyzer } from '../text/analyzer.ts';

export interface IndexEntry {
  readonly slot: number;
  readonly chunk: Pick<Chunk, 'id' | 'text' | 'contextPrefix' | 'headingPath' | 'codeBlocks'>;
  readonly document: DocumentFields;
  /** Unit length; absent until the vector is computed. */
  readonly vector?: Float32Array;
  /** Analyzer for the language of the chunk's collection. @default `AUTO_ANALYZER` */
  readonly analyzer?: Analyzer;
}

export interface RetrieverQuery {
  readonly parsed: ParsedQuery;
  /** Embedding of the query, unit length; absent in modes without vectors. */
  readonly vector?: Float32Array;
}

/** `mask[slot] === 1` allows a slot. Slots beyond the mask are not allowed. Without a mask, every live slot is allowed. */
export type SlotMask = Uint8Array;

export function isAllowed(mask: SlotMask | undefined, slot: number): boolean {
  return mask === undefined || mask[slot] === 1;
}

export function countAllowed(mask: SlotMask): number {
  let count = 0;
  for (let slot = 0; slot < mask.length; slot++) count += mask[slot]!;
  return count;
}

export interface Retriever {
  add(entries: readonly IndexEntry[]): void;
  remove(slots: Iterable<number>): void;
  /** Returns the best `k` allowed slots. Statistics cover all live slots, so a filter never changes a score. */
  search(query: RetrieverQuery, k: number, mask?: SlotMask): Promise<Ranking> | Ranking;
}

/** How much of a name or heading a query covers. In headings, each occurrence of a word counts 1 instead of its idf. */
export interface NameShare {
  /** 0–1, `matched / total`; 0 if nothing matches. */
  readonly value: number;
  /** Sum of the idf of the name's terms that are in the query. The idf of a synonym or correction is multiplied by its weight. */
  readonly matched: number;
  /** Sum of the idf of all terms of the name, each counted once. */
  readonly total: number;
}

/** Slots as ranked and scored by one lane. */
export interface Ranking extends Omit<LaneScores, 'scores' | 'shares'> {
  readonly lane: Lane;
  /** Best first; equal scores in order of chunk id. Scores are above 0, except the cosines of the semantic lane. */
  readonly entries: readonly Ranked[];
  /** Returns the score of any live slot in this lane, ranked or not; 0 if nothing matches. */
  readonly scoreOf: (slot: number) => number;
  /** Returns the scores of different slots, in their order, faster than `scoreOf` one by one; nearness only. */
  readonly scoresOf?: (slots: readonly number[]) => Float64Array;
  /** Returns the approximate score of any live slot without reading from the store; semantic only. */
  readonly approximateScoreOf?: (slot: number) => number;
  /** Returns the share of the query's idf that a slot matches, 0–1; keyword and code lanes only. */
  readonly coverageOf?: (slot: number) => number;
  /**
   * Returns the share of a name or heading that the query covers. Fusion divides a score by `best`, then multiplies it by this
   * share. Title, name and heading lanes only.
   */
  readonly shareOf?: (slot: number) => NameShare;
  /**
   * Largest coverage of any live slot; filters do not change it. A synonym or a joined name covers the words that it was added for.
   * Keyword and code lanes only.
   */
  readonly bestCoverage?: number;
  /** Returns the score of a slot as a tree; absent in the semantic lane. */
  readonly explain?: (slot: number) => Explanation;
  /** Frees arrays that the functions above read: do not call those functions afterwards. */
  readonly release?: () => void;
}
