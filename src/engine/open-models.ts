/** Opens models: the store of pulled models, the embedder, and the language model for answers. */
import { join } from 'node:path';
import { createModelStore } from '../adapters/hub/model-store.ts';
import { createOnnxEmbedder } from '../adapters/onnx/embedder.ts';
import { type ModelFolder, openModelFolder } from '../adapters/onnx/model-folder.ts';
import { createOnnxReranker } from '../adapters/onnx/reranker.ts';
import { createWordPieces } from '../adapters/onnx/word-pieces.ts';
import { type ChatRequest, chat } from '../adapters/openai/chat.ts';
import { createOpenaiEmbedder, identityOf } from '../adapters/openai/embedder.ts';
import { createServiceReranker } from '../adapters/openai/reranker.ts';
import { openWordnet } from '../adapters/wordnet/wordnet.ts';
import { DocfuseError } from '../core/errors.ts';
import type { ModelStamps } from '../core/model/saved-state.ts';
import type { Embedder, Reranker } from '../core/ports.ts';
import type { OpenOptions } from './api.ts';
import { loadConfig } from './config/config.ts';
import { embeddingTraits } from './config/embedding-traits.ts';
import { placeOfModel } from './config/model-place.ts';
import { modelsFolder, packagedModels } from './config/places.ts';
import { readPostgresUrl, withPassword } from './config/published-address.ts';
import { AUTO_MODEL, PACKAGED_MODEL, type Settings } from './config/settings.ts';
import { isOffline, requireAllowed } from './config/web-names.ts';
import { vectorKey } from './workspace/vector-key.ts';

const SERVICE_PREFIX = 'openai:';
const PUBLIC_HUB = 'https://huggingface.co';

/**
 * Opens the store of pulled models. `DOCFUSE_HUB` names a mirror, `HF_TOKEN` gives access to private models,
 * `DOCFUSE_OFFLINE` forbids downloads.
 */
export function openModels() {
  const { DOCFUSE_HUB, HF_TOKEN } = process.env;
  return createModelStore({
    folder: modelsFolder(),
    hub: { url: DOCFUSE_HUB || PUBLIC_HUB, token: HF_TOKEN || undefined },
    offline: isOffline(),
  });
}

/** Returns the name of the model in the settings. The name does not depend on the address of a service. */
function nameOfModel(settings: Settings['embedding']): string {
  switch (settings.provider) {
    case 'local':
      return settings.model === AUTO_MODEL ? PACKAGED_MODEL : settings.model;
    case 'openai':
      return identityOf({ ...settings, ...formsIn(settings) });
  }
}

function formsIn(settings: Settings['embedding']) {
  const { query_prefix, query_input_type, passage_prefix, passage_input_type } = settings;
  return {
    query: { prefix: query_prefix, inputType: query_input_type },
    passage: { prefix: passage_prefix, inputType: passage_input_type },
  };
}

async function openLocal(
  { model, dimensions, threads }: Settings['embedding'],
  { cwd, onGivenBack }: ModelOptions,
  stamps: ModelStamps | undefined,
): Promise<Embedder> {
  return createOnnxEmbedder({
    ...placeOfModel(model, cwd),
    dimensions,
    stamps,
    ...(onGivenBack && { onMoved: onGivenBack }),
    ...(threads > 0 && { workers: threads }),
  });
}

async function openService(settings: Settings['embedding']): Promise<Embedder> {
  const { model, base_url, api_key_env, dimensions } = settings;
  if (base_url === undefined) {
    throw new DocfuseError(
      'config',
      'embedding.provider is "openai", but embedding.base_url is missing.',
      'Set it to the address of the service, such as base_url = "http://127.0.0.1:11434/v1" for Ollama.',
    );
  }
  if (model === AUTO_MODEL) {
    throw new DocfuseError(
      'config',
      'embedding.provider is "openai", but embedding.model is missing.',
      'Set it to the name of a model of the service, such as model = "nomic-embed-text" for Ollama.',
    );
  }
  requireAllowed(base_url);
  return createOpenaiEmbedder({
    ...serviceAt(base_url, model, api_key_env),
    dimensions,
    isHere: embeddingTraits(settings).staysOnThisMachine,
    ...formsIn(settings),
  });
}

function serviceAt(baseUrl: string, model: string, apiKeyEnv: string) {
  return { baseUrl, model, apiKeyEnv, apiKey: process.env[apiKeyEnv] };
}

/** Makes the reranker of the settings, which opens its model or asks its service at the first use. */
function openReranker(
  { rerank_model, rerank_base_url, rerank_api_key_env }: Settings['search'],
  cwd: string,
): Reranker {
  if (rerank_base_url === undefined) return createOnnxReranker(placeOfModel(rerank_model, cwd));
  const service = serviceAt(rerank_base_url, rerank_model, rerank_api_key_env);
  const { score, close } = createServiceReranker(service);
  return {
    async score(...given) {
      requireAllowed(rerank_base_url);
      return score(...given);
    },
    close,
  };
}

interface ModelOptions {
  /** Folder that relative paths of models refer to. */
  readonly cwd: string;
  readonly onGivenBack?: OpenOptions['onGivenBack'] | undefined;
}

/**
 * Returns the models of a workspace.
 * @param share called with each embedder that makes the vectors of an index
 */
export function embeddingModels(
  settings: Settings['embedding'],
  options: ModelOptions,
  share = async (embedder: Embedder) => embedder,
) {
  const { model, multilingual_model: second } = settings;
  const { isService } = embeddingTraits(settings);
  const local = (name: string, stamps?: ModelStamps) =>
    openLocal({ ...settings, model: name, dimensions: undefined }, options, stamps);
  return {
    model: {
      name: nameOfModel(settings),
      open: (stamps?: ModelStamps) =>
        (isService ? openService(settings) : openLocal(settings, options, stamps)).then(share),
    },
    multilingual:
      second === undefined
        ? undefined
        : { name: second, open: (stamps?: ModelStamps) => openSecond(second, stamps).then(share) },
    advisesModel: !isService && model === AUTO_MODEL && second === undefined,
    openFormer: (name: string) =>
      name.startsWith(SERVICE_PREFIX) ? undefined : (stamps?: ModelStamps) => local(name, stamps),
  };

  async function openSecond(name: string, stamps?: ModelStamps): Promise<Embedder> {
    const folderOf = (of: string) => placeOfModel(of, options.cwd).folder;
    if (!isService && folderOf(name) === folderOf(model)) {
      throw new DocfuseError(
        'config',
        `embedding.multilingual_model and embedding.model are the same model, ${name}.`,
        'Remove embedding.multilingual_model, or set embedding.model to a model for English, such as "auto".',
      );
    }
    return local(name, stamps);
  }
}

/**
 * Finds the model of the settings, for a page that runs it in a browser.
 * @throws DocfuseError `usage` if a service, two models, or a model in several files make the vectors; `model_missing`;
 *   `model_invalid`
 */
export async function findModel(settings: Settings['embedding'], cwd: string): Promise<ModelFolder> {
  const { model, multilingual_model, dimensions } = settings;
  if (multilingual_model !== undefined) {
    throw new DocfuseError(
      'usage',
      'Two models make the vectors of this index, and an exported page can run one only.',
      'Export without --vectors, or remove embedding.multilingual_model and index again.',
    );
  }
  if (embeddingTraits(settings).isService) {
    throw new DocfuseError(
      'usage',
      'A service makes the vectors of this index, so an exported page could not make the vector of a query.',
      'Export without --vectors, or index with a model on this machine.',
    );
  }
  const { folder, name } = placeOfModel(model, cwd);
  const found = await openModelFolder(folder, name, dimensions);
  if (found.weightFiles.length === 0) return found;
  throw new DocfuseError(
    'usage',
    `The model keeps weights in ${found.weightFiles.join(', ')}, which an exported page cannot load.`,
    'Export without --vectors, or index with a model that is one file.',
  );
}

/**
 * Opens the language model of the configuration. Its `answer` passes pieces of the answer to `onText` as they arrive, and throws
 * `remote` or `aborted`.
 * @throws DocfuseError `config` if no trusted configuration names a model; `remote` if docfuse is offline
 */
export function openAnswerer(options: OpenOptions) {
  const { settings, leftOut } = loadConfig(options);
  const { base_url, model, api_key_env } = settings.answer;
  if (base_url === undefined || model === undefined) {
    if (leftOut?.keys.some((key) => key.startsWith('answer.')))
      throw new DocfuseError('config', leftOut.message, leftOut.remedy);
    throw new DocfuseError(
      'config',
      `No language model is set up to answer: answer.${base_url === undefined ? 'base_url' : 'model'} is missing.`,
      'Name one under [answer] in docfuse.toml, such as base_url = "http://127.0.0.1:11434/v1" and model = "llama3.2" for Ollama. For any other model, docfuse search --context prints the passages.',
    );
  }
  requireAllowed(base_url);
  const service = serviceAt(base_url, model, api_key_env);
  return { model, answer: (request: ChatRequest) => chat(service, request) };
}

/** Lets workers on other machines embed passages, too, if the settings say so. */
async function shareWork(inner: Embedder, postgres: Settings['postgres']): Promise<Embedder> {
  const { url, name, workers } = postgres;
  if (!workers) return inner;
  if (url === undefined) {
    const warnings = ['Workers embed nothing: postgres.workers is set, but postgres.url is missing.'];
    return { ...inner, problem: () => warnings.pop() };
  }
  const place = withPassword({ url: readPostgresUrl(url).place, name }, postgres);
  const [{ shareEmbedder }, { openJobs }] = await Promise.all([
    import('../adapters/postgres/shared-embedder.ts'),
    import('../adapters/postgres/embedding-jobs.ts'),
  ]);
  return shareEmbedder(inner, { keyOf: vectorKey, openJobs: () => openJobs(place) });
}

/**
 * Returns all that a search needs besides an index; each is loaded at the first use.
 * @param wrap changes each embedder. @default it stays as it is
 */
export function searchModels(
  { embedding, search, postgres }: Settings,
  options: ModelOptions,
  wrap = (embedder: Embedder) => embedder,
) {
  return {
    ...embeddingModels(embedding, options, (embedder) => shareWork(embedder, postgres).then(wrap)),
    reranker: openReranker(search, options.cwd),
    lexicon: createWordPieces(join(packagedModels(), PACKAGED_MODEL)),
    ...(search.synonyms_enabled ? { openThesaurus: openWordnet } : {}),
  };
}
