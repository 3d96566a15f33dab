/** What a user asked, taken apart: words, phrases and the narrowing parts of the query syntax. */

/** Fields of BM25F, in the order their lengths are stored. */
export const KEYWORD_FIELDS = [
  'title',
  'headers',
  'keywords',
  'description',
  'tags',
  'aliases',
  'author',
  'category',
  'content',
] as const;
export type KeywordField = (typeof KEYWORD_FIELDS)[number];

/** Which lanes a search uses. */
export const SEARCH_MODES = ['hybrid', 'semantic', 'keyword', 'code'] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];

/** What kind of question it is; decides which lane counts more. */
export const QUERY_TYPES = ['factual', 'navigational', 'exploratory'] as const;
export type QueryType = (typeof QUERY_TYPES)[number];

/** Index terms that must stand at these distances from each other. */
export interface Phrase {
  readonly text: string;
  readonly terms: PhraseTerms;
  /** The same words, as documents in other languages are indexed; a match of any is a match of the phrase. */
  readonly others?: readonly PhraseTerms[];
}

export type PhraseTerms = readonly { readonly term: string; readonly position: number }[];

/** One scored term of the query. */
export interface QueryTerm {
  /** As in the index: folded, stemmed. For a prefix: folded only. */
  readonly term: string;
  /** The word as typed, for highlighting and explanations. */
  readonly surface: string;
  readonly prefix: boolean;
  /** How often the query says it; long questions repeat what matters. @default 1 */
  readonly count?: number;
  /** Counts only in this field when given (`title:word`). */
  readonly field?: KeywordField;
  /** For a synonym: the share of a full term's score, 0–1. @default 1 */
  readonly weight?: number;
  /** The same word as documents in other languages, or with other accents, are indexed; a match of any is a match of the word. */
  readonly forms?: readonly string[];
  /** Adjacent words that mean the same: `frontmatter` also stands where `front matter` does. */
  readonly variants?: readonly PhraseTerms[];
  /**
   * Marks an added term, which does not count for the bound: a synonym or a name written together. Holds the earlier terms of the query
   * that it was added for. A passage with such a name, which has no `weight`, also has these terms.
   */
  readonly standsFor?: readonly string[];
  /** Spellings that replace a word no text holds; coverage and bound still count it as the rarest of words. */
  readonly spellings?: Spellings;
}

/** A word where it stands in the query. */
export interface QueryWord {
  /** As in the index. */
  readonly term: string;
  /** The same word, as documents in other languages are indexed. */
  readonly forms?: readonly string[];
  readonly position: number;
}

/** Words of the collection that a misspelt word may have meant. */
export interface Spellings {
  /** As in the index; a match of any is a match of the word. */
  readonly terms: readonly string[];
  /** Share of a full term that a match scores and covers, 0–1. */
  readonly share: number;
}

export interface ParsedQuery {
  /** What is asked, with its quotes but without filters and exclusions: it tells the kind of query. */
  readonly text: string;
  /** The query without operators, for the embedding model; empty when nothing but operators was typed. */
  readonly plain: string;
  /** The words in their order, with stop words; a compound as its parts. */
  readonly words: readonly QueryWord[];
  /** Scored terms, OR-ed; words of phrases are among them. Stop words are gone unless there is nothing else. */
  readonly terms: readonly QueryTerm[];
  /** Every hit contains each of these. If no chunk does, they are read as plain words. */
  readonly phrases: readonly Phrase[];
  /** `title:word`: every hit's title contains it. */
  readonly required: readonly QueryTerm[];
  readonly excludedTerms: readonly QueryTerm[];
  readonly excludedPhrases: readonly Phrase[];
  /** `tag:`, `path:`, `author:`, `category:`, `lang:` and their negations. */
  readonly filters: Filters;
}

/** Narrowing that applies inside every retriever, before its top k. Lists within a key are OR-ed, keys AND-ed. */
export interface Filters {
  readonly collection?: readonly string[];
  /** Glob or path prefix inside the collection. */
  readonly path?: readonly string[];
  readonly exclude?: readonly string[];
  /** Nested tags match their ancestors: `a` finds `a/b`. */
  readonly tag?: readonly string[];
  readonly notTag?: readonly string[];
  readonly category?: readonly string[];
  readonly notCategory?: readonly string[];
  readonly author?: readonly string[];
  readonly notAuthor?: readonly string[];
  /** Milliseconds since 1970: front matter date, else file time; inclusive. */
  readonly after?: number;
  /** Exclusive. */
  readonly before?: number;
  /** Language of a code block in the chunk. */
  readonly lang?: readonly string[];
  /** The chunk has no code block in this language. */
  readonly notLang?: readonly string[];
  /** Front matter equality; a list matches if one of its members does. */
  readonly where?: readonly { readonly key: string; readonly value: string }[];
}

/** Facts about words of the collection. Answers come at once, because many questions follow each other. */
export interface CollectionWords {
  /** How many passages hold a term, in any field. */
  countOf(term: string): number;
  /** How many passages hold terms next to each other, in one field. */
  countOfPhrase(terms: PhraseTerms): number;
  /** Words at most `maxSlips` from a folded word, the likeliest first. */
  nearWords(word: string, maxSlips: number): readonly NearWord[];
  /** What a term stands for, the most usual first. */
  longFormsOf(term: string): readonly PhraseTerms[];
  /** Terms that stand for adjacent words. */
  shortFormsOf(terms: readonly string[]): readonly string[];
}

/** A word of the collection that is spelled nearly like another one. */
export interface NearWord {
  /** As written, folded. */
  readonly word: string;
  /** As in the index. */
  readonly term: string;
  readonly slips: number;
}
