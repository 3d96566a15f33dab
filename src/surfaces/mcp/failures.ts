/** Reports failures over MCP: for a tool as an answer with `isError`, for anything else as a protocol error. */
import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { oneLine } from '../../core/text/one-line.ts';
import { toDocfuseError, toProblem } from '../operations/problem.ts';

/** Key in `_meta` for the problem document of a failed call: `type`, `title`, `status`, `detail`, `code`, `remedy`. */
const PROBLEM_KEY = 'docfuse/problem';

export function failedCall(error: unknown): CallToolResult {
  const problem = toProblem(error);
  const text = oneLine(`${problem.detail} ${problem.remedy}`);
  // No structured content: it would have to match the output schema.
  return { isError: true, content: [{ type: 'text', text }], _meta: { [PROBLEM_KEY]: problem } };
}

/** @throws {ProtocolError} that says what failed and what to do */
export function failProtocol(thrown: unknown): never {
  const { code, message, remedy } = toDocfuseError(thrown);
  const { InvalidParams, InternalError } = ProtocolErrorCode;
  throw new ProtocolError(code === 'usage' ? InvalidParams : InternalError, oneLine(`${message} ${remedy}`));
}
