/** The vocabulary with embeddings: finds the words of the collection closest to a query. */
import type { VectorScan } from '../ports.ts';
import type { Vocabulary } from '../retrieval/retrieval.ts';
import { type Analyzer, AUTO_ANALYZER } from '../text/analyzer.ts';
import { createVectorMatrix } from './vector-matrix.ts';

export interface VocabularyIndex extends Vocabulary {
  add(word: string, vector: Float32Array): void;
}

export interface VocabularyIndexOptions {
  readonly dimensions: number;
  readonly scan: VectorScan;
  /** Analyzers for the languages of the words. @default `AUTO_ANALYZER` alone */
  readonly analyzers?: readonly Analyzer[];
}

export function createVocabularyIndex({
  dimensions,
  scan,
  analyzers = [AUTO_ANALYZER],
}: VocabularyIndexOptions): VocabularyIndex {
  const matrix = createVectorMatrix(dimensions);
  const words: string[] = [];

  return {
    get words() {
      return words.length;
    },
    add(word, vector) {
      matrix.set(words.length, vector);
      words.push(word);
    },
    async nearest(query, count, minimum, terms) {
      if (words.length === 0 || count === 0) return [];
      // Words of the query and their compounds are left out. Their number is known only after the scan, so ask for more
      // until there are enough.
      for (let asked = count + terms.size; ; asked *= 2) {
        const { rows, scores } = await scan.scan(matrix.view(), query, Math.min(asked, words.length));
        const near = Array.from(rows, (row) => ({ word: words[row]!, similarity: scores[row]! }));
        const enough = near.filter(({ similarity }) => similarity >= minimum);
        const fresh = enough.filter(
          ({ word }) => !analyzers.some((analyzer) => isSaid(word, terms, analyzer)),
        );
        const isAll = enough.length < near.length || near.length === words.length;
        if (fresh.length >= count || isAll) return fresh.slice(0, count);
      }
    },
  };
}

/** Whether the query already has a word: one of its terms for the whole word, or all parts of a compound. */
function isSaid(word: string, terms: ReadonlySet<string>, { tokenize }: Analyzer): boolean {
  let whole = false;
  let parts = 0;
  let said = 0;
  tokenize(word, (term, _position, start, end) => {
    if (end - start === word.length) whole ||= terms.has(term);
    else {
      parts++;
      if (terms.has(term)) said++;
    }
  });
  return whole || (parts > 0 && said === parts);
}
