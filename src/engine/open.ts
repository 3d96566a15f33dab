/** Opens an index in a folder: chooses an adapter for every port, and connects them. */
import { createConverter } from '../adapters/formats/create-converter.ts';
import { openLanguageDetector } from '../adapters/languages/detect-language.ts';
import { loadAnalyzers } from '../adapters/languages/load-analyzers.ts';
import { createForceLayout } from '../adapters/layout/force-layout.ts';
import { createCorpusSource } from '../adapters/source/corpus-source.ts';
import { createFolderSource } from '../adapters/source/folder-source.ts';
import { createGitSource } from '../adapters/source/git-source.ts';
import { createZipSource } from '../adapters/source/zip-source.ts';
import { createFolderPlace } from '../adapters/store/folder-place.ts';
import { type KeptIndex, lendersIn } from '../adapters/store/kept-indexes.ts';
import { createFolderWatcher, rootIdentity } from '../adapters/watch/folder-watcher.ts';
import { DocfuseError } from '../core/errors.ts';
import { camelKeys } from '../core/model/camel-keys.ts';
import type { Clock, Embedder, Source } from '../core/ports.ts';
import type { IndexPlace, Store } from '../core/storage.ts';
import type { Index, OpenOptions, SyncOptions, SyncReport, Watching, WatchOptions } from './api.ts';
import { borrowVectors } from './borrow-vectors.ts';
import { checkIndex } from './check-index.ts';
import { checkCall, checkOptions, checkSync, type Method, type ReadingOptions } from './check-options.ts';
import { requireOutside } from './check-roots.ts';
import type { Collection } from './config/collections.ts';
import type { Config } from './config/config.ts';
import { embeddingTraits } from './config/embedding-traits.ts';
import { locateIndex } from './config/locate-index.ts';
import { indexesFolder } from './config/places.ts';
import { settingsByPreset } from './config/search-settings.ts';
import { auditDocuments } from './documents/audit-documents.ts';
import { createDocumentMap } from './documents/document-map.ts';
import { documentGraph, listCollections, listDocuments, listTags } from './documents/list-documents.ts';
import { readDocument } from './documents/read-document.ts';
import { relatedDocuments } from './documents/related-documents.ts';
import { writeExport } from './export/write-export.ts';
import type { Applied } from './filters.ts';
import { isInstalled } from './installed.ts';
import { findModel, searchModels } from './open-models.ts';
import { foreignOwner } from './own-file.ts';
import { isArchive, shareFiles } from './path-inside.ts';
import { openPublished } from './published/open-published.ts';
import { publishIndex } from './published/publish-index.ts';
import { openReader } from './readers/open-reader.ts';
import { createAnswerCache } from './search/answer-cache.ts';
import { search, searchWithHypothesis } from './search/search.ts';
import { statusOf } from './status.ts';
import { sync } from './sync/sync.ts';
import { tidyUp } from './sync/tidy-up.ts';
import { createPendingTasks, createSerialQueue, createWriteAccess, withReason } from './tasks.ts';
import { type CollectionWatch, watchCollections } from './watch/watch.ts';
import { holdWorkspace } from './workspace/hold-workspace.ts';
import { noteError } from './workspace/note-error.ts';
import { vectorKey } from './workspace/vector-key.ts';
import { createWorkspace, type Workspace } from './workspace/workspace.ts';
import type { WorkspaceParts } from './workspace/workspace-parts.ts';

export { loadAnalyzers };

const CLOSED_MEANWHILE = new DocfuseError(
  'aborted',
  'The index was closed before the call ended.',
  'Open it again; finished work is kept.',
);

const clock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/**
 * Opens the index of some folders. A missing index is empty until `sync()` creates it.
 * @throws DocfuseError `usage` for unknown options, `config`. The methods of the index throw `index_newer`, `index_damaged`,
 *   `index_busy`, `storage`
 */
export async function open(options: OpenOptions = {}): Promise<Index> {
  checkOptions('open', options);
  const cwd = options.cwd ?? process.cwd();
  const { indexPath, config, published } = locateIndex(options);
  const { collections, settings } = config;
  const base = { collections, settings, cwd, onGivenBack: options.onGivenBack };
  if (published) {
    const models = searchModels(settings, base);
    return openPublished({ address: published, config, options, clock, models });
  }
  const roots = collections.map((collection) => collection.root);
  requireOutside(indexPath, roots);
  const place = placeOfIndex(indexPath);
  const analyzers = await loadAnalyzers(collections);

  const closing = new AbortController();
  let closed: Promise<void> | undefined;
  const [searches, syncs] = [createPendingTasks(), createPendingTasks()];
  const shares = (other: KeptIndex) => other.folder !== indexPath && shareFiles(other.roots, roots);
  const lenders = () => lendersIn(indexesFolder(), shares);
  // An index at a place of its own, such as one for a measurement, takes nothing from others. Nor do vectors of a service,
  // which may use another model under the same name by now.
  const borrows =
    config.places.indexPath.source === 'default' && embeddingTraits(settings.embedding).fixedIdentity;
  const wrap = borrows ? (embedder: Embedder) => borrowVectors(embedder, lenders) : undefined;
  const held = holdWorkspace({
    place,
    indexPath,
    collections,
    configured: !['call', 'default'].includes(config.places.collections.source),
    openOver: (store) => composeWorkspace(store, { ...base, analyzers, wrap }),
    unused: async () => void (await Promise.all([searches.settled(), syncs.settled()])),
  });
  const rest = () => held.opened()?.restIfUnloaded();
  const enter = createWriteAccess((signal) => place.lock({ signal }), rest);
  const mapped = { layout: createForceLayout(), opened: held.opened, track: syncs.track };
  const mapOf = createDocumentMap({ ...mapped, enter, closing: closing.signal });
  const [reading, embedding] = [createSerialQueue(), createSerialQueue()];
  let watching: CollectionWatch | undefined;

  async function closeAll(): Promise<void> {
    closing.abort(CLOSED_MEANWHILE);
    watching?.close();
    watching = undefined;
    await syncs.settled();
    await held.release(searches.settled);
  }

  const close = () => (closed ??= closeAll());

  /** Refuses calls after `close`: they would open the index again, and nothing would close it. */
  function requireOpen(): void {
    if (closed) throw new DocfuseError('usage', 'The index is closed.', 'Open it again.');
  }

  function untilClosed(signal: AbortSignal | undefined): AbortSignal {
    return AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]);
  }

  async function startSync(asked: SyncOptions): Promise<SyncReport> {
    requireOpen();
    const checked = checkSync(asked, collections);
    const signal = untilClosed(asked.signal);
    const work = async () => {
      const report = await runSync({ ...checked, signal }, signal);
      const given = { ...asked, indexPath, identity: place.edition()?.identity, signal };
      // Publish here, not in `runSync`, which holds the lock: others may write the index meanwhile.
      if (asked.publish && !asked.dryRun) await publishIndex(held.frozen, settings, given);
      return report;
    };
    return withReason(work(), signal);
  }

  async function runSync(syncOptions: SyncOptions, signal: AbortSignal): Promise<SyncReport> {
    const { dryRun = false, rebuild = false, purge = false } = syncOptions;
    const holding = rebuild ? held.current : held.related; // a rebuild may change the roots, so they are not compared
    // Check roots before locking, because locking creates the folder of the index: a failing run must create nothing.
    held.requireNewRoots();
    if (dryRun) return sync(holding(false), syncOptions, { reading, embedding });
    const wasOutdated = held.opened() === undefined && place.isOutdated();
    const leave = await enter(rebuild || purge || wasOutdated, signal);
    try {
      const outdated = wasOutdated && place.isOutdated(); // another process may have renewed the index while this one waited
      if (outdated && !rebuild) held.requireRenewable();
      if (rebuild || outdated) {
        await held.release(searches.settled);
        // A user's rebuild drops the vectors of a service, which may use another model now. A rebuild for a new format keeps them.
        const keepsVectors = !rebuild || embeddingTraits(settings.embedding).fixedIdentity;
        await place.renew({
          keyOf: keepsVectors ? vectorKey : undefined,
          signal,
          onProgress: (done, total) => syncOptions.onProgress?.({ phase: 'copy', done, total }),
        });
      } else place.removeUnfinished(); // a killed rebuild may have left a file
      const opened = held.related(true);
      // If the index is incomplete, sync all files: an index of some files would look complete.
      const { only, ...all } = syncOptions;
      const wanted = opened.store.getState('updated') !== undefined || !only?.length ? syncOptions : all;
      const report = await sync(opened, wanted, { reading, embedding, watch: watching });
      return await tidyUp(opened, report, syncOptions, { place, outdated });
    } catch (error) {
      const opened = held.opened();
      if (opened && !signal.aborted) noteError(opened.store, 'reading', error);
      throw error;
    } finally {
      leave();
    }
  }

  function watch(watchOptions: WatchOptions): Watching {
    requireOpen();
    checkOptions('watch', watchOptions);
    watching?.close(true);
    const { onChange } = watchOptions;
    const edition = () => [held.edition(), ...roots.map(rootIdentity)].join('\n');
    const started = watchCollections({ createWatcher: createFolderWatcher, onChange, edition });
    watching = started;
    return {
      ...started,
      close() {
        started.close();
        if (watching === started) watching = undefined;
      },
    };
  }

  /** Checks the call and runs `ask`. Errors of checking and of opening the index reject the promise. */
  function answer<Options extends ReadingOptions, T>(
    method: Method,
    texts: Readonly<Record<string, unknown>>,
    options: Options = {} as Options,
    ask: (index: Workspace, options: Applied<Options>) => Promise<T> | T,
  ): Promise<T> {
    const work = async () => {
      requireOpen();
      const applied = checkCall(method, texts, options, clock.now());
      return withReason(ask(held.related(false), applied), options.signal);
    };
    return searches.track(work());
  }
  const cached = createAnswerCache();
  const settingsOf = settingsByPreset(config, options.preset);
  const searchIn: Index['search'] = (query, asked) =>
    answer('search', { query }, asked, (index, applied) => {
      const { signal: _, ...question } = applied;
      const settings = settingsOf(applied.preset);
      return cached(index, [query, question], () => search(index, settings, query, applied));
    });

  return {
    indexPath,
    sync: (syncOptions = {}) => syncs.track(startSync(syncOptions)),
    watch,
    search: searchIn,
    searchWithHypothesis: (hypothesis, asked) =>
      answer('searchWithHypothesis', { hypothesis }, asked, (index, applied) =>
        searchWithHypothesis(index, settingsOf(applied.preset), hypothesis, applied),
      ),
    read: (document, asked) =>
      answer('read', { document }, asked, (index, applied) => readDocument(index, document, applied, cwd)),
    related: (document, asked) =>
      answer('related', { document }, asked, (index, applied) =>
        relatedDocuments(index, document, applied, cwd),
      ),
    list: (asked) => answer('list', {}, asked, listDocuments),
    tags: (asked) => answer('tags', {}, asked, listTags),
    graph: (asked) => answer('graph', {}, asked, documentGraph),
    map: (asked) => answer('map', {}, asked, mapOf),
    audit: (asked) => answer('audit', {}, asked, auditDocuments),
    collections: (asked) => answer('collections', {}, asked, listCollections),
    export: (folder, asked) =>
      answer('export', { folder }, asked, async (_, { signal, vectors, onProgress }) => {
        const model = vectors ? await findModel(settings.embedding, cwd) : undefined;
        const frozen = held.frozen();
        const makeMap = () => mapOf(frozen, { signal });
        const place = { folder, cwd, indexPath, makeMap, model, onProgress, signal };
        return writeExport(frozen, place).finally(frozen.close);
      }),
    async status(asked = {}) {
      requireOpen();
      checkCall('status', {}, asked, clock.now());
      return statusOf(held.current(false), indexPath, place);
    },
    async check(asked = {}) {
      requireOpen();
      checkCall('check', {}, asked, clock.now());
      const examined = { open: () => held.related(false), place, roots, search: searchIn };
      return searches.track(checkIndex(examined, untilClosed(asked.signal)));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

export function placeOfIndex(indexPath: string): IndexPlace {
  return createFolderPlace(indexPath, foreignOwner);
}

type WorkspaceSettings = Pick<Config, 'collections' | 'settings'> &
  Pick<WorkspaceParts, 'analyzers' | 'words'> & {
    readonly cwd: string;
    readonly onGivenBack?: OpenOptions['onGivenBack'] | undefined;
    /** As in `searchModels`. */
    readonly wrap?: ((embedder: Embedder) => Embedder) | undefined;
  };

/** Makes the workspace of an index: chooses an adapter for every port. */
export function composeWorkspace(store: Store, given: WorkspaceSettings): Workspace {
  const { collections, settings, analyzers, words, wrap } = given;
  const chunking = camelKeys(settings.chunking);
  return createWorkspace({
    store,
    clock,
    collections: collections.map((collection) => ({ ...collection, source: sourceOf(collection) })),
    analyzers,
    ...(words && { words }),
    chunking,
    ...searchModels(settings, given, wrap),
    openDetector: openLanguageDetector,
    expandQueries: settings.search.query_expansion_enabled,
    openReader: (bytes, signal) => openReader({ analyzers, collections, chunking }, bytes, signal),
  });
}

function sourceOf({ kind, root, include, exclude, trusted }: Collection): Source {
  if (kind === 'corpus') return createCorpusSource(root);
  if (kind === 'git') return createGitSource({ root, trusted });
  const converter = createConverter({ isInstalled });
  const create = isArchive(root) ? createZipSource : createFolderSource;
  return create({ root, include, exclude, converter });
}
