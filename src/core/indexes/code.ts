/** Ranks chunks by the identifiers in their code blocks. */
import { analyzeCode } from '../text/identifiers.ts';
import { type Bm25Options, createLexicalIndex } from './lexical-index.ts';
import { type LexicalRanking, rankScores } from './lexical-ranking.ts';
import type { PostingsTerm } from './postings.ts';
import type { IndexEntry, RetrieverQuery, SlotMask } from './retriever.ts';

interface CodeOptions extends Bm25Options {
  /** The chunk id of a slot, which orders equal scores. */
  readonly idOf: (slot: number) => string;
  readonly queryTerms: (text: string) => readonly PostingsTerm[];
}

/** Starts an empty code index; chunks without code are not part of its statistics. */
export function createCodeRetriever({ idOf, queryTerms, ...options }: CodeOptions) {
  const { postings, ...index } = createLexicalIndex<IndexEntry>(options, {
    fields: [{ name: 'code', weight: 1 }],
    analyze: analyzeCode,
    unitOf: ({ slot }) => slot,
    read(add, { slot, chunk }) {
      for (const block of chunk.codeBlocks) add(slot, 0, block.text);
    },
  });

  return {
    ...index,
    search({ parsed }: RetrieverQuery, k: number, mask?: SlotMask): LexicalRanking {
      const scores = postings.score(queryTerms(parsed.plain));
      return rankScores(postings, scores, { lane: 'code', k, mask, idOf });
    },
  };
}
