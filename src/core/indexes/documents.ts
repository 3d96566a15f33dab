/** Scores whole documents by their words, for the document and title lanes of convex fusion. */
import type { Explanation } from '../model/hit.ts';
import type { ParsedQuery } from '../model/query.ts';
import { RANKING } from '../model/ranking-constants.ts';
import type { Steps } from '../steps.ts';
import { analyze } from '../text/analyze.ts';
import type { Analyzer } from '../text/analyzer.ts';
import { fold } from '../text/fold.ts';
import { withoutLinkDefinitions } from '../text/link-definitions.ts';
import { explainScore } from './explain-score.ts';
import { type Bm25Options, createLexicalIndex, type SegmentedIndex } from './lexical-index.ts';
import { createNameShares, type NameShares } from './name-share.ts';
import type { Postings, PostingsTerm, Scores } from './postings.ts';
import type { SegmentBuilder } from './segment-builder.ts';

export interface DocumentEntry {
  readonly number: number;
  /** Title, aliases, file name without extension. */
  readonly names: readonly string[];
  /** The whole body; in pieces where no word goes on in the next one. */
  readonly text: string | readonly string[];
  /** Of the language its collection is in. @default `AUTO_ANALYZER` */
  readonly analyzer?: Analyzer;
}

export interface DocumentIndexOptions extends Bm25Options {
  /** Weight of a word in the names, where one in the text has 1; 0 or more. @default 1 */
  readonly namesWeight?: number;
}

/** A lane's answer by document number. */
export interface DocumentScores extends Pick<Scores, 'scores' | 'bound' | 'release'> {
  /** 0 where nothing matches and for numbers that are not live. */
  readonly scoreOf: (number: number) => number;
  /** The best score of all, 0 when nothing matches. */
  readonly max: number;
  /** The score of a document as a tree; valid until the index changes. */
  readonly explain: (number: number) => Explanation;
}

export interface DocumentIndex extends SegmentedIndex<DocumentEntry> {
  /** The query against names and text of whole documents. */
  document(parsed: ParsedQuery): DocumentScores;
  readonly fileNames: NameShares['fileNameShares'];
  /** The query against the names alone, with their own statistics, and how much of a document's names it covers. */
  title(parsed: ParsedQuery): DocumentScores & { readonly shareOf: ReturnType<NameShares['nameShares']> };
}

/** Starts an empty index. */
export function createDocumentIndex(options: DocumentIndexOptions = {}): DocumentIndex {
  const { namesWeight = RANKING.words.names } = options;
  const { postings, ...index } = createLexicalIndex<DocumentEntry>(options, {
    fields: [
      { name: 'names', weight: namesWeight },
      { name: 'text', weight: 1 },
    ],
    analyze,
    foldSurface: fold,
    unitOf: ({ number }) => number,
    read: addTexts,
  });
  const { nameShares, fileNameShares } = createNameShares(postings.segments);

  return {
    ...index,
    document: (parsed) => toDocumentScores(postings, postings.score(documentTerms(parsed)), 'document'),
    fileNames: fileNameShares,
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
  for (const piece of typeof text === 'string' ? [text] : text) {
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
