/** Progress of an operation as MCP notifications, for a client that asked for them. */
import type { ServerContext } from '@modelcontextprotocol/server';
import { PHASES } from '../operations/labels.ts';
import type { OperationControl, OperationProgress } from '../operations/operation.ts';

/** Min milliseconds between notifications. */
const EVERY_MS = 40;

/** The signal that stops an operation, and a progress callback if the client asked for one. */
export function controlOf(context: ServerContext): OperationControl {
  const onProgress = progressReporter(context);
  return { signal: context.mcpReq.signal, ...(onProgress && { onProgress }) };
}

/** Makes the progress callback; undefined if the request has no progress token. Reported values grow, also across phases. */
function progressReporter({ mcpReq }: ServerContext): OperationControl['onProgress'] {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return undefined;
  let phase: OperationProgress['phase'] | undefined;
  let before = 0;
  let last = -1;
  let next = 0;
  return ({ phase: current, done, total }) => {
    if (current !== phase) {
      phase = current;
      before = Math.max(0, last);
      next = 0;
    }
    const progress = before + done;
    const now = performance.now();
    if (progress <= last || (now < next && done < total)) return;
    last = progress;
    next = now + EVERY_MS;
    const params = { progressToken: token, progress, total: before + total, message: PHASES[current] };
    // Sending fails if the client is gone.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}
