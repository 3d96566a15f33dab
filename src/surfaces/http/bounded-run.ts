/** Carries operations out a few at a time, each within its time, whatever surface asks for them. */
import { DocfuseError } from '../../core/errors.ts';
import {
  type Operation,
  type OperationContext,
  type OperationControl,
  runOperation,
} from '../operations/operation.ts';
import { type Problem, toProblem } from '../operations/problem.ts';
import { createGate } from './gate.ts';
import { describeRefusal } from './refusal.ts';

export interface Limits {
  /** Operations at work at once. @default 8 */
  readonly running?: number;
  /** Operations waiting for their turn; any more are turned away. @default 248 */
  readonly waiting?: number;
  /** Milliseconds an operation may take, waiting included. @default 60000 */
  readonly timeMs?: number;
}

/** The outcome of an operation; it also fails if it was not let in or took too long. */
export type Outcome = { readonly output: unknown } | { readonly problem: Problem<string> };

export interface BoundedRun {
  perform(operation: Operation, input: unknown, control?: OperationControl): Promise<Outcome>;
  /** Operations that run or wait. */
  load(): number;
}

/** @param closing stops all that run or wait */
export function createBoundedRun(
  context: OperationContext,
  closing: AbortSignal,
  { running = 8, waiting = 248, timeMs = 60_000 }: Limits = {},
): BoundedRun {
  const gate = createGate({ running, waiting });

  async function perform(
    operation: Operation,
    input: unknown,
    { signal: gone, ...control }: OperationControl = {},
  ): Promise<Outcome> {
    const stop = new AbortController();
    const ended = () => stop.abort(interrupted());
    const { promise: stopped, resolve } = Promise.withResolvers<Outcome>();
    const timer = setTimeout(() => {
      const detail = `No answer within ${timeMs / 1000} s.`;
      resolve({ problem: describeRefusal('took_too_long', detail, 'Ask for less, or later.') });
      stop.abort(interrupted());
    }, timeMs);
    stop.signal.addEventListener('abort', () => resolve({ problem: toProblem(stop.signal.reason) }));
    // Listeners are taken off again: a connection may live long and carry many requests.
    for (const signal of [gone, closing]) signal?.addEventListener('abort', ended);
    if (gone?.aborted || closing.aborted) ended();
    try {
      const work = gate.run(async () => {
        stop.signal.throwIfAborted();
        return runOperation(operation, context, input, { ...control, signal: stop.signal });
      }, stop.signal);
      if (!work) {
        const detail = 'Too many requests wait already.';
        return { problem: describeRefusal('overloaded', detail, 'Try again in a moment.') };
      }
      const outcome: Promise<Outcome> = work.then(
        (output) => ({ output }),
        (error) => ({ problem: toProblem(error) }),
      );
      // An operation may notice late that it was stopped; its caller need not wait for that.
      return await Promise.race([outcome, stopped]);
    } finally {
      clearTimeout(timer);
      for (const signal of [gone, closing]) signal?.removeEventListener('abort', ended);
    }
  }

  return { perform, load: () => gate.size };
}

function interrupted(): DocfuseError {
  return new DocfuseError('aborted', 'The request was stopped.', 'Send it again.');
}
