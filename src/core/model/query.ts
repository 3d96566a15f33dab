/** Types of a parsed query: words, phrases and filters. */
import type { KeywordField } from './ranking-constants.ts';

export const SEARCH_MODES = ['hybrid', 'semantic', 'keyword', 'code'] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];

/** Type of a query; decides which lanes weigh more. `classify` looks for signs of the types in this order. */
export const QUERY_TYPES = ['factual', 'navigational', 'exploratory'] as const;
export type QueryType = (typeof QUERY_TYPES)[number];

/** Index terms at fixed distances from each other. */
export interface Phrase {
  readonly text: string;
  readonly terms: PhraseTerms;
  /** The same words as indexed in documents of other languages; a match of any of these matches the phrase. */
  readonly others?: readonly PhraseTerms[];
}

export type PhraseTerms = readonly { readonly term: string; readonly position: number }[];

export interface QueryTerm {
  /** As in the index: folded and stemmed; for a prefix, only folded. */
  readonly term: string;
  /** The word as typed, for highlighting and explanations. */
  readonly surface: string;
  readonly prefix: boolean;
  /** Present for a stop word. A query has plain ones, typed without quotes, only if it has no other terms. */
  readonly stopWord?: 'plain' | 'quoted';
  /** How often the term is in the query: long queries repeat important words. @default 1 */
  readonly count?: number;
  /** The only field to search (`title:word`). @default all */
  readonly field?: KeywordField;
  /** For a synonym or a part of a compound: share of the score of a typed term, 0–1. @default 1 */
  readonly weight?: number;
  /**
   * The same word as indexed in documents of other languages, with other accents, or (a compound) with other linking elements. A
   * match of any of these matches the word.
   */
  readonly forms?: readonly string[];
  /** Adjacent words with the same meaning: `frontmatter` also matches `front matter`. */
  readonly variants?: readonly PhraseTerms[];
  /**
   * For a term that was added to the query: the query terms for which it was added. With a `weight`, it is a synonym or a part of
   * a compound; else it is a joined name (`notePath`), a compound or an acronym. An added term does not raise the upper limit of
   * scores. A passage with a joined name, a compound or an acronym is treated as a passage with the terms listed here.
   */
  readonly standsFor?: readonly string[];
  /**
   * Spellings to search instead of a word that occurs nowhere. In coverage and in the upper limit of scores, the word keeps its
   * own idf, the highest possible.
   */
  readonly spellings?: Spellings;
}

export interface QueryWord {
  readonly term: string;
  /** The same word as indexed in documents of other languages. */
  readonly forms?: readonly string[];
  readonly position: number;
}

/** Words of the collection that a misspelt word may mean. */
export interface Spellings {
  /** Terms of the index; a match of any of these matches the word. */
  readonly terms: readonly string[];
  /** Factor for a match of a corrected spelling, in score and coverage, 0–1. A match of the typed word has 1. */
  readonly share: number;
}

export interface ParsedQuery {
  /** The query with its quotes, but without filters and exclusions; decides the query type. */
  readonly text: string;
  /** The query without operators, for the embedding model; empty if it has no letter or digit. */
  readonly plain: string;
  /** The words in order, with stop words. A compound is split into its parts. */
  readonly words: readonly QueryWord[];
  /** Scored terms, OR-ed, including the words of phrases. Stop words are removed, unless there are no other words. */
  readonly terms: readonly QueryTerm[];
  /** Every hit contains each of these phrases. A phrase that no chunk contains is searched as plain words. */
  readonly phrases: readonly Phrase[];
  /** `title:word`: every hit's title contains the word. */
  readonly required: readonly QueryTerm[];
  readonly excludedTerms: readonly QueryTerm[];
  readonly excludedPhrases: readonly Phrase[];
  /** `tag:`, `path:`, `author:`, `category:`, `lang:` and their negations. */
  readonly filters: Filters;
}

/** Filters that every retriever applies before it selects its top k. Values of one key are OR-ed, keys are AND-ed. */
export interface Filters {
  readonly collection?: readonly string[];
  /** Glob or path prefix inside the collection. */
  readonly path?: readonly string[];
  readonly exclude?: readonly string[];
  /** A tag also finds the tags nested in it: `a` finds `a/b`. */
  readonly tag?: readonly string[];
  readonly notTag?: readonly string[];
  readonly category?: readonly string[];
  readonly notCategory?: readonly string[];
  readonly author?: readonly string[];
  readonly notAuthor?: readonly string[];
  /** Milliseconds since 1970, inclusive; compared with the front matter date, else the file time. */
  readonly after?: number;
  /** Milliseconds since 1970, exclusive. */
  readonly before?: number;
  /** Language of a code block in the chunk. */
  readonly lang?: readonly string[];
  /** The chunk has no code block in this language. */
  readonly notLang?: readonly string[];
  /** Front matter fields and the values they must have; a list matches if one of its members is the value. */
  readonly where?: readonly { readonly key: string; readonly value: string }[];
}

/** Facts about words of the collection. The methods are synchronous, because one query calls them many times. */
export interface CollectionWords {
  countOf(term: string): number;
  /** Number of passages that hold terms next to each other in one field. */
  countOfPhrase(terms: PhraseTerms): number;
  /** Words at most `maxSlips` edits from a folded word, the closest first. */
  nearWords(word: string, maxSlips: number): readonly NearWord[];
  /** Expansions of an acronym, the most frequent first. */
  longFormsOf(term: string): readonly PhraseTerms[];
  /** Acronyms whose long form has exactly these terms. */
  shortFormsOf(terms: readonly string[]): readonly string[];
}

/** A word of the collection with a similar spelling. */
export interface NearWord {
  /** The word as written, folded. */
  readonly word: string;
  /** The term of the word in the index. */
  readonly term: string;
  /** Number of edits: a letter inserted, deleted or replaced, or two neighbouring letters swapped. */
  readonly slips: number;
}
