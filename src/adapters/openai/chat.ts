/** Gets answers from any service with OpenAI's `/v1/chat/completions`, piece by piece while the service writes them. */
import * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import { createThoughtFilter } from '../../core/text/thought-filter.ts';
import { type BodyLimits, nonsense, piecesOf, readJson } from '../remote/request.ts';
import { type Endpoint, refusal, type ServiceOptions, send } from './endpoint.ts';

export interface ChatRequest {
  readonly system: string;
  readonly user: string;
  readonly onText?: ((text: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const SERVICE = 'The answering service';

/** Maximum milliseconds until the first word and between two words: large models are slow on small machines. */
const PATIENCE = 180_000;

/** Maximum bytes of a stream. One event has a few hundred bytes and contains one word. */
const MAX_BYTES = 32_000_000;

/** Reasons that services give at the end of a complete answer. The protocol itself has only `stop`. */
const COMPLETE = /^(stop|stop_sequence|eos|eos_token|end_turn|complete)$/i;

const part = z.object({ content: z.string().nullish() });
const eventSchema = z.object({
  choices: z
    .array(z.object({ delta: part.nullish(), message: part.nullish(), finish_reason: z.string().nullish() }))
    .nullish(),
  error: z.union([z.string(), z.object({ message: z.string() })]).nullish(),
});

/**
 * Asks the model; `onText` gets each piece of the answer when it arrives.
 * @returns `text`: the answer, without the model's reasoning; `cut`: the service's reason for an incomplete answer, such as
 * `length`; absent for a complete answer
 * @throws DocfuseError `remote` if the service cannot be used or breaks off, `config` for a wrong address, `aborted`
 */
export async function chat(
  options: ServiceOptions,
  { system, user, onText, signal }: ChatRequest,
): Promise<{ readonly text: string; readonly cut?: string }> {
  const endpoint: Endpoint = { ...options, service: SERVICE, prefix: 'answer.' };
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ];
  const json = { model: options.model, messages, stream: true };
  const patience = { timeout: PATIENCE, attempts: 3, maxPause: 20_000, signal };
  const answer = await send(endpoint, '/chat/completions', json, patience);
  if (!answer.ok) throw await refusal(endpoint, answer);
  const limits = { service: SERVICE, silence: PATIENCE, signal };
  // Some services do not stream.
  const streams = !answer.headers.get('content-type')?.includes('application/json');
  const events = streams ? eventsOf(answer, limits) : [await readJson(answer, limits)];
  const thoughts = createThoughtFilter();
  let text = '';
  let began = false;
  let finished = !streams;
  let reason = '';
  const write = (piece: string) => {
    if (piece !== '') onText?.(piece);
    text += piece;
  };
  for await (const event of events) {
    began = true;
    if (event === DONE) {
      finished = true;
      break;
    }
    const parsed = eventSchema.safeParse(event);
    if (!parsed.success) throw nonsense(SERVICE, 'an event is not part of an answer', parsed.error);
    const { error, choices } = parsed.data;
    if (error) throw brokeOff(typeof error === 'string' ? error : error.message);
    const choice = choices?.[0];
    write(thoughts.take(choice?.delta?.content ?? choice?.message?.content ?? ''));
    reason = choice?.finish_reason || reason;
    finished ||= reason !== '';
  }
  if (!began) throw nonsense(SERVICE, 'it is not a stream of events');
  if (!finished) throw brokeOff('it ended without its last event');
  write(thoughts.rest());
  const cut = reason !== '' && !COMPLETE.test(reason);
  if (text.trim() !== '') return { text, ...(cut && { cut: reason }) };
  throw cut
    ? brokeOff(`the service cut it off before its first word (${reason})`)
    : nonsense(SERVICE, 'it holds no text');
}

const DONE = Symbol('done');

/** Yields the parsed `data:` lines of server-sent events (HTML standard, section 9.2), and `DONE` for the last event. */
async function* eventsOf(answer: Response, limits: BodyLimits): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = '';
  let bytes = 0;
  for await (const piece of piecesOf(answer, limits)) {
    bytes += piece.length;
    if (bytes > MAX_BYTES) throw nonsense(SERVICE, 'it is larger than 32 MB');
    const lines = (rest + decoder.decode(piece, { stream: true })).split(/\r\n|\r|\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      // Each event of this protocol is one line. Other lines are ignored, such as comments that keep the connection open.
      if (!line.startsWith('data:')) continue;
      const data = line.slice('data:'.length).trim();
      yield data === '[DONE]' ? DONE : parse(data);
    }
  }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw nonsense(SERVICE, 'an event is not JSON', cause);
  }
}

function brokeOff(reason: string): DocfuseError {
  return new DocfuseError(
    'remote',
    `The answer broke off: ${reason.replace(/\.$/, '')}.`,
    'Ask again. To find passages without a service, use docfuse search.',
  );
}
