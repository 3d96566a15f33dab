/** The outcome of an operation as a response; a client that accepts server-sent events is told of progress meanwhile. */
import type { OperationControl, OperationProgress } from '../operations/operation.ts';
import type { Outcome } from './bounded-run.ts';
import { createEventStream, type EventStream, eventText } from './event-log.ts';
import { problemResponse, readsText } from './refusal.ts';

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
      events.send(eventText('progress', progress));
    });
    perform({ signal, onProgress }).then((outcome) => {
      if (!events) return resolve(toResponse(outcome));
      events.send(
        'output' in outcome ? eventText('answer', outcome.output) : eventText('problem', outcome.problem),
      );
      events.end();
    }, reject);
  });
}

function toResponse(outcome: Outcome): Response {
  return 'output' in outcome ? Response.json(outcome.output) : problemResponse(outcome.problem);
}

/** Passes on the first and the last call of a phase, and in between at most one in `everyMs`. */
export function throttle<Progress extends Pick<OperationProgress, 'done' | 'total'>>(
  everyMs: number,
  tell: (progress: Progress) => void,
): (progress: Progress) => void {
  let next = 0;
  return (progress) => {
    const now = performance.now();
    if (now < next && progress.done < progress.total) return;
    next = now + everyMs;
    tell(progress);
  };
}
