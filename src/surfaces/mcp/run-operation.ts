/** How everything MCP offers reaches an operation, whoever carries it out. */
import type * as z from 'zod';
import type { Immutable, Operation, OperationControl } from '../operations/operation.ts';

/**
 * Checks the input and carries the operation out: in this process, or on a running server.
 * @throws {DocfuseError} what the operation says
 */
export type RunOperation = <Output extends z.ZodObject>(
  operation: Operation<string, z.ZodObject, Output>,
  input: Readonly<Record<string, unknown>>,
  control?: OperationControl,
) => Promise<Immutable<z.input<Output>>>;
