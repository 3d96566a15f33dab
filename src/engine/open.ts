/** Opens an index: the one place where adapters are chosen and put together. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { createOnnxEmbedder } from '../adapters/onnx/embedder.ts';
import { createOnnxReranker } from '../adapters/onnx/reranker.ts';
import { createOnnxScan } from '../adapters/onnx/scan.ts';
import { createCorpusSource } from '../adapters/source/corpus-source.ts';
import { createFolderSource } from '../adapters/source/folder-source.ts';
import { acquireWriteLock } from '../adapters/store/lock.ts';
import { removeDatabase } from '../adapters/store/open-database.ts';
import { openSqliteStore } from '../adapters/store/sqlite-store.ts';
import { openWordnet } from '../adapters/wordnet/wordnet.ts';
import { camelKeys } from '../core/model/camel-keys.ts';
import type { Clock, SkippedFile, Source } from '../core/ports.ts';
import type { Index, OpenOptions, Status } from './api.ts';
import { type Collection, type Config, loadConfig } from './config.ts';
import { linkFacts } from './link-facts.ts';
import { indexFolder, packagedModels } from './places.ts';
import { search, searchWithHypothesis } from './search.ts';
import { toSearchSettings } from './search-settings.ts';
import { sync } from './sync.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

const INDEX_FILE = 'index.sqlite';

const clock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/**
 * Opens the index of some folders, making an empty one if there is none; `sync()` fills it.
 * @throws DocfuseError `config`; the methods of the index `index_newer`, `index_damaged`, `index_busy`, `storage`
 */
export async function open(options: OpenOptions = {}): Promise<Index> {
  const cwd = options.cwd ?? process.cwd();
  const { collections, settings, indexPath: configured } = loadConfig(options);
  const roots = collections.map((collection) => collection.root);
  const indexPath = indexFolder(roots, options.indexPath, configured, cwd);
  const file = join(indexPath, INDEX_FILE);
  const openWorkspace = () => composeWorkspace(file, { collections, settings, cwd });

  // Opened at first use, so that a damaged index can still be rebuilt.
  let workspace: Workspace | undefined;
  function current(): Workspace {
    workspace ??= openWorkspace();
    workspace.refresh();
    return workspace;
  }
  async function close(): Promise<void> {
    await workspace?.close();
    workspace = undefined;
  }
  const searchSettings = toSearchSettings(settings);

  return {
    indexPath,
    async sync(syncOptions = {}) {
      const lock = await acquireWriteLock(file, syncOptions.signal ? { signal: syncOptions.signal } : {});
      try {
        if (syncOptions.rebuild && !syncOptions.dryRun) {
          await close();
          removeDatabase(file);
        }
        return await sync(current(), syncOptions);
      } finally {
        lock.release();
      }
    },
    search: async (query, searchOptions = {}) => search(current(), searchSettings, query, searchOptions),
    searchWithHypothesis: async (hypothesis, searchOptions = {}) =>
      searchWithHypothesis(current(), searchSettings, hypothesis, searchOptions),
    status: async () => statusOf(current(), indexPath),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The workspace behind an index: every port with the adapter that stands behind it. */
export function composeWorkspace(
  file: string,
  { collections, settings, cwd }: Pick<Config, 'collections' | 'settings'> & { readonly cwd: string },
): Workspace {
  const model = modelFolder(settings.embedding.model, cwd);
  const { workers } = settings.embedding;
  const rerankModel = settings.search.rerank_model;
  return createWorkspace({
    store: openSqliteStore(file),
    clock,
    collections: collections.map((collection) => ({ ...collection, source: sourceOf(collection) })),
    chunking: camelKeys(settings.chunking),
    modelName: settings.embedding.model,
    openEmbedder: () => createOnnxEmbedder({ folder: model, ...(workers > 0 ? { workers } : {}) }),
    openScan: async () => createOnnxScan(),
    reranker: createOnnxReranker({ folder: modelFolder(rerankModel, cwd), name: rerankModel }),
    expandQueries: settings.search.query_expansion_enabled,
    ...(settings.search.synonyms_enabled ? { openThesaurus: openWordnet } : {}),
    hash: (text) => createHash('sha256').update(text).digest('hex').slice(0, 32),
  });
}

function sourceOf({ kind, root, include, exclude }: Collection): Source {
  return kind === 'corpus'
    ? createCorpusSource({ file: root })
    : createFolderSource({ root, include, exclude });
}

/** A name stands for a model of the package, anything else for a folder. */
function modelFolder(model: string, cwd: string): string {
  const packaged = join(packagedModels(), model);
  const isName = !isAbsolute(model) && !/^\.|[\\/]/.test(model);
  return isName && existsSync(packaged) ? packaged : resolve(cwd, model);
}

function statusOf(workspace: Workspace, indexPath: string): Status {
  const { store, collections } = workspace;
  const index = workspace.facts();
  const { links, bytes } = store.counts(index.model);
  const documents = [...store.documents()];
  const lastError = store.getMeta('last_error');
  return {
    index,
    indexPath,
    bytes,
    links,
    ...linkFacts(workspace.links()),
    collections: collections.map(({ name, root }) => ({
      name,
      root,
      documents: documents.filter((document) => document.collection === name).length,
    })),
    skipped: JSON.parse(store.getMeta('skipped') ?? '[]') as SkippedFile[],
    warnings: documents.flatMap(({ id, warnings }) => warnings.map((message) => ({ path: id, message }))),
    ...(lastError ? { lastError } : {}),
  };
}
