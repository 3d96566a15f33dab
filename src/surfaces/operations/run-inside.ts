/** An operation as a step of another one. */

import type * as z from 'zod';
import type { Immutable } from '../../core/model/camel-keys.ts';
import { type Operation, type OperationContext, type OperationControl, runOperation } from './operation.ts';

/**
 * Carries it out on the running server of the index, where there is one that is asked, else here.
 * @throws {DocfuseError} what the operation says
 */
export async function runInside<Output extends z.ZodObject>(
  context: OperationContext,
  operation: Operation<string, z.ZodObject, Output>,
  input: Readonly<Record<string, unknown>>,
  control: OperationControl,
): Promise<Immutable<z.input<Output>>> {
  const answer = await context.askServer?.(operation, input, control);
  return answer ?? runOperation(operation, context, input, control);
}
