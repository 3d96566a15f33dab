/** Opens a folder with an embedding model: finds its files, reads its settings and computes its identity. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import { findModelFiles, type ModelFiles, readSettings, toCount } from './model-files.ts';

/** A model that is not loaded yet. Plain data, because it is sent to worker threads. */
export interface ModelFolder extends Omit<ModelFiles, 'config' | 'maxInputLength'> {
  /** Name that the user gave, else the name in the model's files, else the folder's name. */
  readonly name: string;
  /** The name, and a hash of everything that vectors depend on. Vectors of models with equal identities are comparable. */
  readonly identity: string;
  /** Length of the vectors; absent if `config.json` does not say it. The loaded model then says it. */
  readonly dimensions?: number;
  readonly profile: ModelProfile;
  /** Files beside the model file that hold its weights; most models hold them in the model file. */
  readonly weightFiles: readonly string[];
}

const REMEDY =
  'Set embedding.model or embedding.multilingual_model to a folder with tokenizer.json and model_quantized.onnx or model.onnx, such as the docfuse package’s models/bge-small-en-v1.5.';

/**
 * Reads the settings that are needed to run the model later. The model's files are hashed, but the model is not loaded.
 * @param called name that the user gave. @default the name in the model's files, else the folder's name
 * @throws DocfuseError `model_missing` if a file is missing, `model_invalid` if a file is malformed
 */
export async function openModelFolder(folder: string, called?: string): Promise<ModelFolder> {
  const wanted = { kind: 'embedding', name: called ?? folder, remedy: REMEDY } as const;
  const { config, maxInputLength, ...files } = await findModelFiles(folder, wanted);
  const name = called ?? files.name;
  const known = profileOf(name) ?? (await readProfile(folder));
  const profile = { ...known, maxTokens: Math.min(known.maxTokens, maxInputLength) };
  const dimensions = toCount(config.hidden_size);
  const weightFiles = await findWeights(files.modelFile);
  const digest = await hashFiles([files.modelFile, files.tokenizerFile, ...weightFiles], {
    prefix: profile.passagePrefix,
    pooling: profile.pooling,
    maxTokens: profile.maxTokens,
  });
  const identity = `${basename(name)}@${digest.slice(0, 12)}`;
  return { ...files, name, identity, profile, weightFiles, ...(dimensions > 0 && { dimensions }) };
}

/** Returns the files to which the model file refers by name. An ONNX file has at most 2 GB, so larger weights are beside it. */
async function findWeights(modelFile: string): Promise<readonly string[]> {
  const folder = dirname(modelFile);
  const names = (await readdir(folder)).filter((name) => /\.onnx(_data.*|\.data)$/.test(name));
  if (names.length === 0) return [];
  const model = await readFile(modelFile);
  return names
    .filter((name) => model.includes(name))
    .toSorted()
    .map((name) => join(folder, name));
}

/** Hashes the whole files: a hash of a part could miss that a model was quantised again. */
async function hashFiles(files: readonly string[], settings: object): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(settings));
  for (const file of files) {
    for await (const piece of createReadStream(file, { highWaterMark: 1 << 20 }))
      hash.update(piece as Buffer);
  }
  return hash.digest('hex');
}

/** Settings of an embedding model that its `config.json` does not contain. */
export interface ModelProfile {
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  /** How token vectors are combined into one; ignored if the model's output is already pooled. */
  readonly pooling: 'mean' | 'cls';
  /** Longest input in tokens, special tokens included; the rest of a text is cut off. */
  readonly maxTokens: number;
}

/** Profiles of known models. The first pattern that matches the model's name wins. The values are those of the model cards. */
const PROFILES: readonly (readonly [RegExp, ModelProfile])[] = [
  [/bge-(small|base|large)-en/i, bge('Represent this sentence for searching relevant passages: ')],
  [/bge-(small|base|large)-zh/i, bge('为这个句子生成表示以用于检索相关文章：')],
  [/bge-/i, bge('')],
  [/(^|[/-])e5-/i, { queryPrefix: 'query: ', passagePrefix: 'passage: ', pooling: 'mean', maxTokens: 512 }],
  [/MiniLM/i, plain(256)],
];

/** Returns the profile of a known model; undefined for an unknown name. */
export function profileOf(name: string): ModelProfile | undefined {
  return PROFILES.find(([pattern]) => pattern.test(name))?.[1];
}

function bge(queryPrefix: string): ModelProfile {
  return { queryPrefix, passagePrefix: '', pooling: 'cls', maxTokens: 512 };
}

function plain(maxTokens: number): ModelProfile {
  return { queryPrefix: '', passagePrefix: '', pooling: 'mean', maxTokens };
}

/** Names that models give to their prompts for queries and for passages. */
const QUERY_PROMPTS = ['query', 'search_query', 'web_search_query'];
const PASSAGE_PROMPTS = ['passage', 'document', 'search_document', 'corpus'];

const USUAL_TOKENS = 512;

/**
 * Reads the profile of an unknown model from its files. Defaults: mean pooling, no prefixes and 512 tokens.
 * @throws DocfuseError `model_invalid` for a pooling that is neither the mean nor the first token
 */
async function readProfile(folder: string): Promise<ModelProfile> {
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
    `The model in ${folder} needs the pooling ${asked.slice('pooling_mode_'.length)}, which docfuse does not support.`,
    'Choose a model with mean pooling or with pooling by the first token (cls).',
  );
}
