/** How much of a query a file name says, and how much of the file name the query says. */
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
  /** Share of the idf of the query's words that the name says, 0–1. */
  readonly asked: number;
  /** Of the idf of the name's words, what the query says. */
  readonly said: NameShare;
}

export const UNNAMED: Shares = { asked: 0, said: NAMELESS };

/** @param analyzer of the language the name is in. @default `AUTO_ANALYZER` */
export type FileNameShares = (
  document: Pick<CatalogDocument, 'number' | 'path'> | undefined,
  analyzer?: Analyzer,
) => Shares;

interface WeighedName {
  readonly idf: ReadonlyMap<string, number>;
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
    const idf = new Map(plainWords(base, tokenize).map(({ term }) => [term, idfOf(term)]));
    const total = [...idf.values()].reduce((sum, value) => sum + value, 0);
    const name = { idf, total, extension: extension.toLowerCase() };
    known.set(number, name);
    return name;
  }

  return (words) => {
    if (version !== segments.version) known.clear();
    version = segments.version;
    const distinct = new Map(words.map(({ term, forms = [] }) => [term, [term, ...forms]]));
    const weighed = [...distinct.values()].map((terms) => ({ terms, idf: Math.min(...terms.map(idfOf)) }));
    const all = weighed.reduce((sum, { idf }) => sum + idf, 0);
    const last = weighed.at(-1);
    return (document, analyzer = AUTO_ANALYZER) => {
      if (!document) return UNNAMED;
      const { idf, total, extension } = known.get(document.number) ?? weigh(document, analyzer);
      let [asked, matched] = [0, 0];
      for (const word of weighed) {
        const own = word.terms.map((term) => idf.get(term)).find((value) => value !== undefined);
        if (own === undefined) continue;
        matched += own;
        asked += word.idf;
      }
      if (matched === 0) return UNNAMED;
      const isExtension = weighed.length > 1 && last?.terms.includes(extension) && !idf.has(extension);
      const share = asked / (isExtension ? all - last!.idf : all);
      return { asked: share, said: { value: matched / total, matched, total } };
    };
  };
}
