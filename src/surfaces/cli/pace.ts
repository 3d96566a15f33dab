/** How fast work goes on, and how long the rest of it will take. */
import type { OperationProgress } from '../operations/operation.ts';

export interface Pace {
  /** Things a second since the phase began. */
  readonly rate: number;
  /** Left at this pace; infinite until enough is done to tell. */
  readonly seconds: number;
}

/** Share of the work from which its pace tells that of the rest: before, a model is still being opened, and what comes first is seldom like what comes last. */
const TELLING = 0.02;

/** @param now milliseconds. @default performance.now */
export function createPace(now = () => performance.now()): (progress: OperationProgress) => Pace {
  let phase: OperationProgress['phase'] | undefined;
  let since = 0;
  let from = 0;
  return (progress) => {
    const { done, total } = progress;
    if (progress.phase !== phase) {
      phase = progress.phase;
      since = now();
      from = done;
    }
    const elapsed = (now() - since) / 1000;
    const share = ('share' in progress && progress.share) || (done - from) / (total - from);
    return {
      rate: elapsed > 0 ? (done - from) / elapsed : 0,
      seconds: share >= TELLING ? (elapsed * (1 - share)) / share : Number.POSITIVE_INFINITY,
    };
  };
}
