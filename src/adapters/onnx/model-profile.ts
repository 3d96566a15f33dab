/**
 * Reads the prefixes, pooling and longest input of an embedding model from its files. If the files lack them, takes those known for
 * the model's name, else general defaults.
 */
import { join } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import type { ModelProfile } from '../../core/fragments/export-format.ts';
import { readSettings, toCount } from './model-files.ts';

/** Values from model cards, for models whose files often lack them. The first pattern that matches the model's name applies. */
const KNOWN: readonly (readonly [RegExp, Partial<ModelProfile>])[] = [
  [
    /bge-(small|base|large)-en/i,
    { pooling: 'cls', queryPrefix: 'Represent this sentence for searching relevant passages: ' },
  ],
  [/bge-(small|base|large)-zh/i, { pooling: 'cls', queryPrefix: '为这个句子生成表示以用于检索相关文章：' }],
  [/bge-/i, { pooling: 'cls' }],
  [/(^|[/-])e5-/i, { queryPrefix: 'query: ', passagePrefix: 'passage: ' }],
  [
    /embeddinggemma/i,
    { queryPrefix: 'task: search result | query: ', passagePrefix: 'title: none | text: ' },
  ],
  [/MiniLM/i, { maxTokens: 256 }],
];

/** Names that models give to their prompts for queries and for passages. */
const QUERY_PROMPTS = ['query', 'search_query', 'web_search_query'];
const PASSAGE_PROMPTS = ['passage', 'document', 'search_document', 'corpus'];

const USUAL_TOKENS = 512;
/** Longer inputs are cut, even if a model takes them: memory grows with the square of the tokens. */
const MAX_TOKENS = 8_192;

/** Modules whose work docfuse does, or that have no effect when a model only runs. All others are layers of the model. */
const USUAL_MODULES = /\.(Transformer|Pooling|Normalize|Dropout)$/;

/**
 * Takes each value from the files of sentence-transformers, else from `KNOWN`, else a default. The defaults are mean pooling, no
 * prefix, and `maxInputLength` as `maxTokens`, or 512 if `maxInputLength` is Infinity. `maxTokens` is at most `maxInputLength` and
 * at most 8,192.
 * @param maxInputLength longest input of model and tokenizer; Infinity if they do not say
 * @throws DocfuseError `model_invalid` for a pooling that is neither the mean nor the first token
 */
export async function readProfile(
  folder: string,
  name: string,
  maxInputLength: number,
): Promise<ModelProfile> {
  const [modules, pooling, lengths, settings] = await Promise.all(
    [
      'modules.json',
      '1_Pooling/config.json',
      'sentence_bert_config.json',
      'config_sentence_transformers.json',
    ].map((file) => readSettings(join(folder, file))),
  );
  const known = KNOWN.find(([pattern]) => pattern.test(name))?.[1] ?? {};
  const prompts = (settings!.prompts ?? {}) as Readonly<Record<string, unknown>>;
  const [query, passage] = [firstText(prompts, QUERY_PROMPTS), firstText(prompts, PASSAGE_PROMPTS)];
  // Newer files contain empty prompts if the authors set none. These count as missing.
  const written = query || passage ? { queryPrefix: query, passagePrefix: passage } : known;
  const usual = maxInputLength === Infinity ? USUAL_TOKENS : maxInputLength;
  const maxTokens = toCount(lengths!.max_seq_length) || (known.maxTokens ?? usual);
  return {
    queryPrefix: written.queryPrefix ?? '',
    passagePrefix: written.passagePrefix ?? '',
    pooling: poolingOf(pooling!, folder) ?? known.pooling ?? 'mean',
    maxTokens: Math.min(maxTokens, maxInputLength, MAX_TOKENS),
    layers: layersOf(modules!),
  };
}

function firstText(prompts: Readonly<Record<string, unknown>>, names: readonly string[]): string {
  const found = names.map((name) => prompts[name]).find((text) => typeof text === 'string');
  return (found as string | undefined) ?? '';
}

function layersOf(modules: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.values(modules)
    .map((module) => (module ?? {}) as Readonly<Record<string, unknown>>)
    .filter(({ type }) => typeof type === 'string' && !USUAL_MODULES.test(type))
    .map(({ path, type }) => String(path || type));
}

/** @returns undefined if the settings name no pooling */
function poolingOf(
  settings: Readonly<Record<string, unknown>>,
  folder: string,
): ModelProfile['pooling'] | undefined {
  const asked = Object.entries(settings)
    .filter(([key, on]) => key.startsWith('pooling_mode_') && on === true)
    .map(([key]) => key.slice('pooling_mode_'.length));
  if (typeof settings.pooling_mode === 'string') asked.push(settings.pooling_mode);
  if (asked.length === 0) return undefined;
  const names = [...new Set(asked)].join(' and ');
  if (/^mean(_tokens)?$/.test(names)) return 'mean';
  if (/^cls(_token)?$/.test(names)) return 'cls';
  throw new DocfuseError(
    'model_invalid',
    `The model in ${folder} needs the pooling ${names}, which docfuse does not support.`,
    'Choose a model with mean pooling or with pooling by the first token (cls).',
  );
}
