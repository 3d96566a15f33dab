/**
 * Computes how much of a name a query covers, and how much of the query the name covers. A name is a title, a file name or the
 * headings of a passage. If the name of a page is exactly the query, the query means this page, not a page with a longer name.
 */
import { type CatalogDocument, documentNames } from '../model/document.ts';
import type { QueryWord } from '../model/query.ts';
import { KEYWORD_FIELDS } from '../model/ranking-constants.ts';
import { type Analyzer, AUTO_ANALYZER } from '../text/analyzer.ts';
import { plainWords } from '../text/plain-words.ts';
import { inverseUnitFrequency } from './bm25f.ts';
import { countLive, type LiveSegments } from './live-segments.ts';
import type { WeighedWord } from './near-pairs.ts';
import type { ScoredTerm } from './postings.ts';
import type { NameShare } from './retriever.ts';
import { firstEntry, type Segment } from './segment.ts';

/** How far a query and a name (or heading) cover each other. */
export interface Shares {
  /** Share of the idf of the query's words that the name covers, 0–1. */
  readonly ofQuery: number;
  /** How much of the name the query covers. */
  readonly ofName: NameShare;
}

export const NO_SHARES: Shares = { ofQuery: 0, ofName: { value: 0, matched: 0, total: 0 } };

/** The fields with a document's names. `number` is the cache key: a document that is read again gets a new number. */
export type NamedDocument = Pick<CatalogDocument, 'number' | 'title' | 'aliases' | 'path'>;

/** @param analyzer for the language of the document's names. @default `AUTO_ANALYZER` */
type OfDocument<Result> = (document: NamedDocument, analyzer?: Analyzer) => Result;

export type NameShares = ReturnType<typeof createNameShares>;

interface WeighedName {
  /** Terms without repeats. */
  readonly terms: readonly string[];
  readonly idf: Float64Array;
  readonly total: number;
}

interface FileName extends WeighedName {
  /** The file extension in lower case: a query may end with it. */
  readonly extension: string;
}

/**
 * Makes the functions that compute shares of names. The idf of a term is computed over whole documents. The names of a document
 * are analysed once, and again after a change of the index.
 */
export function createNameShares(segments: LiveSegments) {
  const idfOf = (term: string) =>
    inverseUnitFrequency(segments.count, countLive(segments, term.toWellFormed()));

  function weigh(words: readonly string[]): WeighedName {
    const terms = [...new Set(words)];
    const idf = Float64Array.from(terms, idfOf);
    return { terms, idf, total: idf.reduce((sum, value) => sum + value, 0) };
  }

  const namesOf = once((document, { tokenize }): readonly WeighedName[] =>
    documentNames(document).map((name) => {
      const words: string[] = [];
      tokenize(name, (term) => void words.push(term));
      return weigh(words);
    }),
  );
  const fileNameOf = once(({ path }, { tokenize }): FileName => {
    const [, base = '', extension = ''] = /([^/]*?)(?:\.([^./]+))?$/.exec(path) ?? [];
    const words = plainWords(base, tokenize).map(({ term }) => term);
    return { ...weigh(words), extension: extension.toLowerCase() };
  });

  /** Caches the result of `read` per document until the index changes. */
  function once<Names extends object>(
    read: (document: NamedDocument, analyzer: Analyzer) => Names,
  ): OfDocument<Names> {
    const known = new Map<number, Names>();
    let version = segments.version;
    return (document, analyzer = AUTO_ANALYZER) => {
      if (version !== segments.version) known.clear();
      version = segments.version;
      const found = known.get(document.number);
      if (found) return found;
      const names = read(document, analyzer);
      known.set(document.number, names);
      return names;
    };
  }

  return {
    /**
     * Makes a function for the scored terms of one query. It returns the share of a document's name that the query covers; for
     * several names, the largest share.
     */
    nameShares(terms: readonly ScoredTerm[]): OfDocument<NameShare> {
      // A word may be in several terms, as typed and as a synonym: its highest weight is used.
      const trust = new Map<string, number>();
      for (const { query, words } of terms) {
        const weight = query.weight ?? query.spellings?.share ?? 1;
        const parts = (query.variants ?? []).flatMap((phrase) => phrase.map(({ term }) => term));
        for (const word of [...words, ...parts]) trust.set(word, Math.max(weight, trust.get(word) ?? 0));
      }
      return (document, analyzer) => {
        let best = NO_SHARES.ofName;
        for (const { terms, idf, total } of namesOf(document, analyzer)) {
          let matched = 0;
          for (let index = 0; index < terms.length; index++) {
            matched += idf[index]! * (trust.get(terms[index]!) ?? 0);
          }
          if (matched > best.value * total) best = { value: matched / total, matched, total };
        }
        return best;
      };
    },

    fileNameShares(words: readonly QueryWord[]): OfDocument<Shares> {
      const distinct = new Map(words.map(({ term, forms = [] }) => [term, [term, ...forms]]));
      const weighed = [...distinct.values()].map((terms) => ({ terms, idf: Math.min(...terms.map(idfOf)) }));
      const wordOf = new Map(weighed.flatMap((word) => word.terms.map((term) => [term, word])));
      const all = weighed.reduce((sum, { idf }) => sum + idf, 0);
      const last = weighed.at(-1);
      /** Cached, because passages of one document have the same shares. */
      const known = new Map<number, Shares>();

      function sharesOf({ terms, idf, total, extension }: FileName): Shares {
        const said = terms.filter((term) => wordOf.has(term));
        if (said.length === 0) return NO_SHARES;
        const matched = said.reduce((sum, term) => sum + idf[terms.indexOf(term)]!, 0);
        const covered = new Set(said.map((term) => wordOf.get(term)!));
        const asked = [...covered].reduce((sum, word) => sum + word.idf, 0);
        const isExtension =
          weighed.length > 1 && last?.terms.includes(extension) && !said.includes(extension);
        const share = asked / (isExtension ? all - last!.idf : all);
        return { ofQuery: share, ofName: { value: matched / total, matched, total } };
      }

      return (document, analyzer) => {
        const shares = known.get(document.number) ?? sharesOf(fileNameOf(document, analyzer));
        known.set(document.number, shares);
        return shares;
      };
    },
  };
}

const HEADERS = KEYWORD_FIELDS.indexOf('headers');

/** Makes a function that computes the shares of a unit on demand. The fields of the index must be `KEYWORD_FIELDS`. */
export function headingShares(
  segments: LiveSegments,
  words: readonly WeighedWord[],
): (unit: number) => Shares {
  const distinct = words.filter(
    ({ terms: [term] }, index) => words.findIndex(({ terms }) => terms[0] === term) === index,
  );
  const total = distinct.reduce((sum, { idf }) => sum + idf, 0);
  const known = new Map<number, Shares>();
  function look(unit: number): Shares {
    const place = segments.locate(unit);
    if (place === undefined) return NO_SHARES;
    const { segment, find } = place.owner;
    const length = segment.lengths[HEADERS * segment.units.length + place.local]!;
    if (length === 0) return NO_SHARES;
    let asked = 0;
    let matched = 0;
    for (const { terms, idf } of distinct) {
      const before = matched;
      for (const term of terms) matched += headingFrequency(segment, find(term), place.local);
      if (matched > before) asked += idf;
    }
    if (matched === 0) return NO_SHARES;
    return {
      ofQuery: asked / total,
      ofName: { value: Math.min(1, matched / length), matched, total: length },
    };
  }

  return (unit) => {
    const shares = known.get(unit) ?? look(unit);
    known.set(unit, shares);
    return shares;
  };
}

/** Returns how often a term occurs in the headings of a unit; 0 for term −1. */
function headingFrequency(segment: Segment, term: number, local: number): number {
  if (term < 0) return 0;
  const { entryStarts, entryUnits, entryFields, entryFrequencies } = segment;
  const end = entryStarts[term + 1]!;
  for (let entry = firstEntry(segment, term, local); entry < end && entryUnits[entry] === local; entry++) {
    if (entryFields[entry] === HEADERS) return entryFrequencies[entry]!;
  }
  return 0;
}
