/** Ranks chunks by the identifiers in their code blocks. */
import { analyzeCode } from '../text/identifiers.ts';
import { DEFAULT_B, DEFAULT_K1 } from './bm25f.ts';
import { createLexicalIndex, type SegmentedIndex } from './lexical-index.ts';
import { type LexicalRanking, rankScores } from './lexical-ranking.ts';
import type { PostingsTerm } from './postings.ts';
import type { IndexEntry, Retriever, RetrieverQuery, SlotMask } from './retriever.ts';
import type { Segment } from './segment.ts';

export interface CodeOptions {
  /** 0 or more. @default 1.2 */
  readonly k1?: number;
  /** 0–1. @default 0.75 */
  readonly b?: number;
  /** The chunk id of a slot, which orders equal scores. */
  readonly idOf: (slot: number) => string;
  /** The terms of a query. */
  readonly queryTerms: (text: string) => readonly PostingsTerm[];
}

export interface CodeRetriever extends Retriever, SegmentedIndex<IndexEntry> {
  readonly name: 'code';
  /** Makes one segment of the entries that hold code; undefined when none does. Entries replace those of their slot. */
  add(entries: readonly IndexEntry[]): Segment | undefined;
  search(query: RetrieverQuery, k: number, mask?: SlotMask): LexicalRanking;
}

/** Starts an empty code index; only chunks with code count in its statistics. */
export function createCodeRetriever(options: CodeOptions): CodeRetriever {
  const { k1 = DEFAULT_K1, b = DEFAULT_B, idOf, queryTerms } = options;
  const { postings, ...index } = createLexicalIndex<IndexEntry>({
    fields: [{ name: 'code', weight: 1, b }],
    k1,
    analyze: analyzeCode,
    unitOf: ({ slot }) => slot,
    read(add, { slot, chunk }) {
      for (const block of chunk.codeBlocks) add(slot, 0, block.text);
    },
  });

  return {
    ...index,
    name: 'code',
    search({ parsed }, k, mask) {
      const scores = postings.score(queryTerms(parsed.plain));
      return rankScores(postings, scores, { lane: 'code', k, mask, idOf });
    },
  };
}
