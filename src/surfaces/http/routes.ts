/** Which operations the HTTP API offers, and where. */
import type { Operation } from '../operations/operation.ts';

export interface Route {
  readonly operation: Operation;
  /** With fields of the input in braces. */
  readonly path: string;
}

export function routesOf(operations: readonly Operation[]): readonly Route[] {
  return operations.flatMap((operation) =>
    operation.http ? [{ operation, path: operation.http.path }] : [],
  );
}
