/** Runs an operation on a running server. The answer is the same as if this process ran the operation. */
import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import type { Immutable } from '../../engine/wire-names.ts';
import { checkInput, type Operation, type OperationControl, type Wording } from '../operations/operation.ts';
import { fromProblem, type Problem } from '../operations/problem.ts';
import { addressOf, type KnownServer } from './discovery-file.ts';
import { readEvents } from './read-events.ts';
import { answers, sendRequest } from './send-request.ts';

/** Milliseconds between checks that the server still responds, while it works on the answer. */
const SILENCE_MS = 1_000;

/**
 * Returns the server's answer. Undefined if the caller must do the work itself: the HTTP API does not offer the operation, its
 * `http.attach` is false, or the server is gone, hangs, stops, or is not the server that wrote the discovery file.
 * @throws {DocfuseError} the error of the operation; `index_busy` if the server is overloaded; `remote` if fields of the answer
 * are missing. If `signal` is aborted, throws its reason
 */
export async function askServer<Output extends z.ZodObject>(
  server: KnownServer,
  operation: Operation<string, z.ZodObject, Output>,
  input: Readonly<Record<string, unknown>>,
  { signal, onProgress }: OperationControl = {},
  wording?: Wording,
): Promise<Immutable<z.input<Output>> | undefined> {
  if (operation.http === undefined || operation.http.attach === false) return undefined;
  checkInput(operation, input, wording);
  const { path, body } = placeFields(operation.http.path, input);
  const gone = new AbortController();
  // If the server hangs, stop waiting: the caller then does the work itself.
  const silence = setInterval(async () => {
    if (!(await answers(server))) gone.abort();
  }, SILENCE_MS);
  const accept = onProgress ? 'application/json, text/event-stream' : 'application/json';
  const stop = AbortSignal.any([gone.signal, ...(signal ? [signal] : [])]);
  const answer = await sendRequest(server, { method: 'POST', path, body, accept, signal: stop })
    .then((response) => readAnswer(response, onProgress))
    .catch(() => undefined)
    .finally(() => clearInterval(silence));
  signal?.throwIfAborted();
  if (!answer) return undefined;
  if (answer.status === 200) {
    if (isAnswer(answer.body, operation.output)) return answer.body as Immutable<z.input<Output>>;
    throw new DocfuseError(
      'remote',
      `The server at ${addressOf(server)} sent an answer without required fields.`,
      'Stop that server and start it again.',
    );
  }
  const error = fromProblem(answer.body);
  // The caller did not abort, as checked above: the server was stopped during the work.
  if (error?.code === 'aborted') return undefined;
  if (error) throw error;
  const { code, detail, remedy } = (answer.body ?? {}) as Partial<Problem<string>>;
  if (code === 'stopping') return undefined;
  // The server is overloaded. Opening a second index and model in this process would only add load.
  if (answer.status === 503 && typeof detail === 'string' && typeof remedy === 'string')
    throw new DocfuseError('index_busy', detail, remedy);
  return undefined;
}

/** @throws errors of the network; `SyntaxError` if the answer is not JSON; `Error` if a stream of events ends early */
async function readAnswer(
  answer: IncomingMessage,
  onProgress: OperationControl['onProgress'],
): Promise<{ readonly status: number; readonly body: unknown }> {
  const { statusCode = 0, headers } = answer;
  answer.setEncoding('utf8');
  if (!headers['content-type']?.startsWith('text/event-stream')) {
    let text = '';
    for await (const part of answer) text += part;
    return { status: statusCode, body: JSON.parse(text) };
  }
  for await (const { event, data } of readEvents(answer)) {
    if (event === 'progress') onProgress?.(data as never);
    else
      return {
        status: event === 'answer' ? 200 : (data as { readonly status: number }).status,
        body: data,
      };
  }
  throw new Error('The stream ended before the answer.');
}

/** Moves the fields that the path names from the body into the path. */
function placeFields(pattern: string, input: Readonly<Record<string, unknown>>) {
  const body = { ...input };
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, field: string) => {
    delete body[field];
    return encodeURIComponent(String(input[field]));
  });
  return { path, body };
}

/** Whether every required field is present. Checking values with zod would take a tenth of the time of a command. */
function isAnswer(body: unknown, { shape }: z.ZodObject): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return Object.entries(shape).every(([key, field]) => key in body || z.safeParse(field, undefined).success);
}
