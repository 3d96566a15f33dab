/** The nouns of answering: rankings, candidates on their way through the pipeline, and the hits that come out. */
import type { Lane } from './ranking-constants.ts';

/** Chunks are numbered by slot; a slot is never given to another chunk. */
export interface Ranked {
  readonly slot: number;
  readonly score: number;
}

/** How much of a document's name a query says. */
export interface NameShare {
  /** 0–1, `matched / total`; 0 when it says nothing of it. */
  readonly value: number;
  /** Sum of the idf of the name's terms that the query says. */
  readonly matched: number;
  /** Sum of the idf of all its terms, each counted once. */
  readonly total: number;
}

/** A retriever's ordered answer. */
export interface Ranking {
  readonly lane: Lane;
  /** Best first; equal scores are ordered by chunk id. Scores are above 0, or cosines for the semantic lane. */
  readonly entries: readonly Ranked[];
  /** The exact score of any live slot in this lane, in the ranking or not; 0 where nothing matches. */
  readonly scoreOf: (slot: number) => number;
  /** Nearly the score of any live slot, without reading anything; semantic only. */
  readonly approximateScoreOf?: (slot: number) => number;
  /** The best score of all live slots, filtered out or not, so that a filter changes no score. */
  readonly best: number;
  /** Median score over all chunks; semantic only. */
  readonly median?: number;
  /** Largest score the query could reach (`Σ idf · (k1 + 1)`); lexical lanes only. */
  readonly bound?: number;
  /** Share of the query's idf that a slot matched, 0–1; keyword only. */
  readonly coverageOf?: (slot: number) => number;
  /** What a slot's score relative to the best is multiplied with, 0–1; title only. */
  readonly shareOf?: (slot: number) => NameShare;
  /** The largest coverage of all live slots, filtered out or not, where a synonym or a joined name covers what it stands for. Keyword only. */
  readonly bestCoverage?: number;
  /** What a term of the query counts; 0 for others. Keyword only. */
  readonly idfOf?: (term: string) => number;
  /** The score of a slot as a tree; lexical lanes, and the semantic one of an expanded query. */
  readonly explain?: (slot: number) => Explanation;
}

/** A number, what it is, and the parts it is made of; a person can redo the sum by hand. */
export interface Explanation {
  readonly label: string;
  readonly value: number;
  readonly weight?: number;
  readonly parts?: readonly Explanation[];
}

export interface Snippet {
  readonly text: string;
  /** The line of the file it begins on, 1-based. */
  readonly startLine: number;
  /** UTF-16 ranges into `text`: start inclusive, end exclusive. */
  readonly matches: readonly (readonly [number, number])[];
  /** The text is taken from inside a code block and is no Markdown. */
  readonly code?: boolean;
}

/** A passage that says what a hit says already, and where it stands. */
export interface MergedPassage {
  readonly chunkId: string;
  readonly documentId: string;
  /** Relative to the root of its collection. */
  readonly path: string;
  readonly startLine: number;
}

export interface Hit {
  /** 1 for the best. */
  readonly rank: number;
  /** Confidence, 0–1; never rises down the list. */
  readonly score: number;
  readonly chunkId: string;
  readonly documentId: string;
  readonly collection: string;
  readonly path: string;
  readonly title: string;
  readonly headingPath: readonly string[];
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
  readonly snippet: Snippet;
  readonly parentId?: string;
  /** Lines of the best child inside a parent. */
  readonly matchedLines?: readonly [number, number];
  readonly tags: readonly string[];
  /** ISO 8601, UTC. */
  readonly modified: string;
  readonly codeLanguage?: string;
  /** Duplicates this hit stands for, the best first. */
  readonly merged?: readonly MergedPassage[];
  readonly explanation?: Explanation;
}

/** How many candidates were left after each narrowing stage. */
export interface CompressionStats {
  /** Passages that filters, phrases and excluded words let through; absent where nothing narrows. */
  readonly afterFilters?: number;
  readonly originalCount: number;
  readonly afterThreshold: number;
  readonly afterContentDedup: number;
  readonly afterNgramDedup: number;
  readonly afterSemanticDedup: number;
  readonly afterDocumentLimit: number;
  /** What is left when hits are shown as their parents; `top_n` of these are the answer. */
  readonly afterParents: number;
  /** Candidates that stand for duplicates, too, after all three ways of comparing. */
  readonly clustersMerged: number;
}
