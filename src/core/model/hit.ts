/** The nouns of answering: what is ranked, how that is explained, and the hits that come out. */

/** Chunks are numbered by slot; a slot is never given to another chunk. */
export interface Ranked {
  readonly slot: number;
  readonly score: number;
}

/** A number, its name and its parts; a person can redo the sum by hand. */
export interface Explanation {
  readonly label: string;
  readonly value: number;
  readonly weight?: number;
  readonly parts?: readonly Explanation[];
}

/** Parts of an explanation that have no parts themselves, by label. */
export function leaves(values: Readonly<Record<string, number>>): Explanation[] {
  return Object.entries(values).map(([label, value]) => ({ label, value }));
}

export interface Snippet {
  readonly text: string;
  /** The line of the file it begins on, 1-based. */
  readonly startLine: number;
  /** UTF-16 ranges into `text`: start inclusive, end exclusive. */
  readonly matches: readonly (readonly [number, number])[];
  /** The text is part of a code block, not Markdown. */
  readonly code?: boolean;
}

/** A duplicate that was merged into a hit. */
export interface MergedPassage {
  readonly chunkId: string;
  readonly documentId: string;
  /** Relative to the root of its collection. */
  readonly path: string;
  readonly startLine: number;
}

/** How far a hit can be trusted, the best first. On judged sets 9 in 10 first hits called high were right, and more than half of the fair ones. */
export const CONFIDENCE_WORDS = ['high', 'fair', 'low'] as const;
export type ConfidenceWord = (typeof CONFIDENCE_WORDS)[number];

export interface Hit {
  /** 1 for the best. */
  readonly rank: number;
  /** Confidence, 0–1; never rises down the list. */
  readonly score: number;
  /** Trust that follows from `score` and the lead over other documents; never rises down the list. */
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
  /** Line of the file that matches best, 1-based. */
  readonly line: number;
  /** Absolute path of the file; absent for a commit, and where core is used alone. */
  readonly file?: string;
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
  /** Passages that pass filters, phrases and excluded words; absent where nothing narrows. */
  readonly afterFilters?: number;
  readonly originalCount: number;
  readonly afterThreshold: number;
  readonly afterContentDedup: number;
  readonly afterNgramDedup: number;
  readonly afterSemanticDedup: number;
  readonly afterDocumentLimit: number;
  /** What is left when hits are shown as their parents; `top_n` of these are the answer. */
  readonly afterParents: number;
  /** How many candidates stand for duplicates, after all three ways of comparing. */
  readonly clustersMerged: number;
}
