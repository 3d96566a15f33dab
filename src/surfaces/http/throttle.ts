/** Tells of progress no more often than is of use. */
import type { OperationProgress } from '../operations/operation.ts';

/** Lets the first and the last of a phase through, and between them one every so often. */
export function throttle<Progress extends Pick<OperationProgress, 'done' | 'total'>>(
  everyMs: number,
  tell: (progress: Progress) => void,
): (progress: Progress) => void {
  let next = 0;
  return (progress) => {
    const now = performance.now();
    if (now < next && progress.done < progress.total) return;
    next = now + everyMs;
    tell(progress);
  };
}
