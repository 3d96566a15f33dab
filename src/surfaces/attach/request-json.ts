/** A question to a running server, and its answer in JSON. */
import type { IncomingMessage } from 'node:http';
import type { OperationProgress } from '../operations/operation.ts';
import { readEvents } from './read-events.ts';
import { sendRequest } from './send-request.ts';
import type { KnownServer } from './server-proof.ts';

export interface JsonRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** Asks to be told how far the work has come, where it takes long enough. */
  readonly onProgress?: ((progress: OperationProgress) => void) | undefined;
}

export interface JsonAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** @throws what the network or the signal says, or that there is no proof; an answer that is not JSON is an error, too */
export async function requestJson(
  server: KnownServer,
  { onProgress, ...request }: JsonRequest,
): Promise<JsonAnswer> {
  const accept = onProgress ? 'application/json, text/event-stream' : 'application/json';
  return readAnswer(await sendRequest(server, { ...request, accept }), onProgress);
}

async function readAnswer(
  answer: IncomingMessage,
  onProgress: JsonRequest['onProgress'],
): Promise<JsonAnswer> {
  const { statusCode = 0, headers } = answer;
  answer.setEncoding('utf8');
  if (!headers['content-type']?.startsWith('text/event-stream')) {
    let text = '';
    for await (const part of answer) text += part;
    return { status: statusCode, body: JSON.parse(text) };
  }
  for await (const { event, data } of readEvents(answer)) {
    if (event === 'progress') onProgress?.(data as OperationProgress);
    else
      return {
        status: event === 'answer' ? 200 : (data as { readonly status: number }).status,
        body: data,
      };
  }
  throw new Error('The answer ended before it was whole.');
}
