/** How much of a document's name a query says: a page called just what was asked for is meant, not one that says more. */
import type { NameShare } from '../model/hit.ts';
import { type Analyzer, AUTO_ANALYZER } from '../text/analyzer.ts';
import { inverseUnitFrequency } from './bm25f.ts';
import { countLive } from './live-segments.ts';
import type { Postings, ScoredTerm } from './postings.ts';

/** Of one query, given by its scored terms: the share of that name of a document of which it says most. */
export type NameShares = (terms: readonly ScoredTerm[]) => ShareOf;

/** @param analyzer of the language the names are in. @default `AUTO_ANALYZER` */
export type ShareOf = (names: readonly string[], analyzer?: Analyzer) => NameShare;

interface WeighedName {
  readonly idf: ReadonlyMap<string, number>;
  readonly total: number;
}

const NAMELESS: NameShare = { value: 0, matched: 0, total: 0 };

/** A term's idf is that of whole documents. A name is analysed once, until the index changes. */
export function createNameShares({ segments }: Postings): NameShares {
  const known = new Map<string, WeighedName>();
  let version = segments.version;

  function weigh(name: string, key: string, { tokenize }: Analyzer): WeighedName {
    const idf = new Map<string, number>();
    tokenize(name, (term) => {
      if (!idf.has(term)) idf.set(term, inverseUnitFrequency(segments.count, countLive(segments, term)));
    });
    const weighed = { idf, total: idf.values().reduce((sum, value) => sum + value, 0) };
    known.set(key, weighed);
    return weighed;
  }

  return (terms) => {
    if (version !== segments.version) known.clear();
    version = segments.version;
    // A word may stand in several terms, as itself and as a synonym: the surest counts.
    const trust = new Map<string, number>();
    for (const { query, words } of terms) {
      const weight = query.weight ?? query.spellings?.share ?? 1;
      for (const word of words) trust.set(word, Math.max(weight, trust.get(word) ?? 0));
    }
    return (names, analyzer = AUTO_ANALYZER) => {
      let best = NAMELESS;
      for (const name of names) {
        const key = `${analyzer.language} ${name}`;
        const { idf, total } = known.get(key) ?? weigh(name, key, analyzer);
        let matched = 0;
        for (const [term, value] of idf) matched += value * (trust.get(term) ?? 0);
        if (matched > best.value * total) best = { value: matched / total, matched, total };
      }
      return best;
    };
  };
}
