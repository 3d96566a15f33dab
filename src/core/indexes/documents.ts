/** Scores whole documents by their words, for the document and title lanes of convex fusion. */
import type { Explanation } from '../model/hit.ts';
import type { ParsedQuery } from '../model/query.ts';
import { RANKING } from '../model/ranking-constants.ts';
import type { Steps } from '../steps.ts';
import { analyze } from '../text/analyze.ts';
import type { Analyzer } from '../text/analyzer.ts';
import { fold } from '../text/fold.ts';
import { withoutLinkDefinitions } from '../text/link-definitions.ts';
import { type Bm25Options, createLexicalIndex } from './lexical-index.ts';
import { explainScore } from './lexical-ranking.ts';
import { countLive, type LiveSegments } from './live-segments.ts';
import { createNameShares, type NameShares } from './name-share.ts';
import type { Postings, PostingsTerm, Scores } from './postings.ts';
import type { SegmentBuilder } from './segment-builder.ts';

export interface DocumentEntry {
  readonly number: number;
  /** Title, aliases, file name without extension. */
  readonly names: readonly string[];
  /** The whole body, or its pieces in order; a word is never divided between two pieces. */
  readonly text: string | readonly string[];
  /** Analyzer for the language of the document's collection. @default `AUTO_ANALYZER` */
  readonly analyzer?: Analyzer;
}

interface DocumentIndexOptions extends Bm25Options {
  /** Weight of a word in the names, 0 or more; a word in the text has weight 1. @default 1 */
  readonly namesWeight?: number;
}

/** Scores of a lane by document number. */
export interface DocumentScores extends Pick<Scores, 'scores' | 'bound' | 'release'> {
  /** Returns the score of a document; 0 if nothing matches or the document is not live. */
  readonly scoreOf: (number: number) => number;
  /** The best score of all documents; 0 if nothing matches. */
  readonly max: number;
  /** Returns how the score of a document is made up, as a tree. Call it before the index changes. */
  readonly explain: (number: number) => Explanation;
}

export type DocumentIndex = ReturnType<typeof createDocumentIndex>;

export function createDocumentIndex(options: DocumentIndexOptions = {}) {
  return documentIndexWith(createNameShares, options);
}

/** The same with other shares of names. An exported page has only these, so that it loads no more. */
export function documentIndexWith(
  sharesOf: (segments: LiveSegments) => NameShares,
  { namesWeight = RANKING.words.names, ...options }: DocumentIndexOptions,
) {
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
  const { nameShares, fileNameShares } = sharesOf(postings.segments);

  return {
    ...index,
    /** Scores the names and texts of whole documents. */
    document: (parsed: ParsedQuery) =>
      toDocumentScores(postings, postings.score(documentTerms(parsed)), 'document'),
    fileNames: fileNameShares,
    /** Returns the number of documents that hold a term. */
    countOf: (term: string) => countLive(postings.segments, term.toWellFormed()),
    /**
     * Scores the names alone; the text has no effect on the idf. `shareOf` returns the share of a document's name that the query
     * covers.
     */
    title(parsed: ParsedQuery) {
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

/** Makes `title:word` search the names; words for other fields search both names and text. */
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
