/**
 * Computes how much of a name a query covers, and how much of the query the name covers. A name is a title, a file name or the
 * headings of a passage. If the name of a page is exactly the query, the query means this page, not a page with a longer name.
 */
import { type CatalogDocument, documentNames } from '../model/document.ts';
import type { QueryWord } from '../model/query.ts';
import { KEYWORD_FIELDS } from '../model/ranking-constants.ts';
import { type Analyzer, AUTO_ANALYZER } from '../text/analyzer.ts';
import { memoize } from '../text/memoize.ts';
import { plainWords, withoutNumber } from '../text/plain-words.ts';
import { inverseUnitFrequency } from './bm25f.ts';
import { countLive, type LiveSegment, type LiveSegments, untilChange } from './live-segments.ts';
import type { WeighedWord } from './near-pairs.ts';
import { fieldOf, firstEntry, frequencyOf, type TermPostings } from './posting-codec.ts';
import type { ScoredTerm } from './postings.ts';
import type { NameShare } from './retriever.ts';

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

/** Words of a query in one name of a document. */
export interface HeldName {
  readonly isFileName: boolean;
  /** Different words of the query that the name holds. */
  readonly said: readonly string[];
  /** Whether the name has no other words. */
  readonly isWhole: boolean;
  /** Sum of the idf of all different words of the name. */
  readonly total: number;
}

/** Where the words of names come from: names are analysed, or their words are stored with the postings. */
export interface NameSource {
  /** Returns the idf of a term, counted by documents, not by passages. */
  readonly idfOf: (term: string) => number;
  /** Whether the words of `variants` (other spellings) are looked up, too. */
  readonly variants: boolean;
  /** Makes a function that returns, for each name of a document, which of `words` it has. May omit names that have none. */
  readonly find: (words: ReadonlySet<string>) => OfDocument<readonly HeldName[]>;
  /** Whether the file of a document may have this extension. A query that is a file name may end with it. */
  readonly isExtension: (term: string, document: NamedDocument) => boolean;
}

export type NameShares = ReturnType<typeof sharesOfNames>;

export function sharesOfNames({ idfOf, variants, find, isExtension }: NameSource) {
  return {
    /**
     * Makes a function for the scored terms of one query. It returns the share of a document's name that the query covers. If a
     * document has several names, it returns the largest share.
     */
    nameShares(terms: readonly ScoredTerm[]): OfDocument<NameShare> {
      // A word may be in several terms, for example as typed and as a synonym. Use its highest weight.
      const trust = new Map<string, number>();
      for (const { query, words } of terms) {
        const weight = query.weight ?? query.spellings?.share ?? 1;
        const parts = variants ? (query.variants ?? []).flat().map(({ term }) => term) : [];
        for (const word of [...words, ...parts]) trust.set(word, Math.max(weight, trust.get(word) ?? 0));
      }
      const idf = new Map(Array.from(trust.keys(), (word) => [word, idfOf(word)]));
      const namesOf = find(new Set(trust.keys()));
      return (document, analyzer) => {
        let best = NO_SHARES.ofName;
        for (const { isFileName, said, isWhole, total: all } of namesOf(document, analyzer)) {
          if (isFileName) continue;
          const matched = said.reduce((sum, word) => sum + idf.get(word)! * trust.get(word)!, 0);
          const isSaid = isWhole && said.every((word) => trust.get(word) === 1);
          const total = isSaid ? matched : Math.max(matched, all);
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
      const namesOf = find(new Set(wordOf.keys()));
      /** Cached, because passages of one document have the same shares. */
      const known = new Map<number, Shares>();

      function look(document: NamedDocument, analyzer?: Analyzer): Shares {
        const name = namesOf(document, analyzer).find(({ isFileName }) => isFileName);
        if (!name || name.said.length === 0) return NO_SHARES;
        const { said, isWhole } = name;
        const matched = said.reduce((sum, term) => sum + idfOf(term), 0);
        const covered = new Set(said.map((term) => wordOf.get(term)!));
        const asked = [...covered].reduce((sum, { idf }) => sum + idf, 0);
        const isExtended =
          weighed.length > 1 &&
          last?.terms.some((term) => isExtension(term, document) && !said.includes(term));
        const total = isWhole ? matched : Math.max(matched, name.total);
        return {
          ofQuery: asked / (isExtended ? all - last!.idf : all),
          ofName: { value: matched / total, matched, total },
        };
      }

      return (document, analyzer) => {
        const shares = known.get(document.number) ?? look(document, analyzer);
        known.set(document.number, shares);
        return shares;
      };
    },
  };
}

/**
 * Shares of the names of indexed documents. The names of a document are analysed once, and again after a change of the index. The
 * words of names repeat in a collection, so their idf is cached: looking a word up takes long if there are many segments.
 */
export function createNameShares(segments: LiveSegments): NameShares {
  const kept = untilChange(segments, () => ({
    names: new Map<number, ReturnType<typeof readNames>>(),
    idfOf: memoize((term: string) =>
      inverseUnitFrequency(segments.count, countLive(segments, term.toWellFormed())),
    ),
  }));
  const idfOf = (term: string) => kept().idfOf(term);
  const namesOf: OfDocument<ReturnType<typeof readNames>> = (document, analyzer) => {
    const { names } = kept();
    const found = names.get(document.number) ?? readNames(document, idfOf, analyzer);
    names.set(document.number, found);
    return found;
  };
  return sharesOfNames({
    idfOf,
    variants: true,
    find: (words) => (document, analyzer) =>
      namesOf(document, analyzer).map(({ isFileName, terms, total }) => {
        const said = [...terms].filter((term) => words.has(term));
        return { isFileName, said, isWhole: said.length === terms.size, total };
      }),
    isExtension: (term, { path }) => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() === term,
  });
}

/**
 * Returns the different terms of each name of a document, with the sum of their idf. A digit that numbers the name is left out. The
 * file name comes last, without its extension and its stop words.
 */
export function readNames(
  document: Omit<NamedDocument, 'number'>,
  idfOf: (term: string) => number,
  { tokenize } = AUTO_ANALYZER,
) {
  const names = documentNames(document)
    .map(withoutNumber)
    .map((name) => {
      const terms = new Set<string>();
      tokenize(name, (term) => void terms.add(term));
      return { isFileName: false, terms };
    });
  const base = /([^/]*?)(?:\.[^./]+)?$/.exec(document.path)?.[1] ?? '';
  const fileTerms = new Set(plainWords(withoutNumber(base), tokenize).map(({ term }) => term));
  return [...names, { isFileName: true, terms: fileTerms }].map((name) => ({
    ...name,
    total: [...name.terms].reduce((sum, term) => sum + idfOf(term), 0),
  }));
}

const HEADERS = KEYWORD_FIELDS.indexOf('headers');

/** Makes a function that computes how far `words` and the headings of a unit cover each other. The fields of the index must be
 * `KEYWORD_FIELDS`. */
export function headingShares(
  segments: LiveSegments,
  words: readonly WeighedWord[],
): (unit: number) => Shares {
  const distinct = [...new Map(words.map((word) => [word.terms[0], word])).values()];
  const total = distinct.reduce((sum, { idf }) => sum + idf, 0);
  // A long query may have more postings than an index keeps decoded. Held here, none is decoded again for each unit.
  const wordsIn = memoize(({ find, postingsOf }: LiveSegment) =>
    distinct.map(({ terms, idf }) => {
      const indexes = terms.map(find).filter((index) => index >= 0);
      return { postings: indexes.map(postingsOf), idf };
    }),
  );
  return memoize((unit: number): Shares => {
    const place = segments.locate(unit);
    if (!place) return NO_SHARES;
    const { owner, local } = place;
    const length = owner.segment.lengths[HEADERS * owner.units.length + local]!;
    if (length === 0) return NO_SHARES;
    let asked = 0;
    let matched = 0;
    for (const { postings, idf } of wordsIn(owner)) {
      const before = matched;
      for (const each of postings) matched += headingFrequency(each, local);
      if (matched > before) asked += idf;
    }
    if (matched === 0) return NO_SHARES;
    return {
      ofQuery: asked / total,
      ofName: { value: Math.min(1, matched / length), matched, total: length },
    };
  });
}

/** Returns how often a term occurs in the headings of a unit. */
function headingFrequency(postings: TermPostings, local: number): number {
  const { units, occurrences } = postings;
  for (let entry = firstEntry(postings, local); units[entry] === local; entry++) {
    const occurrence = occurrences[entry]!;
    if (fieldOf(occurrence) === HEADERS) return frequencyOf(occurrence);
  }
  return 0;
}
