/** Computes the same shares of names as `createNameShares`, from weights that are stored with the postings. */
import { inverseUnitFrequency } from '../indexes/bm25f.ts';
import { findWord } from '../indexes/dictionary.ts';
import type { NameShares, Shares } from '../indexes/name-share.ts';
import { NO_SHARES } from '../indexes/name-share.ts';
import type { Segment } from '../indexes/segment.ts';
import { type CatalogDocument, documentNames } from '../model/document.ts';
import { type Analyzer, AUTO_ANALYZER } from '../text/analyzer.ts';
import { plainWords } from '../text/plain-words.ts';
import { type DocumentPosting, FILE_NAME, type NameWeight } from './term-postings.ts';

/** The sum of idf is stored in steps of 1/`STEPS`. */
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

/** Returns the terms and the weight of each name of a document. */
export function nameWeights(document: NamedFor, idfOf: (term: string) => number) {
  const { tokenize } = document.analyzer ?? AUTO_ANALYZER;
  const names = documentNames(document).map((name, index) => {
    const terms = new Set<string>();
    tokenize(name, (term) => void terms.add(term));
    return { name: Math.min(index, FILE_NAME - 1), terms };
  });
  const base = /([^/]*?)(?:\.[^./]+)?$/.exec(document.path)?.[1] ?? '';
  const fileTerms = new Set(plainWords(base, tokenize).map(({ term }) => term));
  return [...names, { name: FILE_NAME, terms: fileTerms }].map(({ name, terms }) => {
    const total = [...terms].reduce((sum, term) => sum + idfOf(term), 0);
    return { held: terms, weight: { name, terms: terms.size, total: total * STEPS } };
  });
}

export interface StoredNames {
  /** Returns the documents with a name that holds a term, and the weights of these names. */
  readonly weightsOf: (term: string) => ReadonlyMap<number, readonly NameWeight[]>;
  /** Returns the idf of a term in whole documents. */
  readonly idfOf: (term: string) => number;
  /** Extensions of the files, in lower case: a query may end with one. */
  readonly extensions: ReadonlySet<string>;
}

export function storedNameShares({ weightsOf, idfOf, extensions }: StoredNames): NameShares {
  return {
    nameShares(terms) {
      const trust = new Map<string, number>();
      for (const { query, words } of terms) {
        const weight = query.weight ?? query.spellings?.share ?? 1;
        for (const word of words) trust.set(word, Math.max(weight, trust.get(word) ?? 0));
      }
      const shares = collect([...trust.keys()], weightsOf);
      return ({ number }) => {
        let best = NO_SHARES.ofName;
        for (const { weight, terms: held } of shares.get(number)?.values() ?? []) {
          if (weight.name === FILE_NAME) continue;
          const matched = held.reduce((sum, term) => sum + idfOf(term) * trust.get(term)!, 0);
          const isWhole = held.length === weight.terms && held.every((term) => trust.get(term) === 1);
          const total = isWhole ? matched : Math.max(matched, weight.total / STEPS);
          if (matched > best.value * total) best = { value: matched / total, matched, total };
        }
        return best;
      };
    },

    fileNameShares(words) {
      const distinct = new Map(words.map(({ term, forms = [] }) => [term, [term, ...forms]]));
      const weighed = [...distinct.values()].map((terms) => ({ terms, idf: Math.min(...terms.map(idfOf)) }));
      const wordOf = new Map(weighed.flatMap((word) => word.terms.map((term) => [term, word])));
      const all = weighed.reduce((sum, { idf }) => sum + idf, 0);
      const last = weighed.at(-1);
      const shares = collect([...wordOf.keys()], weightsOf);
      return ({ number }): Shares => {
        const found = shares.get(number)?.get(FILE_NAME);
        if (!found) return NO_SHARES;
        const { weight, terms: said } = found;
        const matched = said.reduce((sum, term) => sum + idfOf(term), 0);
        const asked = [...new Set(said.map((term) => wordOf.get(term)!))].reduce(
          (sum, { idf }) => sum + idf,
          0,
        );
        const isExtension =
          weighed.length > 1 && last?.terms.some((term) => extensions.has(term) && !said.includes(term));
        const total = said.length === weight.terms ? matched : Math.max(matched, weight.total / STEPS);
        return {
          ofQuery: asked / (isExtension ? all - last!.idf : all),
          ofName: { value: matched / total, matched, total },
        };
      };
    },
  };
}

interface HeldName {
  readonly weight: NameWeight;
  /** Words of the query in the name. */
  readonly terms: string[];
}

/** Returns, for each name of each document, which of `words` it holds. */
function collect(
  words: readonly string[],
  weightsOf: StoredNames['weightsOf'],
): ReadonlyMap<number, ReadonlyMap<number, HeldName>> {
  const found = new Map<number, Map<number, HeldName>>();
  for (const word of words) {
    for (const [document, weights] of weightsOf(word)) {
      const names = found.get(document) ?? new Map<number, HeldName>();
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

/** Returns the name weights in postings, by document. */
export function weightsIn(postings: readonly DocumentPosting[]): ReadonlyMap<number, readonly NameWeight[]> {
  return new Map(
    postings.flatMap(({ document, names }) => (names ? [[document, names.weights] as const] : [])),
  );
}
