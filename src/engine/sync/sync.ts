/** Brings an index up to date with its files: reads changed files, removes missing documents, embeds new passages. */
import type { StoredFile } from '../../core/ports.ts';
import { createPathScope } from '../../core/text/paths.ts';
import type { SyncOptions, SyncReport } from '../api.ts';
import { compareMounts } from '../compare-mounts.ts';
import type { SerialQueue } from '../tasks.ts';
import type { CollectionWatch } from '../watch/watch.ts';
import { noteError } from '../workspace/note-error.ts';
import { isEmbeddingUnavailable } from '../workspace/semantic-index.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { applyPlan } from './apply-plan.ts';
import { embedMissing } from './embed-missing.ts';
import { listFiles } from './list-files.ts';
import { planSync, stampOf } from './plan-sync.ts';

/** From this number of files to read on, saved words are unloaded, because a process that reads many files may never search. */
const MANY_READS = 1_000;

/** Services that all syncs of an open index share. */
export interface SyncServices {
  /** Only one sync at a time reads files; another sync may embed meanwhile. */
  readonly reading: SerialQueue;
  readonly embedding: SerialQueue;
  /** Watches the folders that a sync lists. */
  readonly watch?: CollectionWatch | undefined;
}

/**
 * Reads files whose size or times changed. Unchanged content is not split again, and unchanged passages are not embedded again.
 * If stopped, only the work on the current files and passages is lost.
 */
export async function sync(
  workspace: Workspace,
  options: SyncOptions,
  { reading, embedding, watch }: SyncServices,
): Promise<SyncReport> {
  const { clock } = workspace;
  const began = clock.monotonic();
  const { counts, warnings } = await reading(() => readChanges(workspace, options, watch));
  // A rebuild keeps no data of deleted files.
  if (options.rebuild && !options.dryRun) workspace.forgetUnused();
  const embed = options.embed !== false && !options.dryRun;
  const vectors = embed ? await embedding(() => embedOrWarn(workspace, options, watch)) : { embedded: 0 };
  // A sync of some files must be fast, so it computes links only here, after embedding: links concern all documents.
  if (embed && options.only) workspace.settleLinks();
  const { warning, ...made } = vectors;
  const all = warning === undefined ? warnings : [...warnings, { path: '', message: warning }];
  return { ...counts, ...made, warnings: all, milliseconds: clock.monotonic() - began };
}

async function readChanges(workspace: Workspace, options: SyncOptions, watch: CollectionWatch | undefined) {
  const { dryRun = false, signal } = options;
  signal?.throwIfAborted();
  const everything = workspace.fingerprintChanged();
  const stale = workspace.staleDocuments();
  const staleScope = createPathScope(stale);
  const isStale = (id: string) => everything || staleScope.covers(id);
  // If the rules of splitting changed, all files must be read, even if only some were asked for.
  const only = everything && options.only && options.only.length > 0 ? undefined : options.only;
  const scope = only && createPathScope(only);
  const stored = options.rebuild ? [] : indexedIn(workspace, only);
  const pass = dryRun ? undefined : watch?.begin(scope);
  const held = new Set(stored.map(({ collection }) => collection));
  const listed = await listFiles(workspace.collections, { only, held, pass, signal });
  const mountsBefore = workspace.store.getState('mounts') ?? [];
  const { mounts, unmounted } = compareMounts(mountsBefore, workspace.collections);
  if (!dryRun && mounts.join('\n') !== mountsBefore.join('\n')) workspace.store.setState({ mounts });
  const skippedMounts = unmounted.filter(({ path }) => scope?.covers(path) !== false);
  const found = { ...listed, skipped: [...listed.skipped, ...skippedMounts] };
  // Save the stale documents before reading, so that the next run continues after a stop. Until all of them are replaced, the index
  // contains documents that were split by different rules.
  if (!dryRun && !only) workspace.noteStaleDocuments(everything ? 'anywhere' : stale);
  const before = options.rebuild || everything ? {} : (workspace.store.getState('notConverted') ?? {});
  const plan = planSync(found, stored, { named: new Set(only), isStale, notConverted: before });
  // A watching process also answers searches, so it keeps words loaded.
  const unload = !watch && plan.reads.length >= MANY_READS;
  const applied = await applyPlan(workspace, plan, options, unload).finally(async () => {
    // Save also after a stop: searches then find what was read, and no link leads to a removed document.
    if (!dryRun) await workspace.flush({ all: !only && !signal?.aborted, verifies: options.verify, unload });
    if (!dryRun && !only) workspace.settleLinks();
  });
  const triedBefore = new Set(plan.unconvertible.map(({ id }) => id));
  const known = (workspace.store.getState('skipped') ?? []).filter(({ path }) => triedBefore.has(path));
  const skipped = [...found.skipped, ...known, ...applied.skipped];
  const notConverted = {
    ...Object.fromEntries(plan.unconvertible.map(({ id, file }) => [id, stampOf(file)])),
    ...applied.notConverted,
  };
  if (!dryRun && (!only || stale.length > 0)) {
    // Only missing and unreadable documents remain stale: a later run reads them, without reading the others again.
    const unreadable = skipped.filter(({ reason }) => reason === 'unreadable').map(({ path }) => path);
    const missing = found.away.map(({ collection }) => collection);
    const behind = createPathScope(stored.map(({ id }) => id).filter(isStale));
    const still = [...missing, ...unreadable].filter((path) => behind.covers(path) || behind.leadsInto(path));
    const elsewhere = stale.filter((path) => scope?.covers(path) === false);
    workspace.noteStaleDocuments([...new Set([...elsewhere, ...still])]);
  }
  if (!dryRun && only?.length !== 0) workspace.finishReading({ skipped, notConverted }, scope);
  // Only a run that has read all files ends the pass: `end` marks the listing as complete.
  pass?.end();
  const away = found.away.map(({ collection, error }) => ({
    path: collection,
    message: options.rebuild ? error.message : `${error.message} Its documents stay in the index.`,
  }));
  return { counts: { ...applied.counts, skipped }, warnings: [...away, ...applied.warnings] };
}

/** Returns the files in the index that `only` covers, or all files. */
function indexedIn(
  { store, catalog }: Workspace,
  only: readonly string[] | undefined,
): readonly StoredFile[] {
  if (!only) return store.files();
  const scope = createPathScope(only);
  const covered = only.length > 0 ? [...catalog().all()].filter(({ id }) => scope.covers(id)) : [];
  return covered.flatMap(({ number }) => store.document(number) ?? []);
}

/** Embeds missing passages. If embedding is unavailable, that is only a warning: searching by words still works. */
async function embedOrWarn(
  workspace: Workspace,
  options: SyncOptions,
  watch: CollectionWatch | undefined,
): Promise<Pick<SyncReport, 'embedded' | 'embeddingError'> & { readonly warning?: string }> {
  try {
    // A watching process also answers searches, so it keeps vectors loaded. A process that only indexes does not need them.
    if (watch) await workspace.models.first.semanticIndex();
    const embedded = await embedMissing(workspace, options);
    if (!options.only) await workspace.updateVocabulary(options.signal);
    noteError(workspace.store, 'embedding');
    const warning = (await workspace.models.covering.embedder()).problem?.();
    return { embedded, ...(warning !== undefined && { warning }) };
  } catch (error) {
    if (!options.signal?.aborted) noteError(workspace.store, 'embedding', error);
    if (!isEmbeddingUnavailable(error)) throw error;
    const reason = `${error.message} ${error.remedy}`;
    if (!workspace.facts(true).stale) return { embedded: 0, warning: reason };
    const warning = `Words are indexed; vectors are missing: ${reason}`;
    return { embedded: 0, warning, ...(error.code === 'remote' && { embeddingError: warning }) };
  }
}
