/** Gives the system back what reading many files has left in memory, before the model takes its share. */
import type { OperationProgress } from '../operations/operation.ts';
import { collectGarbage } from './collect-garbage.ts';

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
