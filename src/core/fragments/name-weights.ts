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
      const held = [...words].flatMap((word) =>
        [...weightsOf(word)].flatMap(([document, names]) =>
          names.map((weight) => ({ document, weight, word })),
        ),
      );
      const byDocument = Map.groupBy(held, ({ document }) => document);
      return ({ number }) => {
        const names = Map.groupBy(byDocument.get(number) ?? [], ({ weight }) => weight.name);
        return Array.from(names, ([name, all]) => {
          const { terms, total } = all[0]!.weight;
          return {
            isFileName: name === FILE_NAME,
            said: all.map(({ word }) => word),
            isWhole: all.length === terms,
            total: total / STEPS,
          };
        });
      };
    },
    isExtension: (term) => extensions.has(term),
  });
}

export function weightsIn(postings: readonly DocumentPosting[]): ReadonlyMap<number, readonly NameWeight[]> {
  return new Map(
    postings.flatMap(({ document, names }) => (names ? [[document, names.weights] as const] : [])),
  );
}
