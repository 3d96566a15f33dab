/** Opens an index: the one place where adapters are chosen and put together. */
import { existsSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { loadAnalyzers } from '../adapters/languages/load-analyzers.ts';
import { createOnnxReranker } from '../adapters/onnx/reranker.ts';
import { createOnnxScan } from '../adapters/onnx/scan.ts';
import { createWordPieces } from '../adapters/onnx/word-pieces.ts';
import { createCorpusSource } from '../adapters/source/corpus-source.ts';
import { createFolderSource } from '../adapters/source/folder-source.ts';
import { createGitSource } from '../adapters/source/git-source.ts';
import { acquireWriteLock } from '../adapters/store/lock.ts';
import { renewDatabase } from '../adapters/store/renew-database.ts';
import { openSqliteStore } from '../adapters/store/sqlite-store.ts';
import { createFolderWatcher } from '../adapters/watch/folder-watcher.ts';
import { openWordnet } from '../adapters/wordnet/wordnet.ts';
import { DocfuseError } from '../core/errors.ts';
import { camelKeys } from '../core/model/camel-keys.ts';
import type { SearchSettings } from '../core/model/search-settings.ts';
import type { Clock, SkippedFile, Source } from '../core/ports.ts';
import type { Analyzers } from '../core/text/analyzer.ts';
import type { Index, OpenOptions, Status, SyncOptions, SyncReport, Watching, WatchOptions } from './api.ts';
import { checkIndex } from './check-index.ts';
import type { Collection } from './collections.ts';
import type { Config } from './config.ts';
import { documentGraph } from './document-graph.ts';
import { type FileState, stateOf } from './file-state.ts';
import { hashText } from './hash-text.ts';
import { linkFacts } from './link-facts.ts';
import { listCollections, listDocuments, listTags } from './list-documents.ts';
import { locateIndex } from './locate-index.ts';
import { placeOfModel } from './model-place.ts';
import { nameOfModel, openEmbedder } from './open-models.ts';
import { packagedModels } from './places.ts';
import type { PresetName } from './presets.ts';
import { readDocument } from './read-document.ts';
import { relatedDocuments } from './related-documents.ts';
import { requireRoot } from './require-root.ts';
import { search, searchWithHypothesis } from './search.ts';
import { toSearchSettings } from './search-settings.ts';
import { sync } from './sync.ts';
import { createTurns } from './turns.ts';
import { createUnderWay } from './under-way.ts';
import { type CollectionWatch, watchCollections } from './watch.ts';
import { createWorkspace, type Workspace } from './workspace.ts';
import { createWriteAccess } from './write-access.ts';

export { loadAnalyzers };

const INDEX_FILE = 'index.sqlite';
/** Where an index is opened that is not there, so that asking leaves no trace. */
const IN_MEMORY = ':memory:';
const CLOSED = new DocfuseError(
  'aborted',
  'The index was closed while it was being brought up to date.',
  'Open it and sync again; what was done is kept.',
);

const clock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/**
 * Opens the index of some folders. One that is not there is empty until `sync()` makes it; nothing else writes.
 * @throws DocfuseError `config`; the methods of the index `index_newer`, `index_damaged`, `index_busy`, `storage`
 */
export async function open(options: OpenOptions = {}): Promise<Index> {
  const cwd = options.cwd ?? process.cwd();
  const { indexPath, config } = locateIndex(options);
  const { collections, settings } = config;
  const roots = collections.map((collection) => collection.root);
  requireOutside(indexPath, roots);
  const file = join(indexPath, INDEX_FILE);
  const analyzers = await loadAnalyzers(collections);
  const openWorkspace = (at: string) => composeWorkspace(at, { collections, settings, analyzers, cwd });

  // Opened at first use, so that a damaged index can still be rebuilt.
  let workspace: Workspace | undefined;
  let held: FileState | undefined;
  let closing = new AbortController();
  const searches = createUnderWay();
  const syncs = createUnderWay();
  const access = createWriteAccess((signal) => acquireWriteLock(file, { signal }));
  const [reading, embedding] = [createTurns(), createTurns()];
  let watching: CollectionWatch | undefined;
  /** @param make whether an index that is not there is made; else it is empty, and nothing is written */
  function current(make: boolean): Workspace {
    // A misspelt folder must not leave an empty index behind; one that is away for a while keeps its own.
    const found = stateOf(file);
    if (found === undefined) for (const root of roots) requireRoot(root);
    if (workspace && isStale(workspace, found, make)) void release(workspace);
    if (!workspace) {
      workspace = openWorkspace(found === undefined && !make ? IN_MEMORY : file);
      held = stateOf(file);
    }
    workspace.refresh();
    return workspace;
  }
  function isStale({ store }: Workspace, found: FileState | undefined, make: boolean): boolean {
    // Another process made or rebuilt the index: what is open here is no longer it.
    if (found?.inode !== held?.inode || (make && found === undefined)) return true;
    // One that was opened for reading alone is not told what others write, nor that it may be written now.
    return store.readOnly && (make || found?.written !== held?.written);
  }
  /** The index, if it is one of these folders. */
  function related(make: boolean): Workspace {
    const opened = current(make);
    requireRelated(opened, indexPath);
    return opened;
  }
  /** Closes it as soon as the searches in it are answered. */
  async function release(opened: Workspace): Promise<void> {
    if (workspace === opened) workspace = undefined;
    await searches.settled();
    await opened.close();
  }
  async function close(): Promise<void> {
    closing.abort(CLOSED);
    watching?.close();
    watching = undefined;
    await syncs.settled();
    closing = new AbortController();
    if (workspace) await release(workspace);
  }
  async function runSync({ signal: given, ...syncOptions }: SyncOptions): Promise<SyncReport> {
    const signal = given ? AbortSignal.any([given, closing.signal]) : closing.signal;
    const { dryRun = false, rebuild = false } = syncOptions;
    if (dryRun) return sync(related(false), { ...syncOptions, signal }, { reading, embedding });
    const leave = await access.enter({ alone: rebuild, signal });
    try {
      if (rebuild) {
        if (workspace) await release(workspace);
        // A service may have changed its model behind the name.
        renewDatabase(file, settings.embedding.provider === 'local' ? hashText : undefined);
      }
      const opened = related(true);
      const report = await sync(opened, { ...syncOptions, signal }, { reading, embedding, watch: watching });
      opened.store.setMeta('last_error', '');
      return report;
    } catch (error) {
      if (!signal.aborted) noteFailure(workspace, error);
      throw error;
    } finally {
      leave();
    }
  }
  const tryLock = async () => (await acquireWriteLock(file, { waitMs: 0 })).release();
  function watch({ onChange }: WatchOptions): Watching {
    watching?.close();
    const started = watchCollections(createFolderWatcher, onChange);
    watching = started;
    return {
      problem: started.problem,
      close() {
        started.close();
        if (watching === started) watching = undefined;
      },
    };
  }
  /** What goes wrong while opening is told by the promise. */
  function answer<T>(ask: (index: Workspace) => Promise<T> | T): Promise<T> {
    return searches.track((async () => ask(related(false)))());
  }
  const settingsOf = settingsByPreset(config, options.preset);
  const searchIn: Index['search'] = (query, searchOptions = {}) =>
    answer((index) => search(index, settingsOf(searchOptions.preset), query, searchOptions));

  return {
    indexPath,
    sync: (syncOptions = {}) => syncs.track(runSync(syncOptions)),
    watch,
    search: searchIn,
    searchWithHypothesis: (hypothesis, searchOptions = {}) =>
      answer((index) =>
        searchWithHypothesis(index, settingsOf(searchOptions.preset), hypothesis, searchOptions),
      ),
    read: (document, readOptions = {}) => answer((index) => readDocument(index, document, readOptions, cwd)),
    related: (document, relatedOptions = {}) =>
      answer((index) => relatedDocuments(index, document, relatedOptions, cwd)),
    list: (listOptions = {}) => answer((index) => listDocuments(index, listOptions)),
    tags: ({ filters = {} } = {}) => answer((index) => listTags(index, filters)),
    graph: (graphOptions = {}) => answer((index) => documentGraph(index, graphOptions)),
    collections: () => answer(listCollections),
    status: async () => statusOf(current(false), indexPath),
    check: ({ signal } = {}) =>
      searches.track(
        checkIndex({ open: () => related(false), file, roots, search: searchIn, tryLock }, signal),
      ),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Presets change how is searched and nothing else, so every search may choose its own over one open index. */
function settingsByPreset(
  { settings, settingsUnder }: Config,
  given: PresetName | undefined,
): (preset: PresetName | undefined) => SearchSettings {
  const known = new Map([[given, toSearchSettings(settings)]]);
  return (preset = given) => {
    const found = known.get(preset) ?? toSearchSettings(settingsUnder(preset!));
    known.set(preset, found);
    return found;
  };
}

/** The workspace behind an index: every port with the adapter that stands behind it. */
export function composeWorkspace(
  file: string,
  {
    collections,
    settings,
    analyzers,
    cwd,
  }: Pick<Config, 'collections' | 'settings'> & { readonly analyzers: Analyzers; readonly cwd: string },
): Workspace {
  return createWorkspace({
    store: openSqliteStore(file),
    clock,
    collections: collections.map((collection) => ({ ...collection, source: sourceOf(collection) })),
    analyzers,
    chunking: camelKeys(settings.chunking),
    modelName: nameOfModel(settings.embedding),
    openEmbedder: () => openEmbedder(settings.embedding, cwd),
    openScan: async () => createOnnxScan(),
    reranker: createOnnxReranker(placeOfModel(settings.search.rerank_model, cwd)),
    lexicon: createWordPieces(join(packagedModels(), 'bge-small-en-v1.5')),
    expandQueries: settings.search.query_expansion_enabled,
    ...(settings.search.synonyms_enabled ? { openThesaurus: openWordnet } : {}),
    hash: hashText,
  });
}

/** One index folder given for quite other folders is a mistake: it would answer with, or drop, what it holds. */
function requireRelated({ store, collections }: Workspace, indexPath: string): void {
  const held = JSON.parse(store.getMeta('roots') ?? '[]') as string[];
  const wanted = collections.map(({ root }) => root);
  if (held.length === 0 || held.some((root) => wanted.includes(root))) return;
  throw new DocfuseError(
    'usage',
    `The index ${indexPath} holds ${held.join(', ')}, not ${wanted.join(', ')}.`,
    'Give another folder with --index (or DOCFUSE_INDEX), or delete this one.',
  );
}

/** What is wrong is told even where it cannot be noted, as on a full disk. */
function noteFailure(workspace: Workspace | undefined, error: unknown): void {
  try {
    workspace?.store.setMeta('last_error', String(error));
  } catch {}
}

/** Indexes stay out of the documents, except in a hidden folder, which is never read. */
function requireOutside(indexPath: string, roots: readonly string[]): void {
  for (const root of roots) {
    const inside = relative(root, indexPath);
    if (inside.startsWith('..') || isAbsolute(inside) || /(^|[\\/])\./.test(inside)) continue;
    throw new DocfuseError(
      'usage',
      `The index ${indexPath} would lie among the documents of ${root}.`,
      'Choose a folder elsewhere, or a hidden one such as .docfuse.',
    );
  }
}

function sourceOf({ kind, root, include, exclude }: Collection): Source {
  switch (kind) {
    case 'corpus':
      return createCorpusSource({ file: root });
    case 'git':
      return createGitSource({ root });
    case 'folder':
      return createFolderSource({ root, include, exclude });
  }
}

function statusOf(workspace: Workspace, indexPath: string): Status {
  const { store } = workspace;
  const index = workspace.facts();
  const { links, bytes } = store.counts(index.model);
  const documents = [...store.documents()];
  const lastError = store.getMeta('last_error');
  return {
    index,
    indexPath,
    bytes: existsSync(join(indexPath, INDEX_FILE)) ? bytes : 0,
    links,
    ...linkFacts(workspace.links()),
    collections: listCollections(workspace),
    skipped: JSON.parse(store.getMeta('skipped') ?? '[]') as SkippedFile[],
    warnings: documents.flatMap(({ id, warnings }) => warnings.map((message) => ({ path: id, message }))),
    ...(lastError ? { lastError } : {}),
  };
}
