/** Brings an index up to date with its files: reads what changed, forgets what is gone, embeds what is new. */
import { chunkDocument } from '../core/chunk/chunk-document.ts';
import { embeddingText } from '../core/chunk/embedding-text.ts';
import { parseDocument } from '../core/markdown/parse-document.ts';
import type { DocumentRecord, SkippedFile, Source, SourceFile, SourceText } from '../core/ports.ts';
import type { SyncOptions, SyncReport } from './api.ts';
import { embedMissing } from './embed-missing.ts';
import { isMeaningAway } from './meaning.ts';
import type { Workspace } from './workspace.ts';

/** Documents whose words are gathered before they become one segment. */
const FLUSH_EVERY = 1000;

interface Found {
  readonly id: string;
  readonly collection: string;
  readonly file: SourceFile;
  readonly source: Source;
}

/**
 * Re-reads files whose size or time changed; equal content is not cut again, equal passages are not embedded again.
 * Every document is one transaction, so that stopping at any moment loses at most the one at hand.
 */
export async function sync(workspace: Workspace, options: SyncOptions): Promise<SyncReport> {
  const { store, clock } = workspace;
  const began = clock.monotonic();
  const skipped: SkippedFile[] = [];
  const found = await listAll(workspace, skipped, options.signal);
  const indexed = options.rebuild ? [] : [...store.documents()];
  const known = new Map(indexed.map((document) => [document.id, document]));
  const everything = workspace.recipeChanged();
  // Noted before reading, so that a first run that is stopped need not start over. While documents cut by other rules
  // are replaced the index is of no one recipe, and stays so if it is stopped.
  if (!options.dryRun) workspace.noteRecipe(everything ? 'mixed' : 'current');
  const { changed, unchanged } = compare(found, known, everything);
  const gone = [...known.values()].filter(
    (document) => !found.has(document.id) && !unreadable(document, skipped),
  );

  const counts = { added: 0, changed: 0, renamed: 0, removed: 0, unchanged };
  const goneHashes = countBy(gone, (document) => document.hash);
  const warnings: { path: string; message: string }[] = [];

  let done = 0;
  try {
    for (const item of changed) {
      options.signal?.throwIfAborted();
      const before = known.get(item.id);
      const content = await item.source.read(item.file.path);
      if ('reason' in content) {
        skipped.push({ ...content, path: item.id });
        if (before && content.reason !== 'unreadable') gone.push(before);
      } else if (before && before.hash === content.hash && !everything) {
        counts.unchanged++;
        if (!options.dryRun) workspace.touch(before, item.file);
      } else {
        if (before) counts.changed++;
        else if (takeOne(goneHashes, content.hash)) counts.renamed++;
        else counts.added++;
        if (!options.dryRun) {
          warnings.push(...putDocument(workspace, item, content, before));
          options.onChange?.({ document: item.id, change: before ? 'changed' : 'added' });
        }
        if (++done % FLUSH_EVERY === 0) workspace.flush();
      }
      options.onProgress?.({ phase: 'read', done: done, total: changed.length });
    }
    for (const document of options.dryRun ? [] : gone) {
      workspace.remove(document.number);
      options.onChange?.({ document: document.id, change: 'removed' });
    }
  } finally {
    // Also when it is stopped: what was read can be found, and links lead to no document that has gone.
    if (!options.dryRun) {
      workspace.settleLinks();
      workspace.flush();
    }
  }
  counts.removed = gone.length - counts.renamed;
  if (!options.dryRun) {
    const left = everything && skipped.some(({ reason }) => reason === 'unreadable');
    workspace.noteRecipe(left ? 'mixed' : 'current');
    workspace.finishReading(skipped);
  }
  const embed = options.embed !== false && !options.dryRun;
  const embedded = embed ? await embedOrWarn(workspace, options, warnings) : 0;
  return { ...counts, embedded, skipped, warnings, milliseconds: clock.monotonic() - began };
}

/** Without the runtime for models words still work, so its absence is a warning here. */
async function embedOrWarn(
  workspace: Workspace,
  options: SyncOptions,
  warnings: { path: string; message: string }[],
): Promise<number> {
  try {
    const embedded = await embedMissing(workspace, options);
    await workspace.updateVocabulary(options.signal);
    return embedded;
  } catch (error) {
    if (!isMeaningAway(error)) throw error;
    warnings.push({ path: '', message: `${error.message} ${error.remedy}` });
    return 0;
  }
}

async function listAll(
  workspace: Workspace,
  skipped: SkippedFile[],
  signal: AbortSignal | undefined,
): Promise<Map<string, Found>> {
  const found = new Map<string, Found>();
  for (const { name, source } of workspace.collections) {
    const onSkip = (file: SkippedFile) => skipped.push({ ...file, path: `${name}/${file.path}` });
    for await (const file of source.list(onSkip, signal)) {
      const id = `${name}/${file.path}`;
      found.set(id, { id, collection: name, file, source });
    }
  }
  return found;
}

function compare(
  found: ReadonlyMap<string, Found>,
  known: ReadonlyMap<string, DocumentRecord>,
  everything: boolean,
): { changed: Found[]; unchanged: number } {
  const changed = [...found.values()].filter(({ id, file }) => {
    const before = known.get(id);
    return everything || !before || before.size !== file.size || before.modified !== file.modified;
  });
  return { changed, unchanged: found.size - changed.length };
}

/** A document that cannot be read just now is kept as it was. */
function unreadable(document: DocumentRecord, skipped: readonly SkippedFile[]): boolean {
  return skipped.some(
    ({ reason, path }) =>
      reason === 'unreadable' && (document.id === path || document.id.startsWith(`${path}/`)),
  );
}

function putDocument(
  workspace: Workspace,
  item: Found,
  content: SourceText,
  replaced: DocumentRecord | undefined,
): { path: string; message: string }[] {
  const { path, modified, size } = item.file;
  const parsed = parseDocument(path, content.text);
  const { chunks, parents } = chunkDocument(item.id, parsed, workspace.chunking);
  const warnings = [...content.warnings, ...parsed.warnings];
  const { title, description, keywords, tags, aliases, author, category, date } = parsed;
  workspace.put(
    {
      id: item.id,
      collection: item.collection,
      path,
      size,
      modified,
      hash: content.hash,
      firstLine: parsed.firstLine,
      frontMatter: parsed.frontMatter,
      warnings,
      fields: {
        title,
        keywords,
        tags,
        aliases,
        ...(description === undefined ? {} : { description }),
        ...(author === undefined ? {} : { author }),
        ...(category === undefined ? {} : { category }),
        ...(date === undefined ? {} : { date }),
      },
      chunks,
      parents,
      links: parsed.links,
      vectorKeys: chunks.map((chunk) => workspace.hash(embeddingText(chunk))),
    },
    parsed.text,
    replaced,
  );
  return warnings.map((message) => ({ path: item.id, message }));
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
