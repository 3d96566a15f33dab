/** Brings an index up to date with its files: reads what changed, forgets what is gone, embeds what is new. */
import type { DocumentRecord, SkippedFile } from '../../core/ports.ts';
import { createPathScope } from '../../core/text/path-scope.ts';
import type { SyncOptions, SyncReport } from '../api.ts';
import { inTurns } from '../in-turns.ts';
import { mountsAway } from '../watch/mounts.ts';
import type { CollectionWatch } from '../watch/watch.ts';
import { isMeaningAway } from '../workspace/meaning.ts';
import { noteError } from '../workspace/note-error.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { cutDocument } from './cut-document.ts';
import { embedMissing } from './embed-missing.ts';
import { type FoundFile, listFiles } from './list-files.ts';
import type { Turns } from './turns.ts';

/** Documents whose words are gathered before they become one segment. */
const FLUSH_EVERY = 1000;

/** What one open index has for all its syncs. */
export interface SyncServices {
  /** Files are read by one sync at a time, while another may be making vectors. */
  readonly reading: Turns;
  readonly embedding: Turns;
  /** Learns which folders to watch. */
  readonly watch?: CollectionWatch | undefined;
}

/**
 * Re-reads files whose size or times changed; equal content is not cut again, equal passages are not embedded again.
 * Every document is one transaction, so that stopping at any moment loses at most the one at hand.
 */
export async function sync(
  workspace: Workspace,
  options: SyncOptions,
  { reading, embedding, watch }: SyncServices,
): Promise<SyncReport> {
  const { clock } = workspace;
  const began = clock.monotonic();
  const { counts, warnings } = await reading(() => readChanges(workspace, options, watch));
  // Whoever rebuilds wants nothing left of files that are gone.
  if (options.rebuild && !options.only && !options.dryRun) workspace.forgetUnused();
  const embed = options.embed !== false && !options.dryRun;
  const embedded = embed ? await embedding(() => embedOrWarn(workspace, options, warnings, watch)) : 0;
  // Who asks for a part wants to find it soon; links concern all documents and can wait.
  if (embed && options.only) workspace.settleLinks(watch !== undefined);
  return { ...counts, embedded, warnings, milliseconds: clock.monotonic() - began };
}

async function readChanges(workspace: Workspace, options: SyncOptions, watch: CollectionWatch | undefined) {
  const { dryRun = false, signal } = options;
  signal?.throwIfAborted();
  const everything = workspace.recipeChanged();
  const unread = workspace.unread();
  const unreadScope = createPathScope(unread);
  const isCutOtherwise = (id: string) => everything || unreadScope.covers(id);
  // A part of the files cannot be brought up to date when all are cut by other rules.
  const only = everything && options.only && options.only.length > 0 ? undefined : options.only;
  const scope = only && createPathScope(only);
  const indexed = options.rebuild ? [] : [...indexedIn(workspace, only)];
  const known = new Map(indexed.map((document) => [document.id, document]));
  const pass = dryRun ? undefined : watch?.begin(scope);
  const {
    files,
    skipped: left,
    away,
  } = await listFiles(workspace.collections, {
    only,
    held: new Set(indexed.map(({ collection }) => collection)),
    pass,
    signal,
  });
  const mounts = mountsAway(workspace, !dryRun).filter(({ path }) => scope?.covers(path) !== false);
  const skipped = [...left, ...mounts];
  // Noted before reading, so that a first run that is stopped need not start over. While documents cut by other rules
  // are replaced the index is of no one recipe, and stays so if it is stopped.
  if (!dryRun && !only) workspace.noteRecipe(everything ? 'anywhere' : unread);
  const { changed, unchanged } = compare(files, known, isCutOtherwise, new Set(only));
  const missing = new Set(away.map(({ collection }) => collection));
  const isUnreadable = unreadableOf(skipped);
  const gone = indexed.filter(
    ({ id, collection }) => !files.has(id) && !missing.has(collection) && !isUnreadable(id),
  );

  const counts = { added: 0, changed: 0, renamed: 0, removed: 0, unchanged };
  const goneHashes = countBy(gone, (document) => document.hash);
  const warnings: { path: string; message: string }[] = away.map(({ collection, error }) => ({
    path: collection,
    message: `${error.message} What the index holds of it is kept.`,
  }));

  let put = 0;
  try {
    for (const [place, item] of changed.entries()) {
      signal?.throwIfAborted();
      const before = known.get(item.id);
      const content = await item.source.read(item.file.path);
      if ('reason' in content) {
        skipped.push({ ...content, path: item.id });
        if (before && content.reason !== 'unreadable') gone.push(before);
      } else if (before && before.hash === content.hash && !isCutOtherwise(item.id)) {
        counts.unchanged++;
        if (!dryRun) workspace.touch(before, item.file);
      } else {
        if (before) counts.changed++;
        else if (takeOne(goneHashes, content.hash)) counts.renamed++;
        else counts.added++;
        if (!dryRun) {
          const { document, text } = await inTurns(cutDocument(item, content, workspace), signal);
          // From here on it is in the index, and nothing stops it half-way.
          await workspace.put(document, text, before);
          warnings.push(...document.warnings.map((message) => ({ path: item.id, message })));
          options.onChange?.({ document: item.id, change: before ? 'changed' : 'added' });
        }
        if (++put % FLUSH_EVERY === 0) await workspace.flush();
      }
      options.onProgress?.({ phase: 'read', done: unchanged + place + 1, total: files.size });
    }
    for (const document of dryRun ? [] : gone) {
      workspace.remove(document.number);
      options.onChange?.({ document: document.id, change: 'removed' });
    }
  } finally {
    // Also when it is stopped: what was read can be found, and links lead to no document that has gone.
    if (!dryRun) await workspace.flush();
    if (!dryRun && !only) workspace.settleLinks(watch !== undefined);
  }
  counts.removed = gone.length - counts.renamed;
  if (!dryRun && (!only || unread.length > 0)) {
    // What cannot be had now is read when it can; the rest is not read again until then.
    const unreadable = skipped.filter(({ reason }) => reason === 'unreadable').map(({ path }) => path);
    const behind = createPathScope(indexed.map(({ id }) => id).filter(isCutOtherwise));
    const still = [...missing, ...unreadable].filter((path) => behind.covers(path) || behind.leadsInto(path));
    const elsewhere = unread.filter((path) => scope?.covers(path) === false);
    workspace.noteRecipe([...new Set([...elsewhere, ...still])]);
  }
  if (!dryRun && only?.length !== 0) workspace.finishReading(skipped, scope);
  // Not before all is read: what was stopped half-way is not what the index holds.
  pass?.end();
  return { counts: { ...counts, skipped }, warnings };
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
  warnings: { path: string; message: string }[],
  watch: CollectionWatch | undefined,
): Promise<number> {
  try {
    // Who watches answers searches, too, and has the vectors ready; who only indexes need not hold them.
    if (watch) await workspace.meaning();
    const embedded = await embedMissing(workspace, options);
    if (!options.only) await workspace.updateVocabulary(options.signal);
    noteError(workspace.store, 'embedding');
    return embedded;
  } catch (error) {
    if (!options.signal?.aborted) noteError(workspace.store, 'embedding', error);
    if (!isMeaningAway(error)) throw error;
    warnings.push({ path: '', message: `${error.message} ${error.remedy}` });
    return 0;
  }
}

/** @param named documents that are read whatever their time says: two changes may fall into one tick of the file system's clock */
function compare(
  found: ReadonlyMap<string, FoundFile>,
  known: ReadonlyMap<string, DocumentRecord>,
  isCutOtherwise: (id: string) => boolean,
  named: ReadonlySet<string>,
): { changed: FoundFile[]; unchanged: number } {
  const changed = [...found.values()].filter(({ id, file }) => {
    const before = known.get(id);
    if (named.has(id)) return true;
    if (!before || isCutOtherwise(id)) return true;
    return before.size !== file.size || before.modified !== file.modified || before.altered !== file.altered;
  });
  return { changed, unchanged: found.size - changed.length };
}

/** Tells documents that cannot be read just now, or whose folder cannot: they are kept as they were. */
function unreadableOf(skipped: readonly SkippedFile[]): (id: string) => boolean {
  const paths = new Set(skipped.filter(({ reason }) => reason === 'unreadable').map(({ path }) => path));
  return (id) => {
    for (let end = id.length; end > 0; end = id.lastIndexOf('/', end - 1)) {
      if (paths.has(id.slice(0, end))) return true;
    }
    return false;
  };
}

function countBy<T>(items: readonly T[], key: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
}

function takeOne(counts: Map<string, number>, key: string): boolean {
  const left = counts.get(key) ?? 0;
  if (left > 0) counts.set(key, left - 1);
  return left > 0;
}
