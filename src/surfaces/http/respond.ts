/** What became of an operation as a response; a client that takes server-sent events is told meanwhile how far it has come. */
import type { OperationControl, OperationProgress } from '../operations/operation.ts';
import type { Outcome } from './bounded-run.ts';
import { problemResponse, readsText } from './refusal.ts';
import { throttle } from './throttle.ts';

type AsText = (output: unknown) => Promise<string>;
type Perform = (control: Pick<OperationControl, 'signal' | 'onProgress'>) => Promise<Outcome>;

const PROGRESS_EVERY_MS = 100;

/**
 * JSON, or a problem document. A request that accepts `text/plain` before all else gets the text of an answer. One that accepts `text/event-stream` gets the same unless there is progress to tell before
 * the outcome; then events `progress`, and last of all `answer` or `problem`.
 */
export async function respond(request: Request, perform: Perform, asText?: AsText): Promise<Response> {
  const { signal, headers } = request;
  const accepted = headers.get('accept') ?? '';
  if (/\btext\/event-stream\b/i.test(accepted)) return respondWithProgress(signal, perform);
  const outcome = await perform({ signal });
  const reads = asText && 'output' in outcome && readsText(request);
  return reads ? new Response(await asText(outcome.output)) : toResponse(outcome);
}

function respondWithProgress(signal: AbortSignal, perform: Perform): Promise<Response> {
  return new Promise((resolve, reject) => {
    let events: EventStream | undefined;
    const onProgress = throttle(PROGRESS_EVERY_MS, (progress: OperationProgress) => {
      if (!events) {
        events = createEventStream();
        resolve(new Response(events.body, { headers: { 'content-type': 'text/event-stream' } }));
      }
      events.send('progress', progress);
    });
    perform({ signal, onProgress }).then((outcome) => {
      if (!events) return resolve(toResponse(outcome));
      if ('output' in outcome) events.send('answer', outcome.output);
      else events.send('problem', outcome.problem);
      events.end();
    }, reject);
  });
}

function toResponse(outcome: Outcome): Response {
  return 'output' in outcome ? Response.json(outcome.output) : problemResponse(outcome.problem);
}

interface EventStream {
  readonly body: ReadableStream<Uint8Array>;
  send(event: string, data: unknown): void;
  end(): void;
}

/** Drops what is sent after the reader has left. */
function createEventStream(): EventStream {
  const encoder = new TextEncoder();
  let open: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      open = controller;
    },
    cancel() {
      open = undefined;
    },
  });
  return {
    body,
    send: (event, data) =>
      open?.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)),
    end: () => open?.close(),
  };
}
