/** Loads ONNX Runtime on first use: docfuse works without it, except for models. */
import { availableParallelism } from 'node:os';
import { DocfuseError } from '../../core/errors.ts';

export type Runtime = typeof import('onnxruntime-node');
export type Session = Awaited<ReturnType<Runtime['InferenceSession']['create']>>;

const PLATFORM = `${process.platform}-${process.arch}`;

/**
 * The packages that may hold the runtime, best first: the native one that npm installs along with docfuse (made by
 * scripts/make-runtime-packages.ts), the official one, which the development tree has, and WebAssembly.
 */
const PACKAGES = [`@docfuse/onnxruntime-${PLATFORM}`, 'onnxruntime-node', 'onnxruntime-web'];

/**
 * The library, loaded once a thread.
 * @throws DocfuseError `runtime_missing` when no package of it is installed or none loads on this machine
 */
export async function loadRuntime(): Promise<Runtime> {
  // Without it the library keeps a log of its use in the user's cache folder and sends it to its maker. It is read when
  // the library loads, from the environment of the process, which worker threads must therefore share.
  process.env.ORT_DISABLE_TELEMETRY = '1';
  /** Why the first installed package did not load. */
  let failure: unknown;
  for (const name of PACKAGES) {
    try {
      const runtime: Runtime = await import(name);
      runtime.env.logLevel = 'error';
      // WebAssembly would start threads of its own in each of our workers.
      runtime.env.wasm.numThreads = 1;
      return runtime;
    } catch (cause) {
      if ((cause as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') failure ??= cause;
    }
  }
  throw new DocfuseError(
    'runtime_missing',
    failure === undefined
      ? `ONNX Runtime, which runs the embedding model, is not installed for ${PLATFORM}.`
      : `ONNX Runtime does not load on ${PLATFORM}: ${firstLine(failure)}`,
    'Add the package `onnxruntime-web` the way docfuse was installed (`npm install onnxruntime-web`, with `-g` if docfuse was), or search by words alone with `--mode keyword`.',
    { cause: failure },
  );
}

/**
 * Opens a model on the CPU.
 * @param threads threads of one run, 1 or more
 * @throws DocfuseError `model_invalid` when the file is not a model this runtime can run
 */
export async function openSession(runtime: Runtime, file: string, threads = 1): Promise<Session> {
  try {
    return await runtime.InferenceSession.create(file, {
      executionProviders: ['cpu'],
      executionMode: 'sequential',
      graphOptimizationLevel: 'all',
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      // Batches differ in shape, so a memory plan for each would only cost memory.
      enableMemPattern: false,
      // Idle threads sleep: spinning would take the cores from whatever runs between two queries.
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    });
  } catch (cause) {
    throw new DocfuseError(
      'model_invalid',
      `${file} is not a model that ONNX Runtime can open: ${firstLine(cause)}`,
      'Fetch the file again; a file of a few hundred bytes may be a Git LFS pointer (`git lfs pull`).',
      { cause },
    );
  }
}

/** Threads of one run over many texts: one a core. Beyond four, memory is the limit. */
export function usualThreads(): number {
  return Math.min(availableParallelism(), 4);
}

function firstLine(cause: unknown): string {
  return String(cause instanceof Error ? cause.message : cause).split('\n', 1)[0] ?? '';
}
