/** Failures as MCP tells them: of a tool as an answer that says so, of anything else as a protocol error. */
import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { oneLine } from '../../core/text/one-line.ts';
import { toDocfuseError, toProblem } from '../operations/problem.ts';

/** Where a failed call holds its problem document: `type`, `title`, `status`, `detail`, `code`, `remedy`. */
const PROBLEM_KEY = 'docfuse/problem';

export function failedCall(error: unknown): CallToolResult {
  const problem = toProblem(error);
  const text = oneLine(`${problem.detail} ${problem.remedy}`);
  // Structured content belongs to the output schema, which a failure does not fit.
  return { isError: true, content: [{ type: 'text', text }], _meta: { [PROBLEM_KEY]: problem } };
}

/** @throws {ProtocolError} that says what failed and what to do */
export function failProtocol(thrown: unknown): never {
  const { code, message, remedy } = toDocfuseError(thrown);
  const { InvalidParams, InternalError } = ProtocolErrorCode;
  throw new ProtocolError(code === 'usage' ? InvalidParams : InternalError, oneLine(`${message} ${remedy}`));
}
