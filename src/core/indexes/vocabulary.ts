/** The vocabulary of a collection: its most frequent words, one spelling per stem, and the words closest to a query. */
import type { Vocabulary } from '../retrieval/retrieval.ts';
import { type Analyzer, AUTO_ANALYZER } from '../text/analyzer.ts';
import { compareText } from '../text/compare-text.ts';
import { wordAt, wordCount } from './dictionary.ts';
import type { PackedVector } from './packed-vector.ts';
import type { Segment } from './segment.ts';
import { bestRows } from './select.ts';
import { createVectorMatrix } from './vector-matrix.ts';

/** Maximum number of words. */
const VOCABULARY_SIZE = 10_000;

/** A letter, then at least two letters, digits, `_` or `-`. */
const WORD = /^\p{L}[\p{L}\p{N}_-]{2,}$/u;

/**
 * Returns the most frequent words in the segments: for each stem, its most frequent spelling. Frequencies are summed per
 * stem. Equal sums are ordered by stem. Words of deleted units are included until their segments are merged.
 * @param size 0 or more. @default 10,000
 * @param analyzers for the languages of the words; their stop words are left out. @default `AUTO_ANALYZER` alone
 */
export function collectVocabulary(
  segments: readonly Segment[],
  size: number = VOCABULARY_SIZE,
  analyzers: readonly Analyzer[] = [AUTO_ANALYZER],
): readonly string[] {
  const stems = new Map<string, Map<string, number>>();
  for (const { terms, surfaces, surfaceTerms, surfaceFrequencies } of segments) {
    for (let index = 0; index < wordCount(surfaces); index++) {
      const word = wordAt(surfaces, index);
      if (!WORD.test(word) || analyzers.some(({ isStopWord }) => isStopWord(word))) continue;
      const stem = wordAt(terms, surfaceTerms[index]!);
      const spellings = stems.get(stem) ?? new Map<string, number>();
      spellings.set(word, (spellings.get(word) ?? 0) + surfaceFrequencies[index]!);
      stems.set(stem, spellings);
    }
  }
  const words = [...stems]
    .map(([stem, spellings]) => {
      const [best] = [...spellings].sort((a, b) => b[1] - a[1] || compareText(a[0], b[0]));
      const frequency = [...spellings.values()].reduce((sum, count) => sum + count, 0);
      return { stem, frequency, word: best![0] };
    })
    .sort((a, b) => b.frequency - a.frequency || compareText(a.stem, b.stem))
    .slice(0, size)
    .map(({ word }) => word);
  // A word may have several stems if collections have several languages.
  return [...new Set(words)];
}

export interface VocabularyIndex extends Vocabulary {
  /** @param packed result of `packVector` */
  add(word: string, packed: PackedVector): void;
}

/** @param analyzers for the languages of the words. @default `AUTO_ANALYZER` alone */
export function createVocabularyIndex(
  dimensions: number,
  analyzers: readonly Analyzer[] = [AUTO_ANALYZER],
): VocabularyIndex {
  const matrix = createVectorMatrix(dimensions);
  const words: string[] = [];

  return {
    get words() {
      return words.length;
    },
    add(word, packed) {
      matrix.set(words.length, packed);
      words.push(word);
    },
    async nearest(query, count, minimum, terms) {
      if (words.length === 0 || count === 0) return [];
      const scores = matrix.scan(query);
      // Words of the query and their compounds are left out. Their number is known only after the scan, so ask for more if needed.
      for (let asked = count + terms.size; ; asked *= 2) {
        const near = Array.from(bestRows(scores, asked), (row) => ({
          word: words[row]!,
          similarity: scores[row]!,
        }));
        const enough = near.filter(({ similarity }) => similarity >= minimum);
        const fresh = enough.filter(
          ({ word }) => !analyzers.some((analyzer) => hasWord(word, terms, analyzer)),
        );
        const isAll = enough.length < near.length || near.length === words.length;
        if (fresh.length >= count || isAll) return fresh.slice(0, count);
      }
    },
  };
}

/** Whether the query already contains a word: `terms` has a term of the whole word, or the terms of all its parts. */
function hasWord(word: string, terms: ReadonlySet<string>, { tokenize }: Analyzer): boolean {
  let whole = false;
  let parts = 0;
  let partsFound = 0;
  tokenize(word, (term, _position, start, end) => {
    if (end - start === word.length) whole ||= terms.has(term);
    else {
      parts++;
      if (terms.has(term)) partsFound++;
    }
  });
  return whole || (parts > 0 && partsFound === parts);
}
