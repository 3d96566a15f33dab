/** Failures outside tools, such as of a resource: MCP answers them with protocol errors, a code and a sentence. */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { oneLine } from '../../core/text/one-line.ts';
import { toDocfuseError } from '../operations/problem.ts';

/** @throws {ProtocolError} that says what failed and what to do */
export function failProtocol(thrown: unknown): never {
  const { code, message, remedy } = toDocfuseError(thrown);
  const { InvalidParams, InternalError } = ProtocolErrorCode;
  throw new ProtocolError(code === 'usage' ? InvalidParams : InternalError, oneLine(`${message} ${remedy}`));
}
