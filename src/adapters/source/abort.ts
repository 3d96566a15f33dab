/** Stops reading when the user has asked for it. */
import { DocfuseError } from '../../core/errors.ts';

/** @throws DocfuseError `aborted` */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  throw new DocfuseError(
    'aborted',
    'Reading the documents was stopped.',
    'Try again; what was indexed before is kept.',
    { cause: signal.reason },
  );
}
