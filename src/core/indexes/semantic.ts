/** Semantic retrieval: estimates the cosine of every chunk from 8 bits a component, then computes the best ones from 12. */
import { memoize } from '../text/memoize.ts';
import { type PackedVector, packVector } from './packed-vector.ts';
import { countAllowed, type Ranking, type Retriever, type SlotMask } from './retriever.ts';
import { bestRows, countBins, medianScore } from './select.ts';
import { createTopK } from './top-k.ts';
import { createVectorMatrix } from './vector-matrix.ts';

export interface SemanticRetriever extends Retriever {
  /** Adds a vector that was computed after its chunk was added. */
  addVector(slot: number, vector: Float32Array): void;
  /** The same with the result of `packVector`. */
  addPacked(slot: number, packed: PackedVector): void;
  /** Returns the vector of a slot, rounded to 12 bits a component; undefined if it has none. */
  vectorOf(slot: number): Float32Array | undefined;
}

export interface SemanticOptions {
  readonly dimensions: number;
  /** Chunk id, which orders equal scores. */
  readonly idOf: (slot: number) => string;
  /** Number of slots to make space for. @default 0 */
  readonly slots?: number;
  /**
   * Minimum number of rows scored again. At 200, none of the exact best ten was lost on 74,784 chunks.
   * @default 200
   */
  readonly rescore?: number;
}

/** If a filter allows at most this many rows, all of them are scored again: selecting the best ones would take as long. */
const NARROW = 2_000;

export function createSemanticRetriever(options: SemanticOptions): SemanticRetriever {
  const { dimensions, idOf, slots, rescore = 200 } = options;
  const vectors = createVectorMatrix(dimensions, slots);

  return {
    add(entries) {
      for (const { slot, vector } of entries) if (vector !== undefined) vectors.set(slot, packVector(vector));
    },
    addVector: (slot, vector) => vectors.set(slot, packVector(vector)),
    addPacked: vectors.set,
    vectorOf: vectors.vector,
    remove(slots) {
      for (const slot of slots) vectors.clear(slot);
    },
    async search({ vector }, k, mask) {
      if (vector === undefined || vectors.live === 0) return EMPTY;
      const depth = Math.max(k + MARGIN, rescore);
      // Filters are applied after the scan, so that the median covers all live rows.
      const scores = vectors.scan(vector);
      const counts = countBins(scores);
      const nearest = bestRows(scores, depth, undefined, counts);
      const candidates = mask === undefined ? nearest : allowedRows(scores, depth, mask);
      const productOf = vectors.productsWith(vector);
      // Rounded vectors may be longer than 1.
      const scoreOf = memoize((slot: number) => Math.min(1, productOf(slot)));
      const top = createTopK(k, idOf);
      for (const slot of candidates) top.offer(slot, scoreOf(slot));
      const best = Math.max(...Array.from(nearest.subarray(0, TOP), scoreOf));
      return {
        lane: 'semantic',
        entries: top.ranked(),
        best,
        scoreOf,
        approximateScoreOf: (slot) => Math.max(0, scores[slot] ?? 0),
        median: medianScore(scores, counts),
      };
    },
  };
}

/** This many additional rows are scored again, because the 8-bit order is wrong by a few places. */
const MARGIN = 50;

/** The best score is computed from this many of the best rows of the scan. */
const TOP = 10;

const EMPTY: Ranking = { lane: 'semantic', entries: [], scoreOf: () => 0, best: 0, median: 0 };

function allowedRows(scores: Float32Array, depth: number, mask: SlotMask): Int32Array {
  const allowed = countAllowed(mask);
  return bestRows(scores, allowed <= NARROW ? allowed : depth, mask);
}
