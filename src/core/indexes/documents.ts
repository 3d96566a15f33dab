/** Scores whole documents by their words, for the document and title lanes of convex fusion. */
import type { Explanation } from '../model/hit.ts';
import type { ParsedQuery } from '../model/query.ts';
import { RANKING } from '../model/ranking-constants.ts';
import type { Steps } from '../steps.ts';
import { analyze } from '../text/analyze.ts';
import type { Analyzer } from '../text/analyzer.ts';
import { stretches } from '../text/boundaries.ts';
import { fold } from '../text/fold.ts';
import { withoutLinkDefinitions } from '../text/link-definitions.ts';
import { DEFAULT_B, DEFAULT_K1 } from './bm25f.ts';
import { explainScore } from './explain-score.ts';
import { createFileNameShares, type FileNameShares } from './file-name-share.ts';
import { createLexicalIndex, type SegmentedIndex } from './lexical-index.ts';
import { createNameShares, type ShareOf } from './name-share.ts';
import type { Postings, PostingsTerm, Scores } from './postings.ts';
import type { SegmentBuilder } from './segment-builder.ts';

/** UTF-16 units that are read in one step. */
const STRETCH = 65_536;

export interface DocumentEntry {
  readonly number: number;
  /** Title, aliases, file name without extension. */
  readonly names: readonly string[];
  /** The whole body; in pieces where no word goes on in the next one. */
  readonly text: string | readonly string[];
  /** Of the language its collection is in. @default `AUTO_ANALYZER` */
  readonly analyzer?: Analyzer;
}

export interface DocumentIndexOptions {
  /** Weight of a word in the names, where one in the text has 1; 0 or more. @default 1 */
  readonly namesWeight?: number;
  /** 0 or more. @default 1.2 */
  readonly k1?: number;
  /** 0–1. @default 0.75 */
  readonly b?: number;
}

/** A lane's answer by document number. */
export interface DocumentScores {
  /** 0 where nothing matches and for numbers that are not live. */
  readonly scoreOf: (number: number) => number;
  /** By number; may be shorter than the highest. */
  readonly scores: Float64Array;
  /** The best score of all, 0 when nothing matches. */
  readonly max: number;
  /** Largest score the query could reach (`Σ idf · (k1 + 1)`). */
  readonly bound: number;
  /** The score of a document as a tree; valid until the index changes. */
  readonly explain: (number: number) => Explanation;
  /** Gives the arrays back: nothing of it may be asked any more. */
  readonly release: () => void;
  /** The largest share of one of its names that the query covers; title lane only. */
  readonly shareOf?: ShareOf;
}

export interface DocumentIndex extends SegmentedIndex<DocumentEntry> {
  /** The query against names and text of whole documents. */
  document(parsed: ParsedQuery): DocumentScores;
  /** How much of the query a file name covers, and how much of the name the query covers. */
  fileNames(words: ParsedQuery['words']): FileNameShares;
  /** The query against the names alone, with their own statistics. */
  title(parsed: ParsedQuery): DocumentScores;
}

/** Starts an empty index. */
export function createDocumentIndex(options: DocumentIndexOptions = {}): DocumentIndex {
  const { namesWeight = RANKING.words.names, k1 = DEFAULT_K1, b = DEFAULT_B } = options;
  const { postings, ...index } = createLexicalIndex<DocumentEntry>({
    fields: [
      { name: 'names', weight: namesWeight, b },
      { name: 'text', weight: 1, b },
    ],
    k1,
    analyze,
    foldSurface: fold,
    unitOf: ({ number }) => number,
    read: addTexts,
  });
  const nameShares = createNameShares(postings);
  const fileNames = createFileNameShares(postings);

  return {
    ...index,
    document: (parsed) => toDocumentScores(postings, postings.score(documentTerms(parsed)), 'document'),
    fileNames,
    title(parsed) {
      const answer = postings.score(documentTerms(parsed), [1, 0]);
      return { ...toDocumentScores(postings, answer, 'title'), shareOf: nameShares(answer.terms) };
    },
  };
}

function* addTexts(
  add: SegmentBuilder['add'],
  { number, names, text, analyzer }: DocumentEntry,
): Steps<void> {
  for (const name of names) add(number, 0, name, analyzer?.tokenize);
  for (const piece of typeof text === 'string' ? stretches(text, STRETCH) : text) {
    add(number, 1, withoutLinkDefinitions(piece), analyzer?.tokenize);
    yield;
  }
}

/** `title:word` counts in the names; words meant for other fields count anywhere. */
function documentTerms({ terms }: ParsedQuery): readonly PostingsTerm[] {
  return terms.map(({ field, ...term }) => (field === 'title' ? { ...term, field: 'names' } : term));
}

function toDocumentScores(postings: Postings, answer: Scores, label: string): DocumentScores {
  const { scores, bound, release } = answer;
  let max = 0;
  for (let number = 0; number < scores.length; number++) if (scores[number]! > max) max = scores[number]!;
  return {
    scoreOf: (number) => scores[number] ?? 0,
    scores,
    max,
    bound,
    explain: (number) => explainScore(postings, answer, number, label),
    release,
  };
}
