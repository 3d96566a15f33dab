/** A thread of the pool: receives groups of texts and encodes one group after the other, with its own session. */
import { on } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { DocfuseError } from '../../core/errors.ts';
import { openCrossEncoder } from './cross-encoder.ts';
import type { ModelFiles } from './model-files.ts';
import type { ModelFolder } from './model-folder.ts';
import { type RunGate, throughGate } from './run-gate.ts';
import { createTextEncoder } from './text-encoder.ts';

export interface ModelWorkerData {
  readonly model: ModelOfPool;
  readonly gate: RunGate;
}

/** An embedding model or a cross-encoder. In a cross-encoder, a text is a pair (`pairText`), and a vector is one number. */
export type ModelOfPool =
  | { readonly kind: 'embedding'; readonly files: ModelFolder }
  | { readonly kind: 'reranking'; readonly files: ModelFiles };

export interface ModelRequest {
  readonly id: number;
  readonly texts: readonly string[];
}

export type ModelReply =
  | { readonly id: number; readonly vectors: Float32Array<ArrayBuffer> }
  | { readonly id: number; readonly failure: Failure };

/** The parts of an error that are sent: messages between threads do not keep the class of an error. */
type Failure = Pick<DocfuseError, 'code' | 'message' | 'remedy'>;

const port = parentPort!;
const { model, gate } = workerData as ModelWorkerData;
const opening = throughGate(gate, () =>
  model.kind === 'embedding' ? createTextEncoder(model.files) : openCrossEncoder(model.files),
);
// Every request reports a failed opening. Without this line, the rejection would end the thread before the first request.
opening.catch(() => {});

await answerAll();

async function answerAll(): Promise<void> {
  // Reading the tokenizer leaves half of the heap as garbage. It is collected after the first answer, for which somebody may wait.
  let hasGarbage = true;
  for await (const [request] of on(port, 'message') as AsyncIterable<[ModelRequest]>) {
    const reply = await answer(request);
    port.postMessage(reply, 'vectors' in reply ? [reply.vectors.buffer] : []);
    if (hasGarbage) hasGarbage = !collectGarbage();
  }
}

async function answer({ id, texts }: ModelRequest): Promise<ModelReply> {
  try {
    const encoder = await opening;
    return { id, vectors: await encoder.encode(texts, (run) => throughGate(gate, run)) };
  } catch (error) {
    return { id, failure: describe(error) };
  }
}

/** Like the function in src/surfaces/cli/garbage.ts. Returns false if another thread has unset the flag meanwhile. */
function collectGarbage(): boolean {
  let collect = globalThis.gc;
  // The program around this thread may have set the flag: then it stays.
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('globalThis.gc') as typeof collect;
    setFlagsFromString('--no-expose-gc');
  }
  collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  return collect !== undefined;
}

function describe(error: unknown): Failure {
  if (error instanceof DocfuseError)
    return { code: error.code, message: error.message, remedy: error.remedy };
  const reason = error instanceof Error ? error.message : String(error);
  return {
    code: 'internal',
    message: `The model failed: ${reason}`,
    remedy: 'Try again; if it keeps failing, report it with this message.',
  };
}
