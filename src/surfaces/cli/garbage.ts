/** Controls how often a process with an open index collects garbage, and when it returns freed memory to the system. */
import type { OperationProgress } from '../operations/operation.ts';

const FLAGS = ['--semi-space-growth-factor=1', '--heap-growing-percent=50'] as const;

/** Min number of passages to embed for which garbage is collected before. A collection takes a tenth of a second. */
const MIN_PASSAGES = 1_000;

/**
 * Makes Node collect garbage more often, which keeps memory small. bin/docfuse.js sets the same flags at the start, except for
 * `search`: a search that a server answers starts a tenth faster without them.
 */
export function collectOften(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const flag of FLAGS) setFlagsFromString(flag);
}

/** Bytes at which the space for new objects stops growing. By default, Node lets it grow to 134 MB. */
const MAX_NEW_SPACE = 32_000_000;
const CHECK_MS = 100;

/** After indexing, lets the space for new objects grow: new objects are collected less often, so answers are faster. */
export function letGrow(): void {
  const { getHeapSpaceStatistics, setFlagsFromString } = process.getBuiltinModule('node:v8');
  setFlagsFromString('--semi-space-growth-factor=2');
  const check = setInterval(() => {
    const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    if (space !== undefined && space.space_size < MAX_NEW_SPACE) return;
    setFlagsFromString(FLAGS[0]);
    clearInterval(check);
  }, CHECK_MS);
  check.unref();
}

/** Collects all garbage and returns the memory to the system, in a tenth of a second. */
export function collectGarbage(): void {
  // `gc` exists only in a context that is made while the flag is set. Another thread may unset it meanwhile: then nothing is collected.
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  const { runInNewContext } = process.getBuiltinModule('node:vm');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('globalThis.gc') as ((how: object) => void) | undefined;
  setFlagsFromString('--no-expose-gc');
  // With V8's other values of `flavor`, empty pages are not returned to the system.
  collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * Passes progress on, and collects garbage once, when embedding of many passages begins. Embedding allocates too little to
 * start a collection, so the garbage of reading would stay in memory beside the model.
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
