/**
 * How much of a document's name a query covers: a page named exactly like the query is meant, not one with a
 * longer name.
 */

import type { CatalogDocument } from '../model/document.ts';
import { documentNames } from '../model/document.ts';
import { type Analyzer, AUTO_ANALYZER } from '../text/analyzer.ts';
import { inverseUnitFrequency } from './bm25f.ts';
import { countLive } from './live-segments.ts';
import type { Postings, ScoredTerm } from './postings.ts';
import type { NameShare } from './retriever.ts';

/** For one query, given by its scored terms: the largest share of one of a document's names that it covers. */
export type NameShares = (terms: readonly ScoredTerm[]) => ShareOf;

/** @param analyzer of the language its names are in. @default `AUTO_ANALYZER` */
export type ShareOf = (document: NamedDocument, analyzer?: Analyzer) => NameShare;

/** What its names are made of; one of the same number has the same names. */
export type NamedDocument = Pick<CatalogDocument, 'number' | 'title' | 'aliases' | 'path'>;

interface WeighedName {
  readonly terms: readonly string[];
  readonly idf: Float64Array;
  readonly total: number;
}

/** The query covers none of it. */
export const NAMELESS: NameShare = { value: 0, matched: 0, total: 0 };

/** A term's idf is that of whole documents. The names of a document are analysed once, until the index changes. */
export function createNameShares({ segments }: Postings): NameShares {
  const known = new Map<number, readonly WeighedName[]>();
  let version = segments.version;

  function weigh(name: string, { tokenize }: Analyzer): WeighedName {
    const said = new Set<string>();
    tokenize(name, (term) => void said.add(term));
    const terms = [...said];
    const idf = Float64Array.from(terms, (term) =>
      inverseUnitFrequency(segments.count, countLive(segments, term)),
    );
    return { terms, idf, total: idf.reduce((sum, value) => sum + value, 0) };
  }

  function weighedNames(document: NamedDocument, analyzer: Analyzer): readonly WeighedName[] {
    const names = documentNames(document).map((name) => weigh(name, analyzer));
    known.set(document.number, names);
    return names;
  }

  return (terms) => {
    if (version !== segments.version) known.clear();
    version = segments.version;
    // A word may stand in several terms, as itself and as a synonym: the surest counts.
    const trust = new Map<string, number>();
    for (const { query, words } of terms) {
      const weight = query.weight ?? query.spellings?.share ?? 1;
      const parts = (query.variants ?? []).flatMap((phrase) => phrase.map(({ term }) => term));
      for (const word of [...words, ...parts]) trust.set(word, Math.max(weight, trust.get(word) ?? 0));
    }
    return (document, analyzer = AUTO_ANALYZER) => {
      let best = NAMELESS;
      for (const { terms, idf, total } of known.get(document.number) ?? weighedNames(document, analyzer)) {
        let matched = 0;
        for (let index = 0; index < terms.length; index++) {
          matched += idf[index]! * (trust.get(terms[index]!) ?? 0);
        }
        if (matched > best.value * total) best = { value: matched / total, matched, total };
      }
      return best;
    };
  };
}
