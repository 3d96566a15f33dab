/** Lets a reader read texts in batches, several at a time where it can, and gives the batches back in order. */
import type { ReadBatch, TextToRead } from '../../core/read-batch.ts';
import type { BatchReader } from '../workspace/workspace-parts.ts';

/** UTF-16 units of text that are read together: little at first, so that something can be found soon. */
const FIRST_BATCH = 100_000;
const LARGEST_BATCH = 1_000_000;

export interface FinishedBatch<Text> {
  readonly texts: readonly Text[];
  /** Or why the one text of it could not be read. */
  readonly result: ReadBatch | Error;
}

/** If a batch fails, each text of it is read alone once more, so that only those at fault are lost. */
export async function* readInBatches<Text extends TextToRead>(
  texts: AsyncIterable<Text>,
  reader: BatchReader,
  signal?: AbortSignal,
): AsyncGenerator<FinishedBatch<Text>> {
  const waiting: { readonly texts: readonly Text[]; readonly reading: Promise<ReadBatch> }[] = [];
  let batch: Text[] = [];
  let length = 0;
  let largest = FIRST_BATCH;

  function send(): void {
    const reading = read(batch);
    reading.catch(() => {}); // it is awaited later, or never
    waiting.push({ texts: batch, reading });
    [batch, length, largest] = [[], 0, Math.min(largest * 2, LARGEST_BATCH)];
  }

  /** Copies these four fields: the others hold functions, which cannot be sent to a thread. */
  function read(texts: readonly Text[]): Promise<ReadBatch> {
    return reader.read(texts.map(({ id, collection, path, text }) => ({ id, collection, path, text })));
  }

  async function* finish(): AsyncGenerator<FinishedBatch<Text>> {
    const { texts, reading } = waiting.shift()!;
    const result = await settled(reading);
    if (result instanceof Error && texts.length > 1)
      for (const text of texts) yield { texts: [text], result: await settled(read([text])) };
    else yield { texts, result };
  }

  async function settled(reading: Promise<ReadBatch>): Promise<ReadBatch | Error> {
    try {
      return await reading;
    } catch (error) {
      signal?.throwIfAborted();
      return error as Error;
    }
  }

  for await (const text of texts) {
    batch.push(text);
    length += text.text.length;
    if (length < largest) continue;
    send();
    if (waiting.length >= reader.width) yield* finish();
  }
  if (batch.length > 0) send();
  while (waiting.length > 0) yield* finish();
}
