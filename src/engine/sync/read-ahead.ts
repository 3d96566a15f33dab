/** Starts work on the next items before the caller has handled the current one. */
import type { ReadBatch, TextToRead } from '../../core/read-batch.ts';
import type { BatchReader } from '../workspace/workspace-parts.ts';

/**
 * Yields results in the order of the items; works on at most `width` items at a time. When the generator ends, even early, no
 * work is running.
 */
export async function* readAhead<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  width: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<readonly [Item, Result]> {
  const waiting: { readonly item: Item; readonly result: Promise<Result> }[] = [];
  try {
    for await (const item of items) {
      const result = work(item);
      result.catch(() => {}); // an error is thrown later, when the result is awaited
      waiting.push({ item, result });
      if (waiting.length < width) continue;
      const first = waiting.shift()!;
      yield [first.item, await first.result];
    }
    for (const { item, result } of waiting) yield [item, await result];
  } finally {
    await Promise.allSettled(waiting.map(({ result }) => result));
  }
}

/** UTF-16 units of text per batch: few at first, so that searches find the first documents soon. */
const FIRST_BATCH = 100_000;
const LARGEST_BATCH = 1_000_000;

/**
 * If a batch fails, each of its texts is read again alone, so that only the texts with errors are lost.
 * @returns texts with their content, or one text with the reason why it could not be read
 */
export async function* readInBatches<Text extends TextToRead>(
  texts: AsyncIterable<Text>,
  reader: BatchReader,
  signal?: AbortSignal,
): AsyncGenerator<readonly [texts: readonly Text[], result: ReadBatch | Error]> {
  async function read(batch: readonly Text[]): Promise<ReadBatch | Error> {
    try {
      // Sends only these four fields: others hold functions, which cannot be sent to a thread.
      return await reader.read(
        batch.map(({ id, collection, path, text }) => ({ id, collection, path, text })),
      );
    } catch (error) {
      signal?.throwIfAborted();
      return error as Error;
    }
  }

  for await (const [batch, result] of readAhead(batches(texts, reader.width), reader.width, read)) {
    if (result instanceof Error && batch.length > 1)
      for (const text of batch) yield [[text], await read([text])];
    else yield [batch, result];
  }
}

async function* batches<Text extends TextToRead>(texts: AsyncIterable<Text>, width: number) {
  let batch: Text[] = [];
  let length = 0;
  let largest = FIRST_BATCH;
  for await (const text of texts) {
    batch.push(text);
    length += text.text.length;
    if (length < largest) continue;
    yield batch;
    // A reader of width 1 reads in this thread. Its batches stay small, so that the thread can answer between two batches.
    [batch, length, largest] = [[], 0, width === 1 ? FIRST_BATCH : Math.min(largest * 2, LARGEST_BATCH)];
  }
  if (batch.length > 0) yield batch;
}
