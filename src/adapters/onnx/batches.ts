/** Runs requests in batches: a batch holds the requests that were waiting when the batch before it ended. */

/** Max requests per batch: half as many as a server answers at once, so that one half is ranked while the other is embedded. */
const MAX_REQUESTS = 4;

/**
 * Makes a function that returns the result of one request. If nothing is running, the request runs at once, alone: a thread works on it
 * while the caller goes on.
 * @param run returns one result per request, in order. If it rejects, all requests of the batch reject with this error
 */
export function createBatches<Request, Result>(
  run: (requests: readonly Request[]) => Promise<readonly Result[]>,
): (request: Request) => Promise<Result> {
  const waiting: (PromiseWithResolvers<Result> & { readonly request: Request })[] = [];
  let isRunning = false;

  async function runWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_REQUESTS);
      try {
        const results = await run(batch.map(({ request }) => request));
        for (const [index, { resolve }] of batch.entries()) resolve(results[index]!);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isRunning = false;
  }

  return (request) => {
    const result = Promise.withResolvers<Result>();
    waiting.push({ ...result, request });
    if (!isRunning) {
      isRunning = true;
      void runWaiting();
    }
    return result.promise;
  };
}
