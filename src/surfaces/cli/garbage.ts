/** How eagerly a process that holds an index collects garbage, and when it gives the system back what that frees. */
import type { OperationProgress } from '../operations/operation.ts';

const FLAGS = ['--semi-space-growth-factor=1', '--heap-growing-percent=50'] as const;

/** Passages to embed from which on it is worth a tenth of a second to collect before. */
const MANY = 1_000;

/**
 * Keeps memory small, as bin/docfuse.js does for all commands but a search: one that a server answers is over before this
 * matters, and starts a tenth faster without.
 */
export function collectOften(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const flag of FLAGS) setFlagsFromString(flag);
}

/** Once nothing is left to index, answers matter: new objects may pile up as Node has it, and are looked at a tenth as often. */
export function letGrow(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--semi-space-growth-factor=2');
}

/** Gives the system back what objects no longer used have left in memory; it takes a tenth of a second. */
export function collectGarbage(): void {
  // Only a context made while the flag is set has the function.
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  const { runInNewContext } = process.getBuiltinModule('node:vm');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: object) => void;
  setFlagsFromString('--no-expose-gc');
  // Any other flavour keeps the emptied pages for objects to come.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * Passes progress on; when embedding many passages begins, gives back what reading has left, before the model takes its share:
 * embedding allocates too little to set that off.
 */
export function collectBeforeEmbedding(
  onProgress: (progress: OperationProgress) => void,
): (progress: OperationProgress) => void {
  let done = false;
  return (progress) => {
    if (!done && progress.phase === 'embed' && progress.total - progress.done >= MANY) {
      done = true;
      collectGarbage();
    }
    onProgress(progress);
  };
}
