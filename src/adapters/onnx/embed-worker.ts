/** A thread of the pool: receives groups of passages and embeds one group after the other, with its own session. */
import { on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { DocfuseError } from '../../core/errors.ts';
import type { ModelFolder } from './model-folder.ts';
import { type RunGate, throughGate } from './run-gate.ts';
import { createTextEncoder } from './text-encoder.ts';

export interface EmbedWorkerData {
  readonly model: ModelFolder;
  readonly gate: RunGate;
}

export interface EmbedRequest {
  readonly id: number;
  readonly texts: readonly string[];
}

export type EmbedReply =
  | { readonly id: number; readonly vectors: Float32Array<ArrayBuffer> }
  | { readonly id: number; readonly failure: Failure };

/** Parts of an error: messages between threads do not keep its class. */
type Failure = Pick<DocfuseError, 'code' | 'message' | 'remedy'>;

const port = parentPort!;
const { model, gate } = workerData as EmbedWorkerData;
const opening = throughGate(gate, () => createTextEncoder(model));
// Every request reports a failed opening. Without this line, the rejection would end the thread before the first request.
opening.catch(() => {});

for await (const [request] of on(port, 'message') as AsyncIterable<[EmbedRequest]>) {
  const reply = await answer(request);
  port.postMessage(reply, 'vectors' in reply ? [reply.vectors.buffer] : []);
}

async function answer({ id, texts }: EmbedRequest): Promise<EmbedReply> {
  try {
    const encoder = await opening;
    return { id, vectors: await encoder.encode(texts, (run) => throughGate(gate, run)) };
  } catch (error) {
    return { id, failure: describe(error) };
  }
}

function describe(error: unknown): Failure {
  if (error instanceof DocfuseError)
    return { code: error.code, message: error.message, remedy: error.remedy };
  const reason = error instanceof Error ? error.message : String(error);
  return {
    code: 'internal',
    message: `The embedding model failed: ${reason}`,
    remedy: 'Try again; if it keeps failing, report it with this message.',
  };
}
