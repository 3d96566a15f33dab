/** Stopped work fails with the reason for which it was stopped. */

/** Replaces the error of stopped work by the reason of its signal. */
export async function withReason<T>(work: Promise<T> | T, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  }
}
