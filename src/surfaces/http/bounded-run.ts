/** Runs the operations of HTTP and MCP requests: a limited number at the same time, each for a limited time. */
import { DocfuseError } from '../../core/errors.ts';
import {
  type Operation,
  type OperationContext,
  type OperationControl,
  runOperation,
} from '../operations/operation.ts';
import { type Problem, toProblem } from '../operations/problem.ts';
import { describeRefusal } from './refusal.ts';

export interface Limits {
  /** Max operations that run at the same time. @default 8 */
  readonly running?: number;
  /** Max operations that wait; further ones are refused. @default 248 */
  readonly waiting?: number;
  /** Max milliseconds of an operation, including the time it waits. @default 60000 */
  readonly timeMs?: number;
}

/** The output of an operation, or the problem: the operation failed, was refused or took too long. */
export type Outcome<Output = unknown> = { readonly output: Output } | { readonly problem: Problem<string> };

export type Perform = ReturnType<typeof createBoundedRun>['perform'];

/**
 * Makes a function that runs operations within the limits.
 * @param closing if aborted, stops all operations that run or wait
 */
export function createBoundedRun(
  context: OperationContext,
  closing: AbortSignal,
  { running = 8, waiting = 248, timeMs = 60_000 }: Limits = {},
) {
  const gate = createGate(running, waiting);

  async function perform(
    operation: Operation,
    input: unknown,
    { signal: gone, ...control }: OperationControl = {},
  ): Promise<Outcome> {
    const stop = new AbortController();
    const ended = () => stop.abort(new DocfuseError('aborted', 'The request was stopped.', 'Send it again.'));
    const { promise: stopped, resolve } = Promise.withResolvers<Outcome>();
    const timer = setTimeout(() => {
      const detail = `No answer within ${timeMs / 1000} s.`;
      const problem = describeRefusal('took_too_long', detail, 'Send a smaller request, or send it later.');
      resolve({ problem });
      ended();
    }, timeMs);
    stop.signal.addEventListener('abort', () => resolve({ problem: toProblem(stop.signal.reason) }));
    // These listeners are removed below: `closing` lasts as long as the server, so listeners of all requests would add up.
    for (const signal of [gone, closing]) signal?.addEventListener('abort', ended);
    if (gone?.aborted || closing.aborted) ended();
    try {
      const { signal } = stop;
      const work = gate.run(() => runOperation(operation, context, input, { ...control, signal }), signal);
      if (!work) {
        const detail = 'Too many requests are waiting.';
        return { problem: describeRefusal('overloaded', detail, 'Try again in a moment.') };
      }
      const outcome: Promise<Outcome> = work.then(
        (output) => ({ output }),
        (error) => ({ problem: toProblem(error) }),
      );
      // Do not wait for an operation that notices late that it was stopped.
      return await Promise.race([outcome, stopped]);
    } finally {
      clearTimeout(timer);
      for (const signal of [gone, closing]) signal?.removeEventListener('abort', ended);
    }
  }

  return { perform, load: () => gate.size };
}

/** Makes a gate, which limits how many tasks run at the same time and how many wait. Tasks start in the order of the calls. */
export function createGate(running: number, waiting: number) {
  const queue: (() => void)[] = [];
  let active = 0;

  function turn(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    queue.push(resolve);
    signal.addEventListener('abort', () => {
      const place = queue.indexOf(resolve);
      if (place >= 0) queue.splice(place, 1);
      reject(signal.reason);
    });
    return promise;
  }
  async function enter<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (active < running) active++;
    else await turn(signal);
    try {
      return await task();
    } finally {
      // The first waiting task takes the place of the one that ends.
      const next = queue.shift();
      if (next) next();
      else active--;
    }
  }

  return {
    /**
     * Runs a task as soon as fewer than `running` tasks run; undefined if the queue is full.
     * @param signal if aborted, a waiting task leaves the queue, and its promise rejects with the reason of the signal
     */
    run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> | undefined {
      return active >= running && queue.length >= waiting ? undefined : enter(task, signal);
    },
    /** Number of tasks that run or wait. */
    get size() {
      return active + queue.length;
    },
  };
}
