/** Code of a reading thread: for each batch of texts, it answers with the documents and words to store. */
import { parentPort, workerData } from 'node:worker_threads';
import { loadAnalyzers } from '../../adapters/languages/load-analyzers.ts';
import type { ChunkingSettings } from '../../core/chunk/chunk-document.ts';
import { type ReadBatch, readBatch, type TextToRead } from '../../core/read-batch.ts';
import type { LanguageCode } from '../../core/text/languages.ts';
import { fastDigest, vectorKey } from '../workspace/vector-key.ts';

/** Settings of a reading thread, as plain values that can be sent to it. */
export interface ReadingSettings {
  readonly collections: readonly { readonly name: string; readonly language: LanguageCode }[];
  readonly chunking: ChunkingSettings;
}

export interface ReadRequest {
  readonly id: number;
  readonly texts: readonly TextToRead[];
}

export type ReadReply =
  /** Sent once, before the first batch is read. */
  | { readonly ready: true }
  | { readonly id: number; readonly batch: ReadBatch }
  | { readonly id: number; readonly failure: string };

const port = parentPort!;
const { collections, chunking } = workerData as ReadingSettings;
const rules = { analyzers: await loadAnalyzers(collections), chunking, hash: vectorKey, digest: fastDigest };

port.postMessage({ ready: true } satisfies ReadReply);
port.on('message', ({ id, texts }: ReadRequest) => port.postMessage(answer(id, texts)));

function answer(id: number, texts: readonly TextToRead[]): ReadReply {
  try {
    return { id, batch: readBatch(texts, rules) };
  } catch (error) {
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
}
