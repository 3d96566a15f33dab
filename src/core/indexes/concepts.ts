/** The vocabulary by meaning: which words of the collection lie nearest to a query. */
import type { VectorScan } from '../ports.ts';
import { analyze } from '../text/analyze.ts';
import { createVectorMatrix } from './vector-matrix.ts';

/** A word near a query. */
export interface Concept {
  readonly word: string;
  /** Cosine of word and query, from 8-bit rows: off by .01 at most. */
  readonly similarity: number;
}

export interface ConceptIndex {
  add(word: string, vector: Float32Array): void;
  /**
   * The words nearest to a query, best first, equal ones in the order they were added.
   * @param minimum least similarity
   * @param terms index terms of the query; a word that only has these says nothing new
   */
  nearest(
    query: Float32Array,
    count: number,
    minimum: number,
    terms: ReadonlySet<string>,
  ): Promise<readonly Concept[]>;
}

export interface ConceptOptions {
  readonly dimensions: number;
  readonly scan: VectorScan;
}

/** Starts without words. */
export function createConceptIndex({ dimensions, scan }: ConceptOptions): ConceptIndex {
  const matrix = createVectorMatrix(dimensions);
  const words: string[] = [];

  return {
    add(word, vector) {
      matrix.set(words.length, vector);
      words.push(word);
    },
    async nearest(query, count, minimum, terms) {
      if (words.length === 0 || count === 0) return [];
      // A vocabulary has one word for each stem, so at most as many words as the query has terms are passed over.
      const { rows, scores } = await scan.scan(matrix.view(), query, count + terms.size);
      const near = Array.from(rows, (row) => ({ word: words[row]!, similarity: scores[row]! }));
      return near
        .filter(({ word, similarity }) => similarity >= minimum && !isSaid(word, terms))
        .slice(0, count);
    },
  };
}

/** Whether all terms of a word are there; a compound is said by its parts. */
function isSaid(word: string, terms: ReadonlySet<string>): boolean {
  let whole = false;
  let parts = 0;
  let said = 0;
  analyze(word, (term, _position, start, end) => {
    if (end - start === word.length) whole ||= terms.has(term);
    else {
      parts++;
      if (terms.has(term)) said++;
    }
  });
  return whole || (parts > 0 && said === parts);
}
