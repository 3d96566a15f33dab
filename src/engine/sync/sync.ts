/** Brings an index up to date with its files: reads what changed, forgets what is gone, embeds what is new. */
import type { DocumentRecord } from '../../core/ports.ts';
import { createPathScope } from '../../core/text/path-scope.ts';
import type { SyncOptions, SyncReport } from '../api.ts';
import type { CollectionWatch } from '../watch/watch.ts';
import { noteError } from '../workspace/note-error.ts';
import { isEmbeddingUnavailable } from '../workspace/semantic-index.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { applyPlan } from './apply-plan.ts';
import { embedMissing } from './embed-missing.ts';
import { listFiles } from './list-files.ts';
import { mountsAway } from './mounts-away.ts';
import { planSync } from './plan-sync.ts';
import type { SerialQueue } from './serial-queue.ts';

/** What one open index has for all its syncs. */
export interface SyncServices {
  /** Files are read by one sync at a time, while another may be making vectors. */
  readonly reading: SerialQueue;
  readonly embedding: SerialQueue;
  /** Learns which folders to watch. */
  readonly watch?: CollectionWatch | undefined;
}

/**
 * Re-reads files whose size or times changed; equal content is not cut again, equal passages are not embedded again.
 * Stopping at any moment loses at most what is being read.
 */
export async function sync(
  workspace: Workspace,
  options: SyncOptions,
  { reading, embedding, watch }: SyncServices,
): Promise<SyncReport> {
  const { clock } = workspace;
  const began = clock.monotonic();
  const { counts, warnings } = await reading(() => readChanges(workspace, options, watch));
  // A rebuild keeps nothing of deleted files.
  if (options.rebuild && !options.only && !options.dryRun) workspace.forgetUnused();
  const embed = options.embed !== false && !options.dryRun;
  const vectors = embed ? await embedding(() => embedOrWarn(workspace, options, watch)) : { embedded: 0 };
  // A sync of a part should be fast; links concern all documents and can wait.
  if (embed && options.only) workspace.settleLinks(watch !== undefined);
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
  // A part of the files cannot be brought up to date when all are cut by other rules.
  const only = everything && options.only && options.only.length > 0 ? undefined : options.only;
  const scope = only && createPathScope(only);
  const stored = options.rebuild ? [] : [...indexedIn(workspace, only)];
  const pass = dryRun ? undefined : watch?.begin(scope);
  const held = new Set(stored.map(({ collection }) => collection));
  const listed = await listFiles(workspace.collections, { only, held, pass, signal });
  const mounts = mountsAway(workspace, !dryRun).filter(({ path }) => scope?.covers(path) !== false);
  const found = { ...listed, skipped: [...listed.skipped, ...mounts] };
  // Saved before reading, so that a first run that is stopped need not start over. While documents cut by other rules are being
  // replaced, the index has no single fingerprint, also after the run is stopped.
  if (!dryRun && !only) workspace.noteStaleDocuments(everything ? 'anywhere' : stale);
  const plan = planSync(found, stored, { named: new Set(only), isStale });
  const applied = await applyPlan(workspace, plan, options).finally(async () => {
    // Also when it is stopped: what was read can be found, and links lead to no document that has gone.
    if (!dryRun) await workspace.flush(!only && !signal?.aborted);
    if (!dryRun && !only) workspace.settleLinks(watch !== undefined);
  });
  const skipped = [...found.skipped, ...applied.skipped];
  if (!dryRun && (!only || stale.length > 0)) {
    // Unreadable files are read once they can be; the others are not read again until then.
    const unreadable = skipped.filter(({ reason }) => reason === 'unreadable').map(({ path }) => path);
    const missing = found.away.map(({ collection }) => collection);
    const behind = createPathScope(stored.map(({ id }) => id).filter(isStale));
    const still = [...missing, ...unreadable].filter((path) => behind.covers(path) || behind.leadsInto(path));
    const elsewhere = stale.filter((path) => scope?.covers(path) === false);
    workspace.noteStaleDocuments([...new Set([...elsewhere, ...still])]);
  }
  if (!dryRun && only?.length !== 0) workspace.finishReading(skipped, scope);
  // Only after everything is read: the index does not hold what a stopped run has not read.
  pass?.end();
  const away = found.away.map(({ collection, error }) => ({
    path: collection,
    message: `${error.message} What the index holds of it is kept.`,
  }));
  return { counts: { ...applied.counts, skipped }, warnings: [...away, ...applied.warnings] };
}

/** What the index holds of some documents and folders. */
function* indexedIn(
  { store, catalog }: Workspace,
  only: readonly string[] | undefined,
): Iterable<DocumentRecord> {
  if (!only) {
    yield* store.documents();
    return;
  }
  const scope = createPathScope(only);
  for (const { id, number } of only.length > 0 ? [...catalog().all()] : []) {
    const record = scope.covers(id) && store.document(number);
    if (record) yield record;
  }
}

/** Without the runtime for models words still work, so its absence is a warning here. */
async function embedOrWarn(
  workspace: Workspace,
  options: SyncOptions,
  watch: CollectionWatch | undefined,
): Promise<Pick<SyncReport, 'embedded' | 'embeddingError'> & { readonly warning?: string }> {
  try {
    // A watching process also answers searches and keeps vectors loaded; one that only indexes need not.
    if (watch) await workspace.semanticIndex();
    const embedded = await embedMissing(workspace, options);
    if (!options.only) await workspace.updateVocabulary(options.signal);
    noteError(workspace.store, 'embedding');
    return { embedded };
  } catch (error) {
    if (!options.signal?.aborted) noteError(workspace.store, 'embedding', error);
    if (!isEmbeddingUnavailable(error)) throw error;
    const reason = `${error.message} ${error.remedy}`;
    if (!workspace.facts(true).stale) return { embedded: 0, warning: reason };
    const warning = `Words are indexed; vectors are missing: ${reason}`;
    return { embedded: 0, warning, ...(error.code === 'remote' && { embeddingError: warning }) };
  }
}
