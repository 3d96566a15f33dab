/** Loads ONNX Runtime on first use, so that everything else works on a machine where it could not be installed. */
import { availableParallelism } from 'node:os';
import { DocfuseError } from '../../core/errors.ts';

export type Runtime = typeof import('onnxruntime-node');
export type Session = Awaited<ReturnType<Runtime['InferenceSession']['create']>>;

/**
 * The native library, loaded once a thread.
 * @throws DocfuseError `runtime_missing` when the package is absent or does not load on this machine
 */
export async function loadRuntime(): Promise<Runtime> {
  // Without it the library keeps a log of its use in the user's cache folder and sends it to its maker. It is read when
  // the library loads, from the environment of the process, which worker threads must therefore share.
  process.env.ORT_DISABLE_TELEMETRY = '1';
  try {
    const runtime = await import('onnxruntime-node');
    runtime.env.logLevel = 'error';
    return runtime;
  } catch (cause) {
    throw unavailable(cause);
  }
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

function unavailable(cause: unknown): DocfuseError {
  const absent = (cause as { code?: string }).code === 'ERR_MODULE_NOT_FOUND';
  return absent
    ? new DocfuseError(
        'runtime_missing',
        'ONNX Runtime, which runs the embedding model, is not installed.',
        'Install docfuse again with `npm install --ignore-scripts` (its own install script needs the network), or search by words alone with `--mode keyword`.',
        { cause },
      )
    : new DocfuseError(
        'runtime_missing',
        `ONNX Runtime does not load on ${process.platform}-${process.arch}: ${firstLine(cause)}`,
        'Run `npm install --ignore-scripts onnxruntime-node` again; where no build exists for the machine, search by words alone with `--mode keyword`.',
        { cause },
      );
}

function firstLine(cause: unknown): string {
  return String(cause instanceof Error ? cause.message : cause).split('\n', 1)[0] ?? '';
}
