/** What the files of an embedding model do not say: prefixes, pooling and the length it was trained for. */
import { join } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import { readSettings, toCount } from './model-files.ts';

export interface ModelProfile {
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  /** How token vectors become one; models whose output is pooled already ignore it. */
  readonly pooling: 'mean' | 'cls';
  /** Longest input in tokens, special tokens included; the rest of a text is cut off. */
  readonly maxTokens: number;
}

/** First match on the model's name wins; each row follows the model card. */
const PROFILES: readonly (readonly [RegExp, ModelProfile])[] = [
  [/bge-(small|base|large)-en/i, bge('Represent this sentence for searching relevant passages: ')],
  [/bge-(small|base|large)-zh/i, bge('为这个句子生成表示以用于检索相关文章：')],
  [/bge-/i, bge('')],
  [/(^|[/-])e5-/i, { queryPrefix: 'query: ', passagePrefix: 'passage: ', pooling: 'mean', maxTokens: 512 }],
  [/MiniLM/i, plain(256)],
];

/** The profile of a model whose name is known. */
export function profileOf(name: string): ModelProfile | undefined {
  return PROFILES.find(([pattern]) => pattern.test(name))?.[1];
}

function bge(queryPrefix: string): ModelProfile {
  return { queryPrefix, passagePrefix: '', pooling: 'cls', maxTokens: 512 };
}

function plain(maxTokens: number): ModelProfile {
  return { queryPrefix: '', passagePrefix: '', pooling: 'mean', maxTokens };
}

/** Names of the two kinds of text, which differ by model. */
const QUERY_PROMPTS = ['query', 'search_query', 'web_search_query'];
const PASSAGE_PROMPTS = ['passage', 'document', 'search_document', 'corpus'];

const USUAL_TOKENS = 512;

/**
 * For models that are not known by name: without those files mean pooling, no prefixes and 512 tokens.
 * @throws DocfuseError `model_invalid` for a pooling that is neither the mean nor the first token
 */
export async function readProfile(folder: string): Promise<ModelProfile> {
  const [pooling, lengths, settings] = await Promise.all(
    ['1_Pooling/config.json', 'sentence_bert_config.json', 'config_sentence_transformers.json'].map((file) =>
      readSettings(join(folder, file)),
    ),
  );
  const prompts = (settings!.prompts ?? {}) as Readonly<Record<string, unknown>>;
  return {
    queryPrefix: firstText(prompts, QUERY_PROMPTS),
    passagePrefix: firstText(prompts, PASSAGE_PROMPTS),
    pooling: poolingOf(pooling!, folder),
    maxTokens: toCount(lengths!.max_seq_length) || USUAL_TOKENS,
  };
}

function firstText(prompts: Readonly<Record<string, unknown>>, names: readonly string[]): string {
  const found = names.map((name) => prompts[name]).find((text) => typeof text === 'string');
  return (found as string | undefined) ?? '';
}

function poolingOf(settings: Readonly<Record<string, unknown>>, folder: string): ModelProfile['pooling'] {
  if (settings.pooling_mode_cls_token === true) return 'cls';
  const asked = Object.entries(settings).find(
    ([key, on]) => key.startsWith('pooling_mode_') && on === true,
  )?.[0];
  if (asked === undefined || asked === 'pooling_mode_mean_tokens') return 'mean';
  throw new DocfuseError(
    'model_invalid',
    `${folder} pools its tokens by ${asked.slice('pooling_mode_'.length)}, which docfuse does not know.`,
    'Choose a model that pools by the mean or by the first token (cls).',
  );
}
