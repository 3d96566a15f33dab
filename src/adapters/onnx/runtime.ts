/** Loads ONNX Runtime on first use: docfuse works without it, except for models. */
import { DocfuseError } from '../../core/errors.ts';
import type { Runtime, Session } from '../encoding/model-inputs.ts';
import { mapWeights } from './map-weights.ts';

const PLATFORM = `${process.platform}-${process.arch}`;

/**
 * Packages that may contain the runtime, best first: the native package that npm installs with docfuse (made by
 * scripts/make-runtime-packages.ts), the official package, which the development tree has, and WebAssembly.
 */
const PACKAGES = [`@docfuse/onnxruntime-${PLATFORM}`, 'onnxruntime-node', 'onnxruntime-web'];

/**
 * Returns the library, which is loaded once per thread.
 * @throws DocfuseError `runtime_missing` if none of its packages is installed, or none loads on this machine
 */
export async function loadRuntime(): Promise<Runtime> {
  // Without this variable, the library logs its use in the user's cache folder and sends the log to its maker. It reads the
  // variable when it loads, from the environment of the process, so worker threads must share that environment.
  process.env.ORT_DISABLE_TELEMETRY = '1';
  /** Why the first installed package did not load. */
  let failure: unknown;
  for (const name of PACKAGES) {
    try {
      const runtime: Runtime = await import(name);
      runtime.env.logLevel = 'error';
      // By default, WebAssembly starts several threads in each worker thread.
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
    'Install the package `onnxruntime-web` in the same way as docfuse (`npm install onnxruntime-web`, with `-g` for a global installation), or search by words alone with `--mode keyword`.',
    { cause: failure },
  );
}

/**
 * Opens a model on the CPU; a run takes one thread.
 * @param prepack arranges weights for faster runs, in a copy. For the default model, this takes 25 ms and 21 MB, and saves 6 ms of the
 * first run with a short text and 2 to 3 ms of later ones. Its vectors are the same to the last bit; those of a model that does not
 * quantize all its products differ by rounding
 * @throws DocfuseError `model_invalid` if the runtime cannot open the file
 */
export async function openSession(runtime: Runtime, file: string, prepack = true): Promise<Session> {
  const create = (model: string | Uint8Array, folder?: string) =>
    runtime.InferenceSession.create(model as string, {
      executionProviders: ['cpu'],
      executionMode: 'sequential',
      graphOptimizationLevel: 'all',
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      // A memory plan fits inputs of one shape only. Batches have many shapes, so plans would only take memory.
      enableMemPattern: false,
      extra: {
        session: {
          // Idle threads sleep: spinning threads would take processor time from other work between two queries.
          intra_op: { allow_spinning: '0' },
          disable_prepacking: prepack ? '0' : '1',
          ...(folder !== undefined && { model_external_initializers_file_folder_path: folder }),
        },
      },
    });
  // WebAssembly cannot map files.
  const mapped = runtime.env.versions.web === undefined ? mapWeights(file) : undefined;
  // If this fails, the file itself opens, or the error is about the file.
  const opened = mapped && (await create(mapped.model, mapped.folder).catch(() => undefined));
  if (opened) return opened;
  try {
    return await create(file);
  } catch (cause) {
    throw new DocfuseError(
      'model_invalid',
      `${file} is not a model that ONNX Runtime can open: ${firstLine(cause)}`,
      'Fetch the file again; a file of a few hundred bytes may be a Git LFS pointer (`git lfs pull`).',
      { cause },
    );
  }
}

function firstLine(cause: unknown): string {
  return String(cause instanceof Error ? cause.message : cause).split('\n', 1)[0] ?? '';
}
