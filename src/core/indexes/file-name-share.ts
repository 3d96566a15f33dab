/** How much of a query a file name covers, and how much of the file name the query covers. */
import type { CatalogDocument } from '../model/document.ts';
import type { QueryWord } from '../model/query.ts';
import { type Analyzer, AUTO_ANALYZER } from '../text/analyzer.ts';
import { plainWords } from '../text/plain-words.ts';
import { inverseUnitFrequency } from './bm25f.ts';
import { countLive } from './live-segments.ts';
import { NAMELESS } from './name-share.ts';
import type { Postings } from './postings.ts';
import type { NameShare } from './retriever.ts';

export interface Shares {
  /** Share of the idf of the query's words that the name covers, 0–1. */
  readonly asked: number;
  /** Share of the idf of the name's words that the query covers. */
  readonly said: NameShare;
}

export const UNNAMED: Shares = { asked: 0, said: NAMELESS };

/** @param analyzer of the language the name is in. @default `AUTO_ANALYZER` */
export type FileNameShares = (
  document: Pick<CatalogDocument, 'number' | 'path'> | undefined,
  analyzer?: Analyzer,
) => Shares;

interface WeighedName {
  /** Each once. */
  readonly terms: readonly string[];
  readonly idf: readonly number[];
  readonly total: number;
  /** The term of its extension: a query may end with it. */
  readonly extension: string;
}

/** A word's idf is that of whole documents. A file name is analysed once, until the index changes. */
export function createFileNameShares({
  segments,
}: Postings): (words: readonly QueryWord[]) => FileNameShares {
  const known = new Map<number, WeighedName>();
  let version = segments.version;
  const idfOf = (term: string) =>
    inverseUnitFrequency(segments.count, countLive(segments, term.toWellFormed()));

  function weigh(
    { number, path }: Pick<CatalogDocument, 'number' | 'path'>,
    { tokenize }: Analyzer,
  ): WeighedName {
    const [, base = '', extension = ''] = /([^/]*?)(?:\.([^./]+))?$/.exec(path) ?? [];
    const terms = [...new Set(plainWords(base, tokenize).map(({ term }) => term))];
    const idf = terms.map(idfOf);
    const total = idf.reduce((sum, value) => sum + value, 0);
    const name = { terms, idf, total, extension: extension.toLowerCase() };
    known.set(number, name);
    return name;
  }

  return (words) => {
    if (version !== segments.version) known.clear();
    version = segments.version;
    const distinct = new Map(words.map(({ term, forms = [] }) => [term, [term, ...forms]]));
    const weighed = [...distinct.values()].map((terms) => ({ terms, idf: Math.min(...terms.map(idfOf)) }));
    const wordOf = new Map(weighed.flatMap((word) => word.terms.map((term) => [term, word])));
    const all = weighed.reduce((sum, { idf }) => sum + idf, 0);
    const last = weighed.at(-1);
    const shares = new Map<number, Shares>();
    function sharesOf({ terms, idf, total, extension }: WeighedName): Shares {
      const said = terms.filter((term) => wordOf.has(term));
      if (said.length === 0) return UNNAMED;
      const matched = said.reduce((sum, term) => sum + idf[terms.indexOf(term)]!, 0);
      const asked = [...new Set(said.map((term) => wordOf.get(term)!))].reduce(
        (sum, word) => sum + word.idf,
        0,
      );
      const isExtension = weighed.length > 1 && last?.terms.includes(extension) && !said.includes(extension);
      const share = asked / (isExtension ? all - last!.idf : all);
      return { asked: share, said: { value: matched / total, matched, total } };
    }
    // Passages of one document ask for the same.
    return (document, analyzer = AUTO_ANALYZER) => {
      if (!document) return UNNAMED;
      const found = shares.get(document.number);
      if (found) return found;
      const made = sharesOf(known.get(document.number) ?? weigh(document, analyzer));
      shares.set(document.number, made);
      return made;
    };
  };
}
