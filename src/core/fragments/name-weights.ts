/** Computes the same shares of names as `createNameShares`, from weights that are stored with the postings. */
import { inverseUnitFrequency } from '../indexes/bm25f.ts';
import { findWord } from '../indexes/dictionary.ts';
import { type NameShares, type NameSource, readNames, sharesOfNames } from '../indexes/name-share.ts';
import type { Segment } from '../indexes/segment.ts';
import type { CatalogDocument } from '../model/document.ts';
import type { Analyzer } from '../text/analyzer.ts';
import { type DocumentPosting, FILE_NAME, type NameWeight } from './term-postings.ts';

/** The sum of the idf of a name's terms is stored in steps of 1/`STEPS`. */
const STEPS = 64;

export interface NamedFor extends Pick<CatalogDocument, 'title' | 'aliases' | 'path'> {
  readonly analyzer?: Analyzer;
}

/** Makes a function that reads the names of a document. Its result is a function that returns the names that hold a term. */
export function nameWeigher(words: Segment): (document: NamedFor) => (term: string) => readonly NameWeight[] {
  return (document) => {
    const weights = nameWeights(document, (term) => {
      const place = findWord(words.terms, term.toWellFormed());
      return inverseUnitFrequency(words.units.length, place < 0 ? 0 : words.unitFrequencies[place]!);
    });
    return (term) =>
      weights.flatMap(({ held, weight }) =>
        held.has(term) ? [{ ...weight, total: Math.round(weight.total) }] : [],
      );
  };
}

export function nameWeights(document: NamedFor, idfOf: (term: string) => number) {
  return readNames(document, idfOf, document.analyzer).map(({ isFileName, terms, total }, index) => {
    const name = isFileName ? FILE_NAME : Math.min(index, FILE_NAME - 1);
    return { held: terms, weight: { name, terms: terms.size, total: total * STEPS } };
  });
}

export interface StoredNames extends Pick<NameSource, 'idfOf'> {
  /** Returns the documents with a name that holds a term, and the weights of these names. */
  readonly weightsOf: (term: string) => ReadonlyMap<number, readonly NameWeight[]>;
  /** Extensions of the files, in lower case. */
  readonly extensions: ReadonlySet<string>;
}

export function storedNameShares({ weightsOf, idfOf, extensions }: StoredNames): NameShares {
  return sharesOfNames({
    idfOf,
    variants: false,
    find(words) {
      const found = collect(words, weightsOf);
      return ({ number }) =>
        Array.from(found.get(number)?.values() ?? [], ({ weight, terms: said }) => ({
          isFileName: weight.name === FILE_NAME,
          said,
          isWhole: said.length === weight.terms,
          total: weight.total / STEPS,
        }));
    },
    isExtension: (term) => extensions.has(term),
  });
}

interface StoredName {
  readonly weight: NameWeight;
  /** Words of the query in the name. */
  readonly terms: string[];
}

/** Returns, for each name of each document, which of `words` it holds. */
function collect(
  words: Iterable<string>,
  weightsOf: StoredNames['weightsOf'],
): ReadonlyMap<number, ReadonlyMap<number, StoredName>> {
  const found = new Map<number, Map<number, StoredName>>();
  for (const word of words) {
    for (const [document, weights] of weightsOf(word)) {
      const names = found.get(document) ?? new Map<number, StoredName>();
      found.set(document, names);
      for (const weight of weights) {
        const held = names.get(weight.name) ?? { weight, terms: [] };
        names.set(weight.name, held);
        held.terms.push(word);
      }
    }
  }
  return found;
}

export function weightsIn(postings: readonly DocumentPosting[]): ReadonlyMap<number, readonly NameWeight[]> {
  return new Map(
    postings.flatMap(({ document, names }) => (names ? [[document, names.weights] as const] : [])),
  );
}
