/** One example for each setting; `settings-effect.test.ts` asks them. */
// over 300 lines: one table with a row per setting, read from top to bottom
import type { SearchResult } from '../../src/engine/api.ts';
import type { Example } from './settings-trial.ts';

const ALL = { minConfidence: 0, topN: 30 } as const;
const WORDS = { ...ALL, mode: 'keyword', parents: false } as const;
const MEANING = { ...ALL, parents: false } as const;
const CROSS_ENCODER = './cross-encoder';

const considered = ({ stats }: SearchResult) => stats.originalCount;
const weights = (result: SearchResult) => result.weights;

/** Nothing else may stand between the setting and the answer. */
const UNMERGED = {
  search: { max_chunks_per_doc: 0, content_dedup_enabled: false, ngram_dedup_enabled: false },
} as const;

const FORM: Omit<Example, 'values'> = {
  query: 'token',
  given: { embedding: { provider: 'openai', model: 'm', base_url: '$SERVICE' } },
  index: 'built',
  look: ({ index }) => index.model,
};

const ANY_PORT = { server: { port: 0 } } as const;

export const EXAMPLES: Readonly<Record<string, Example>> = {
  'embedding.model': { values: ['bge-small-en-v1.5', './nowhere'], query: 'token', index: 'built' },
  'embedding.provider': { values: ['local', 'openai'], query: 'token', index: 'built', look: notice },
  'embedding.base_url': {
    values: ['$SERVICE', 'http://127.0.0.1:9/v1'],
    query: 'token',
    given: { embedding: { provider: 'openai', model: 'm' } },
    index: 'built',
    look: notice,
  },
  'embedding.api_key_env': {
    values: ['DOCFUSE_TEST_KEY', 'DOCFUSE_TEST_OTHER_KEY'],
    query: 'token',
    given: { embedding: { provider: 'openai', model: 'm', base_url: '$SERVICE' } },
    index: 'built',
    look: notice,
  },
  'embedding.dimensions': { ...FORM, values: [384, 256] },
  'embedding.passage_prefix': { ...FORM, values: ['a: ', 'b: '] },
  'embedding.passage_input_type': { ...FORM, values: ['document', 'passage'] },
  'answer.base_url': {
    values: ['http://127.0.0.1:9/v1', 'http://127.0.0.1:19/v1'],
    query: 'token',
    index: 'answered',
    given: { answer: { model: 'a' } },
  },
  'answer.model': {
    values: ['a', 'b'],
    query: 'token',
    index: 'answered',
    given: { answer: { base_url: '$SERVICE/nowhere' } },
  },
  'answer.api_key_env': {
    values: ['DOCFUSE_TEST_KEY', 'DOCFUSE_TEST_OTHER_KEY'],
    query: 'token',
    index: 'answered',
    given: { answer: { base_url: '$SERVICE', model: 'a' } },
  },
  'embedding.threads': { values: [1, 2], query: 'token', index: 'embedded' },

  'chunking.strategy': { values: ['headers', 'fixed'], query: 'token', index: 'built', options: WORDS },
  'chunking.min_chars': { values: [0, 600], query: 'token', index: 'built', options: WORDS },
  'chunking.max_chars': { values: [150, 1500], query: 'token', index: 'built', options: WORDS },
  'chunking.overlap_chars': {
    values: [0, 60],
    query: 'token',
    given: { chunking: { max_chars: 200 }, ...UNMERGED },
    index: 'built',
    options: WORDS,
  },
  'chunking.parent_retrieval_enabled': {
    values: [false, true],
    query: 'rotate token',
    index: 'built',
    options: { ...WORDS, parents: true },
  },
  'chunking.parent_min_chars': {
    values: [0, 1500],
    query: 'rotate token',
    index: 'built',
    options: { ...WORDS, parents: true },
  },
  'chunking.parent_max_chars': {
    values: [500, 2000],
    query: 'rotate token',
    given: { chunking: { parent_min_chars: 400 } },
    index: 'built',
    options: { ...WORDS, parents: true },
  },
  'chunking.chunk_size': {
    values: [300, 1000],
    query: 'token',
    given: { chunking: { strategy: 'fixed' } },
    index: 'built',
    options: WORDS,
  },
  'chunking.chunk_overlap': {
    values: [0, 100],
    query: 'token',
    given: { chunking: { strategy: 'fixed', chunk_size: 300 } },
    index: 'built',
    options: WORDS,
  },

  'search.top_n': { values: [1, 3], query: 'token', options: { mode: 'keyword', minConfidence: 0 } },
  'search.fusion': { values: ['convex', 'rrf'], query: 'rotate token', options: WORDS },
  'search.rrf_k_constant': {
    values: [10, 60],
    query: 'rotate token',
    given: { search: { fusion: 'rrf' } },
    options: WORDS,
  },
  'search.semantic_weight': { values: [0.2, 1], query: 'replace a password', options: MEANING },
  'search.document_weight': { values: [0, 4], query: 'replace a token', options: MEANING },
  'search.title_weight': { values: [0, 10], query: 'replace a token', options: MEANING },
  'search.subject_weight': { values: [0, 20], query: 'replace a password', options: MEANING },
  'search.name_weight': { values: [0, 20], query: 'replace a token', options: MEANING },
  'search.heading_weight': { values: [0, 20], query: 'replace a token', options: MEANING },
  'search.nearness_weight': { values: [0, 20], query: 'replace a token', options: MEANING },
  'search.exact_first_enabled': { values: [true, false], query: 'flour', options: MEANING },
  'search.keyword_weight': { values: [0.2, 1], query: 'replace a token', options: MEANING },
  'search.code_search_enabled': {
    values: [true, false],
    query: 'rotateToken()',
    options: MEANING,
    look: weights,
  },
  'search.code_search_weight': { values: [0.5, 5], query: 'rotateToken()', options: MEANING, look: weights },
  'search.calibration': { values: ['sigmoid', 'evidence'], query: 'token', options: WORDS },
  'search.score_calibration_threshold': { values: [0.2, 0.5], query: 'token', options: WORDS },
  'search.score_calibration_steepness': { values: [2, 8], query: 'token', options: WORDS },
  'search.evidence_threshold': { values: [0, 1], query: 'token', options: WORDS },
  'search.evidence_steepness': { values: [0.5, 1], query: 'token', options: WORDS },
  'search.min_confidence': { values: [0, 0.9], query: 'token', options: { mode: 'keyword', topN: 30 } },
  'search.max_chunks_per_doc': { values: [1, 3], query: 'token', options: WORDS },
  'search.content_dedup_enabled': {
    values: [true, false],
    query: 'token expires',
    given: { search: { ngram_dedup_enabled: false } },
    options: WORDS,
  },
  'search.ngram_dedup_enabled': { values: [true, false], query: 'secret token', options: WORDS },
  'search.ngram_dedup_threshold': { values: [0.7, 1], query: 'secret token', options: WORDS },
  'search.dedup_enabled': {
    values: [true, false],
    query: 'rotate a token',
    given: { search: { dedup_similarity_threshold: 0.75 } },
    options: MEANING,
  },
  'search.dedup_similarity_threshold': {
    values: [0.75, 0.99],
    query: 'rotate a token',
    given: { search: { dedup_enabled: true } },
    options: MEANING,
  },
  'search.mmr_enabled': { values: [true, false], query: 'rotate a token', given: UNMERGED, options: MEANING },
  'search.mmr_lambda': {
    values: [0.1, 1],
    query: 'rotate a token',
    given: { search: { ...UNMERGED.search, mmr_enabled: true } },
    options: MEANING,
  },
  'search.mmr_by_query_type': {
    values: [true, false],
    query: 'rotate a token',
    given: { search: { ...UNMERGED.search, mmr_enabled: true, mmr_lambda: 1 } },
    options: MEANING,
  },
  'search.query_expansion_enabled': {
    values: [true, false],
    query: 'revoking',
    given: { search: { advanced: { query_expansion_threshold: 0 } } },
    options: MEANING,
  },
  'search.name_forms_enabled': { values: [true, false], query: 'rotate token', options: WORDS },
  'search.spelling_enabled': { values: [true, false], query: 'repositroy', options: WORDS },
  'search.synonyms_enabled': { values: [true, false], query: 'dough tacky', options: WORDS },
  'search.adaptive_weights_enabled': {
    values: [true, false],
    query: 'how do I call rotate_token?',
    options: MEANING,
    look: weights,
  },
  'search.graph_weight': { values: [0, 2], query: 'knead the dough', options: MEANING },
  'search.advanced.community_detection_enabled': {
    values: [true, false],
    query: 'knead the dough',
    options: MEANING,
  },
  'search.recency_bias': {
    values: [0, 1],
    query: 'token',
    options: WORDS,
  },
  'search.rerank_enabled': {
    values: [true, false],
    query: 'a token in the dark',
    given: { search: { rerank_model: CROSS_ENCODER, rerank_mode: 'replace' } },
    index: 'opened',
    options: WORDS,
  },
  'search.rerank_model': {
    values: [CROSS_ENCODER, './nowhere'],
    query: 'token expires owner',
    given: { search: { rerank_enabled: true } },
    index: 'opened',
    options: WORDS,
  },
  'search.rerank_base_url': {
    values: ['$SERVICE', 'http://127.0.0.1:9/v1'],
    query: 'token',
    given: { search: { rerank_enabled: true } },
    index: 'opened',
    options: WORDS,
    look: notice,
  },
  'search.rerank_api_key_env': {
    values: ['DOCFUSE_TEST_KEY', 'DOCFUSE_TEST_OTHER_KEY'],
    query: 'token',
    given: { search: { rerank_enabled: true, rerank_base_url: '$SERVICE' } },
    index: 'opened',
    options: WORDS,
    look: notice,
  },
  'search.rerank_top_n': {
    values: [1, 10],
    query: 'a token in the dark',
    given: { search: { rerank_model: CROSS_ENCODER, rerank_mode: 'replace', rerank_enabled: true } },
    index: 'opened',
    options: WORDS,
  },
  'search.rerank_mode': {
    values: ['blend', 'replace'],
    query: 'a token in the dark',
    given: { search: { rerank_model: CROSS_ENCODER, rerank_enabled: true } },
    index: 'opened',
    options: WORDS,
  },

  'search.advanced.candidates': {
    values: ['dynamic', 100],
    query: 'token',
    options: { mode: 'keyword' },
    look: considered,
  },
  'search.advanced.query_expansion_threshold': {
    values: [0, 1],
    query: 'revoking',
    given: { search: { query_expansion_enabled: true } },
    options: MEANING,
  },
  'search.advanced.query_expansion_max_terms': {
    values: [1, 5],
    query: 'revoking passwords',
    given: { search: { query_expansion_enabled: true, advanced: { query_expansion_threshold: 0 } } },
    options: MEANING,
  },
  'search.advanced.synonym_weight': {
    values: [0.1, 1],
    query: 'dough tacky',
    given: { search: { synonyms_enabled: true } },
    options: WORDS,
  },
  'search.advanced.feedback_weight': {
    values: [0, 1],
    query: 'knead the dough',
    options: MEANING,
  },
  'search.advanced.hyde_enabled': { values: [true, false], query: 'A token is revoked.', hypothesis: true },
  'search.advanced.graph_depth': {
    values: [1, 3],
    query: 'knead the dough',
    given: { search: { advanced: { candidates: 10 } } },
    options: MEANING,
  },
  'search.advanced.community_boost_factor': {
    values: [1, 2],
    query: 'knead the dough',
    given: { search: { advanced: { feedback_weight: 0, community_detection_enabled: true } } },
    options: MEANING,
  },
  'search.advanced.coverage_weights_enabled': {
    values: [true, false],
    query: 'knead the zymurgy quern',
    options: MEANING,
    look: weights,
  },
  'search.advanced.dynamic_weights_enabled': {
    values: [true, false],
    query: 'rotate token',
    options: MEANING,
    look: weights,
  },
  'search.advanced.variance_threshold': {
    values: [0.05, 0.25],
    query: 'rotate token',
    given: { search: { advanced: { dynamic_weights_enabled: true, min_factor: 0 } } },
    options: MEANING,
    look: weights,
  },
  'search.advanced.min_factor': {
    values: [0, 1],
    query: 'rotate token',
    given: { search: { advanced: { dynamic_weights_enabled: true } } },
    options: MEANING,
    look: weights,
  },

  'server.host': { values: ['127.0.0.1', '0.0.0.0'], query: '', given: ANY_PORT, index: 'served' },
  'server.port': { values: [47_331, 47_332], query: '', index: 'served' },
  'server.allowed_hosts': {
    values: [[], ['notes.example']],
    query: '',
    given: ANY_PORT,
    index: 'served',
  },
  'server.allowed_origins': {
    values: [[], ['https://notes.example']],
    query: '',
    given: ANY_PORT,
    index: 'served',
  },
  'server.judge': { values: [false, true], query: '', given: ANY_PORT, index: 'served' },
  'server.token_env': {
    // A variable that holds something in every test.
    values: ['DOCFUSE_TOKEN', 'NODE_ENV'],
    query: '',
    given: ANY_PORT,
    index: 'served',
  },
};

function notice(result: SearchResult): unknown {
  return result.notice;
}
