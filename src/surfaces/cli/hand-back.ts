/** Gives the system back what reading many files has left in memory, before the model takes its share. */
import type { OperationProgress } from '../operations/operation.ts';

/** Passages to embed from which on it is worth its tenth of a second. */
const MANY = 1_000;

/** Passes progress on; collects what is no longer used when embedding many passages begins, for that allocates too little to set it off. */
export function handBackBeforeEmbedding(
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

/** Only a context made while the flag is set has the function. */
function collectGarbage(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  const { runInNewContext } = process.getBuiltinModule('node:vm');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: object) => void;
  setFlagsFromString('--no-expose-gc');
  // Any other flavour keeps the emptied pages for objects to come.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
