/** Carries out the plan of a sync: reads files, then writes, touches or removes documents. */
import type { SkippedFile, SourceText } from '../../core/ports.ts';
import type { ReadBatch, TextToRead } from '../../core/read-batch.ts';
import type { SyncOptions } from '../api.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type PlannedRead, type SyncPlan, stampOf } from './plan-sync.ts';
import { readAhead, readInBatches } from './read-ahead.ts';

const OPEN_FILES = 8;
/** Number of documents written between two saves of their words. */
const FLUSH_EVERY = 1000;

/** Bytes assumed for a text of unknown size, such as a commit. */
const UNKNOWN_SIZE = 1_000;

/** A file to write to the index: its text is new or changed, or was split by older rules. */
interface NewText extends TextToRead, PlannedRead {
  readonly content: SourceText;
}

/**
 * Writes documents to the index, in the order of the plan. If stopped, only the documents that are being read are lost. With
 * `dryRun`, files are read, but nothing is written.
 * @returns counts, listed files that could not be read, stamps of those that could not be converted, and warnings
 * @throws the reason of `signal`; documents already written stay in the index
 */
export async function applyPlan(
  workspace: Workspace,
  { reads, gone: known, unchanged }: SyncPlan,
  { dryRun = false, signal, onChange, onProgress }: SyncOptions,
  unload: boolean,
) {
  const counts = { added: 0, changed: 0, renamed: 0, removed: 0, unchanged };
  const gone = [...known];
  /** Removed documents by the hash of their text. A new document with an equal hash is counted as renamed. */
  const goneByHash = Map.groupBy(known, ({ hash }) => hash);
  const skipped: SkippedFile[] = [];
  const notConverted: Record<string, string> = {};
  const warnings: { path: string; message: string }[] = [];
  let done = unchanged;
  let put = 0;
  let flushAt = 1; // saves the words of the first batch at once, so that searches find them soon

  function note(files: number): void {
    done += files;
    onProgress?.({ phase: 'read', done, total: unchanged + reads.length });
  }

  async function* newTexts(): AsyncGenerator<NewText> {
    const contents = readAhead(reads, OPEN_FILES, ({ found }) => found.source.read(found.file.path, signal));
    for await (const [planned, content] of contents) {
      signal?.throwIfAborted();
      const { before, stale } = planned;
      const { id, collection, file } = planned.found;
      if ('reason' in content) {
        skipped.push({ ...content, path: id });
        if (content.reason === 'not_converted') notConverted[id] = stampOf(file);
        if (before && content.reason !== 'unreadable') gone.push(before);
        note(1);
      } else if (before && before.hash === content.hash && !stale) {
        counts.unchanged++;
        if (!dryRun) workspace.touch(before.number, file);
        note(1);
      } else {
        yield { ...planned, id, collection, path: file.path, text: content.text, content };
      }
    }
  }

  function count({ before, content }: NewText): void {
    if (before) counts.changed++;
    else if (goneByHash.get(content.hash)?.pop()) counts.renamed++;
    else counts.added++;
    note(1);
  }

  async function putBatch(texts: readonly NewText[], { documents, words }: ReadBatch): Promise<void> {
    const batch = texts.map(({ found, content, before }, index) => {
      const { size, modified, altered } = found.file;
      const read = documents[index]!;
      const all = [...content.warnings, ...read.warnings];
      const document = { ...read, size, modified, altered, hash: content.hash, warnings: all };
      return { document, replaced: before };
    });
    // After `put`, the batch is in the index. The signal is checked only after its changes are reported.
    await workspace.put(batch, words);
    texts.forEach(count);
    for (const { document, replaced } of batch) {
      warnings.push(...document.warnings.map((message) => ({ path: document.id, message })));
      onChange?.({ document: document.id, change: replaced ? 'changed' : 'added' });
    }
    put += batch.length;
    if (put < flushAt) return;
    flushAt = put + FLUSH_EVERY;
    await workspace.flush({ unload });
  }

  if (dryRun) for await (const text of newTexts()) count(text);
  else {
    const bytes = reads.reduce((sum, { found }) => sum + (found.file.size || UNKNOWN_SIZE), 0);
    const reader = workspace.openReader(bytes, signal);
    try {
      for await (const [texts, result] of readInBatches(newTexts(), reader, signal)) {
        if (result instanceof Error) {
          skipped.push({ path: texts[0]!.id, reason: 'unreadable', detail: result.message });
          note(1);
        } else await putBatch(texts, result);
        signal?.throwIfAborted();
      }
    } finally {
      await reader.close();
    }
    const problem = reader.problem?.();
    if (problem !== undefined) warnings.push({ path: '', message: problem });
  }
  for (const document of dryRun ? [] : gone) {
    workspace.remove(document.number);
    onChange?.({ document: document.id, change: 'removed' });
  }
  counts.removed = gone.length - counts.renamed;
  return { counts, skipped, notConverted, warnings };
}
