/** Types of an answer: ranked slots, explanations and hits. */

/** A slot with its score. A slot is never reused for another chunk. */
export interface Ranked {
  readonly slot: number;
  readonly score: number;
}

/** A named number, and the parts from which it was computed: a person can check it by hand. */
export interface Explanation {
  readonly label: string;
  readonly value: number;
  readonly weight?: number;
  readonly parts?: readonly Explanation[];
}

export function leaves(values: Readonly<Record<string, number>>): Explanation[] {
  return Object.entries(values).map(([label, value]) => ({ label, value }));
}

export interface Snippet {
  readonly text: string;
  /** 1-based line of the file where the snippet begins. */
  readonly startLine: number;
  /** UTF-16 ranges into `text`: start inclusive, end exclusive. */
  readonly matches: readonly (readonly [number, number])[];
  /** Whether the text is code from a code block, not Markdown. */
  readonly code?: boolean;
}

export interface MergedPassage {
  readonly chunkId: string;
  readonly documentId: string;
  /** Path relative to the root of its collection. */
  readonly path: string;
  readonly startLine: number;
}

/**
 * Confidence levels, the best first. On judged sets, 9 in 10 first hits with `high` were right, and more than half of the
 * first hits with `fair`.
 */
export const CONFIDENCE_WORDS = ['high', 'fair', 'low'] as const;
export type ConfidenceWord = (typeof CONFIDENCE_WORDS)[number];

export interface Hit {
  /** Rank of the hit; the best has 1. */
  readonly rank: number;
  /** Confidence, 0–1; never higher than the confidence of the hit before. */
  readonly score: number;
  /** Confidence level, from `score` and the lead over lower-ranked documents; never higher than the level of the hit before. */
  readonly confidence: ConfidenceWord;
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
  /** The best matching line of the file, 1-based. */
  readonly line: number;
  /** 1-based page of `line`, for a file that has pages. */
  readonly page?: number;
  /** Absolute path of the file; absent for a commit, and if core is used alone. */
  readonly file?: string;
  readonly parentId?: string;
  /** If the hit is a parent: the lines of its best passage. */
  readonly matchedLines?: readonly [number, number];
  readonly tags: readonly string[];
  /** ISO 8601, UTC. */
  readonly modified: string;
  readonly codeLanguage?: string;
  /** Duplicates merged into this hit, the best first. */
  readonly merged?: readonly MergedPassage[];
  readonly explanation?: Explanation;
}

/** Number of candidates left after each narrowing stage. */
export interface CompressionStats {
  /** Passages that filters, phrases and exclusions allow; absent if the search has none of these. */
  readonly afterFilters?: number;
  readonly originalCount: number;
  readonly afterThreshold: number;
  readonly afterContentDedup: number;
  readonly afterNgramDedup: number;
  readonly afterSemanticDedup: number;
  readonly afterDocumentLimit: number;
  /** Number of hits after passages are replaced by their parents; the first `top_n` are the answer. */
  readonly afterParents: number;
  /** Number of candidates that have merged duplicates, after all three comparisons. */
  readonly clustersMerged: number;
}
