/** Opens a folder with an embedding model: finds its files, reads its settings and computes its identity. */

import { createHash, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import type { ModelProfile } from '../../core/fragments/export-format.ts';
import type { ModelStamps } from '../../core/model/saved-state.ts';
import { findModelFiles, type ModelFiles, readSettings, toCount } from './model-files.ts';

/** A model that is not loaded yet. It is plain data, because it is sent to worker threads. */
export interface ModelFolder extends Omit<ModelFiles, 'config' | 'maxInputLength'> {
  /** Name that the user gave, else the name in the model's files, else the folder's name. */
  readonly name: string;
  /** The name, and a hash of everything that vectors depend on. Vectors of models with equal identities are comparable. */
  readonly identity: string;
  /** See `stampFiles`. */
  readonly stamp: string | undefined;
  /** Length of the vectors; absent if no file states it: it is then known when the model is loaded. */
  readonly dimensions?: number;
  readonly profile: ModelProfile;
  /** Files beside the model file that hold its weights; most models hold them in the model file. */
  readonly weightFiles: readonly string[];
}

const REMEDY =
  'Set embedding.model or embedding.multilingual_model to a folder with tokenizer.json and model_quantized.onnx or model.onnx, such as the docfuse package’s models/bge-small-en-v1.5.';

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
 * Reads the settings that are needed to run the model later, without loading the model. Hashes its files if their stamp is not known.
 * @param called name that the user gave. @default the name in the model's files, else the folder's name
 * @param asked length to which vectors are cut. Not checked here: the encoder refuses a length above the model's own.
 * @default not cut
 * @param stamps identities that were computed before
 * @throws DocfuseError `model_missing` if a file is missing, `model_invalid` if a file is malformed
 */
export async function openModelFolder(
  folder: string,
  called?: string,
  asked?: number,
  stamps: ModelStamps = {},
): Promise<ModelFolder> {
  const wanted = { kind: 'embedding', name: called ?? folder, remedy: REMEDY } as const;
  const { config, maxInputLength, ...files } = await findModelFiles(folder, wanted);
  const name = called ?? files.name;
  const read = await readProfile(folder, name, maxInputLength);
  // Layers after the pooling may change the length.
  const own = read.layers.length > 0 ? 0 : toCount(config.hidden_size);
  const dimensions = asked ?? own;
  const profile = { ...read, ...(dimensions !== own && { dimensions }) };
  const weightFiles = await findWeights(files.modelFile);
  const hashed = [files.modelFile, files.tokenizerFile, ...weightFiles];
  const settings = JSON.stringify({
    prefix: profile.passagePrefix,
    pooling: profile.pooling,
    maxTokens: profile.maxTokens,
    dimensions: profile.dimensions,
  });
  const stamp = await stampFiles(hashed, settings + name);
  const known = stamp === undefined ? undefined : stamps[stamp];
  const identity = known ?? `${basename(name)}@${(await hashFiles(hashed, settings)).slice(0, 12)}`;
  return { ...files, name, identity, stamp, profile, weightFiles, ...(dimensions > 0 && { dimensions }) };
}

/** Increase it when identities are computed in another way. */
const IDENTITY_RULES = 1;

/** A file that changed later than this many milliseconds ago may change again without another time: some disks count in 2 s. */
const UNSURE_MS = 2_000;

/** Returns a hash of places, sizes, times and inodes of files, and of settings; undefined if a file changed just now. */
async function stampFiles(files: readonly string[], settings: string): Promise<string | undefined> {
  const states = await Promise.all(files.map((file) => stat(file, { bigint: true })));
  const now = Date.now();
  if (states.some(({ mtimeMs, ctimeMs }) => now - Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs) < UNSURE_MS))
    return undefined;
  const facts = states.map(({ size, mtimeNs, ctimeNs, ino }) => [size, mtimeNs, ctimeNs, ino].join());
  return hash('sha256', [IDENTITY_RULES, settings, ...files, ...facts].join('\n'));
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
async function hashFiles(files: readonly string[], settings: string): Promise<string> {
  const sum = createHash('sha256').update(settings);
  for (const file of files) {
    for await (const piece of createReadStream(file, { highWaterMark: 1 << 20 })) sum.update(piece as Buffer);
  }
  return sum.digest('hex');
}

/**
 * Reads prefixes, pooling and longest input. Takes each value from the files of sentence-transformers, else from `KNOWN`, else a default. The defaults are mean pooling, no
 * prefix, and `maxInputLength` as `maxTokens`, or 512 if `maxInputLength` is Infinity. `maxTokens` is at most `maxInputLength` and
 * at most 8,192.
 * @param maxInputLength longest input of model and tokenizer; Infinity if they do not say
 * @throws DocfuseError `model_invalid` for a pooling that is neither the mean nor the first token
 */
async function readProfile(folder: string, name: string, maxInputLength: number): Promise<ModelProfile> {
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
