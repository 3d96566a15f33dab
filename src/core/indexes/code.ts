/** Ranks chunks by the identifiers in their code blocks. */
import { atOnce, type Steps } from '../steps.ts';
import { analyzeCode } from '../text/identifiers.ts';
import { DEFAULT_B, DEFAULT_K1 } from './bm25f.ts';
import { createLexicalIndex, type SegmentedIndex } from './lexical-index.ts';
import { type LexicalRanking, rankScores } from './lexical-ranking.ts';
import type { PostingsTerm } from './postings.ts';
import type { IndexEntry, Retriever, RetrieverQuery, SlotMask } from './retriever.ts';
import type { Segment } from './segment.ts';
import { createSlotIds } from './slot-ids.ts';

export interface CodeOptions {
  /** 0 or more. @default 1.2 */
  readonly k1?: number;
  /** 0–1. @default 0.75 */
  readonly b?: number;
  /** The chunk id of a slot, which orders equal scores. @default the ids of the entries added */
  readonly idOf?: (slot: number) => string;
  /** The terms of a query. @default every identifier in it, whole and split, once */
  readonly queryTerms?: (text: string) => readonly PostingsTerm[];
}

export interface CodeRetriever extends Retriever, SegmentedIndex {
  readonly name: 'code';
  /** Makes one segment of the entries that hold code; undefined when none does. Entries replace those of their slot. */
  add(entries: readonly IndexEntry[]): Segment | undefined;
  /** The same, a passage a step. Nothing else may be added or removed before it ends. */
  addInSteps(entries: readonly IndexEntry[]): Steps<Segment | undefined>;
  search(query: RetrieverQuery, k: number, mask?: SlotMask): LexicalRanking;
}

/** Starts an empty code index; only chunks with code count in its statistics. */
export function createCodeRetriever(options: CodeOptions = {}): CodeRetriever {
  const { k1 = DEFAULT_K1, b = DEFAULT_B, queryTerms = identifiersOf } = options;
  const ids = createSlotIds(options.idOf);
  const index = createLexicalIndex({ fields: [{ name: 'code', weight: 1, b }], k1, analyze: analyzeCode });
  const { postings } = index;

  function addInSteps(entries: readonly IndexEntry[]): Steps<Segment | undefined> {
    const latest = new Map(entries.map((entry) => [entry.slot, entry]));
    // A slot whose new text has no code leaves the index.
    postings.segments.remove(latest.keys());
    return index.write(function* (add) {
      for (const [slot, { chunk }] of latest) {
        if (chunk.codeBlocks.length > 0) ids.note(slot, chunk.id);
        for (const block of chunk.codeBlocks) add(slot, 0, block.text);
        yield;
      }
    });
  }

  return {
    name: 'code',
    segments: index.segments,
    load: index.load,
    holdsRemoved: index.holdsRemoved,
    unitsBesideUnknown: index.unitsBesideUnknown,
    compact: index.compact,

    add: (entries) => atOnce(addInSteps(entries)),
    addInSteps,
    remove(slots) {
      const gone = [...slots];
      postings.segments.remove(gone);
      ids.forget(gone);
    },
    search({ parsed }, k, mask) {
      const scores = postings.score(queryTerms(parsed.plain));
      return rankScores(postings, scores, { lane: 'code', k, mask, idOf: ids.idOf });
    },
  };
}

function identifiersOf(text: string): readonly PostingsTerm[] {
  const terms = new Set<string>();
  analyzeCode(text, (term) => void terms.add(term));
  return Array.from(terms, (term) => ({ term, prefix: false }));
}
