/** Turns the outcome of an operation into a response. A client that accepts server-sent events also gets the progress. */
import type { OperationControl, OperationProgress } from '../operations/operation.ts';
import type { Outcome } from './bounded-run.ts';
import {
  createEventStream,
  type EventStream,
  eventText,
  HEARTBEAT,
  HEARTBEAT_MS,
  throttle,
} from './event-log.ts';
import { problemResponse, readsText } from './refusal.ts';

type AsText = (output: unknown) => Promise<string>;
type Perform = (control: OperationControl) => Promise<Outcome>;

const PROGRESS_EVERY_MS = 100;

/**
 * Runs an operation and responds with JSON or a problem document. If the request prefers `text/plain`, the answer is text.
 * If the request accepts `text/event-stream` and the operation reports progress, writes a text or takes longer than
 * `HEARTBEAT_MS`, the response is a stream of events: `progress` and `text`, and at the end `answer` or `problem`.
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
    const stream = () => {
      if (!events) {
        events = createEventStream();
        resolve(new Response(events.body, { headers: { 'content-type': 'text/event-stream' } }));
      }
      return events;
    };
    const onProgress = throttle(PROGRESS_EVERY_MS, (progress: OperationProgress) =>
      stream().send(eventText('progress', progress)),
    );
    const onText = (text: string) => stream().send(eventText('text', { text }));
    const heartbeat = setInterval(() => stream().send(HEARTBEAT), HEARTBEAT_MS);
    perform({ signal, onProgress, onText })
      .then((outcome) => {
        if (!events) return resolve(toResponse(outcome));
        events.send(
          'output' in outcome ? eventText('answer', outcome.output) : eventText('problem', outcome.problem),
        );
      })
      .catch(reject)
      .finally(() => {
        clearInterval(heartbeat);
        events?.end();
      });
  });
}

function toResponse(outcome: Outcome): Response {
  return 'output' in outcome ? Response.json(outcome.output) : problemResponse(outcome.problem);
}
