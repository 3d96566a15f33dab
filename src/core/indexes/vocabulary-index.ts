/** The vocabulary by meaning: which words of the collection lie nearest to a query. */
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
  /** Of the languages the words may be in. @default `AUTO_ANALYZER` alone */
  readonly analyzers?: readonly Analyzer[];
}

/** Starts without words. */
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
      // The query's own words and their compounds are left out; how many there are shows only then.
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

/** Whether all terms of a word are there; a compound is said by its parts. */
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
