/** How eagerly a process that holds an index collects garbage, and when it gives the system back what that frees. */
import type { OperationProgress } from '../operations/operation.ts';

const FLAGS = ['--semi-space-growth-factor=1', '--heap-growing-percent=50'] as const;

/** With this many passages to embed, a collection of a tenth of a second pays. */
const MIN_PASSAGES = 1_000;

/**
 * Keeps memory small. bin/docfuse.js does the same for all commands but `search`: a search that a server answers ends before
 * memory matters, and starts a tenth faster without it.
 */
export function collectOften(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const flag of FLAGS) setFlagsFromString(flag);
}

/** Call it once indexing is done, for faster answers: new objects are collected a tenth as often, as Node does by default. */
export function letGrow(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--semi-space-growth-factor=2');
}

/** Collects all garbage and returns the memory to the system, in a tenth of a second. */
export function collectGarbage(): void {
  // Only a context that is made while the flag is set has `gc`.
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  const { runInNewContext } = process.getBuiltinModule('node:vm');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: object) => void;
  setFlagsFromString('--no-expose-gc');
  // Other flavours keep the empty pages for later objects.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * Passes progress on, and collects garbage once when embedding of many passages begins: the garbage of reading would stay beside
 * the model, because embedding allocates too little to start a collection.
 */
export function collectBeforeEmbedding(
  onProgress: (progress: OperationProgress) => void,
): (progress: OperationProgress) => void {
  let done = false;
  return (progress) => {
    if (!done && progress.phase === 'embed' && progress.total - progress.done >= MIN_PASSAGES) {
      done = true;
      collectGarbage();
    }
    onProgress(progress);
  };
}
