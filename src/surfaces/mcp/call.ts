/** A call over MCP: its progress as notifications, and its failure as a tool answer with `isError` or as a protocol error. */
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { DocfuseError } from '../../core/errors.ts';
import { oneLine } from '../../core/text/one-line.ts';
import { PHASES } from '../operations/labels.ts';
import type { OperationControl, OperationProgress } from '../operations/operation.ts';
import { toDocfuseError, toProblem } from '../operations/problem.ts';

/** Min milliseconds between notifications. */
const EVERY_MS = 40;

/** The signal that stops an operation, and a progress callback if the client asked for one. */
export function controlOf(context: ServerContext): OperationControl {
  return { signal: context.mcpReq.signal, onProgress: progressReporter(context) };
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

/** Key in `_meta` for the problem document of a failed call: `type`, `title`, `status`, `detail`, `code`, `remedy`. */
const PROBLEM_KEY = 'docfuse/problem';

export function failedCall(error: unknown): CallToolResult {
  const problem = toProblem(error);
  const text = textForAssistant({ message: problem.detail, remedy: problem.remedy });
  // No structured content: it would have to match the output schema.
  return { isError: true, content: [{ type: 'text', text }], _meta: { [PROBLEM_KEY]: problem } };
}

/** @throws {ProtocolError} that says what failed and what to do */
export function failProtocol(thrown: unknown): never {
  const error = toDocfuseError(thrown);
  const { InvalidParams, InternalError } = ProtocolErrorCode;
  throw new ProtocolError(error.code === 'usage' ? InvalidParams : InternalError, textForAssistant(error));
}

/** Names a tool in place of a command. */
export function textForAssistant({ message, remedy }: Pick<DocfuseError, 'message' | 'remedy'>): string {
  return oneLine(`${message} ${remedy.replace('docfuse list shows', 'list_documents shows')}`);
}
