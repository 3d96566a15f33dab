/** Sends requests to a service over HTTP and reads the answers, with time limits, retries and plain error messages. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DocfuseError } from '../../core/errors.ts';

export interface RemoteRequest {
  /** Name of the service for errors, such as `The model hub`. */
  readonly service: string;
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Value to send as JSON by POST; redirects are then not followed. @default none; the request is a GET */
  readonly json?: unknown;
  /** `manual` returns a redirect as the answer. @default follow */
  readonly redirect?: 'follow' | 'manual';
  /** Maximum milliseconds until the answer begins. @default 60,000 */
  readonly timeout?: number;
  /** Maximum number of attempts, 1 or more, if the service is busy (429, 5xx) or closes the connection. @default 5 */
  readonly attempts?: number;
  /**
   * Maximum milliseconds between two attempts. If the service asks for a longer pause, its answer is returned at once.
   * @default 60,000
   */
  readonly maxPause?: number;
  readonly signal?: AbortSignal | undefined;
}

const FIRST_PAUSE = 500;

/** Connection failures after which another attempt may succeed; a refused connection or an unknown name is final. */
const TEMPORARY = new Set(['ECONNRESET', 'EPIPE', 'EAI_AGAIN', 'UND_ERR_SOCKET']);

/**
 * Returns the answer, whatever its status. Its body is not read yet; `signal` also stops reading it.
 * @throws DocfuseError `remote` if there is no answer, `aborted` after the signal
 */
export async function request(options: RemoteRequest): Promise<Response> {
  const { attempts = 5, maxPause = 60_000, signal } = options;
  for (let attempt = 1; ; attempt += 1) {
    const last = attempt >= attempts;
    const answer = await ask(options).catch((error: unknown) => {
      throwIfAborted(options, error);
      const { message, code = '' } = reasonOf(error);
      if (!last && TEMPORARY.has(code)) return;
      throw new DocfuseError(
        'remote',
        `${options.service} cannot be reached at ${options.url.origin}: ${message || code || 'no connection'}.`,
        'Check the address and the connection; behind a proxy, set NODE_USE_ENV_PROXY=1 and HTTPS_PROXY.',
        { cause: error },
      );
    });
    if (answer && (last || !isBusy(answer.status))) return answer;
    const pause = answer ? askedPause(answer) : undefined;
    if (answer && pause !== undefined && pause > maxPause) return answer;
    await answer?.body?.cancel();
    // The pause is random, so that several clients do not retry at the same time.
    const usual = FIRST_PAUSE * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
    await sleep(pause ?? Math.min(maxPause, usual), undefined, signal ? { signal } : {}).catch((error) =>
      throwIfAborted(options, error),
    );
  }
}

/** @throws DocfuseError `aborted` after the signal */
function throwIfAborted({ service, signal }: Pick<RemoteRequest, 'service' | 'signal'>, cause: unknown) {
  if (!signal?.aborted) return;
  throw new DocfuseError(
    'aborted',
    `The request to ${lowerFirst(service)} was stopped.`,
    'Try again to continue.',
    { cause },
  );
}

async function ask(options: RemoteRequest): Promise<Response> {
  const { url, headers = {}, json, redirect = 'follow', timeout = 60_000, signal } = options;
  const patience = new AbortController();
  const timer = setTimeout(
    () => patience.abort(new Error(`no answer within ${timeout / 1000} seconds`)),
    timeout,
  );
  try {
    return await fetch(url, {
      headers: { ...headers, ...(json !== undefined && { 'content-type': 'application/json' }) },
      redirect,
      // A POST follows no redirects: its body may only go to the configured address.
      ...(json !== undefined && { method: 'POST', body: JSON.stringify(json), redirect: 'error' }),
      signal: signal ? AbortSignal.any([signal, patience.signal]) : patience.signal,
    });
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a service refuses an answer only for the moment. */
export function isBusy(status: number): boolean {
  return status === 429 || status >= 500;
}

/** Returns the milliseconds for which the service asks to wait. Its header has seconds or a date (RFC 9110, Retry-After). */
function askedPause(answer: Response): number | undefined {
  const asked = answer.headers.get('retry-after')?.trim();
  if (!asked) return undefined;
  const pause = /^\d+(\.\d+)?$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - Date.now();
  return Number.isNaN(pause) ? undefined : Math.max(0, pause);
}

/** Returns the original error of a failed connection, which `fetch` wraps in another error. */
export function reasonOf(error: unknown): NodeJS.ErrnoException {
  return error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error);
}

export interface BodyLimits {
  /** Name of the service for errors, such as `The model hub`. */
  readonly service: string;
  /** Maximum milliseconds between two pieces. @default 60,000 */
  readonly silence?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Maximum characters of an answer that is read completely. */
const MAX_TEXT = 64_000_000;

/**
 * Yields the body in pieces.
 * @throws DocfuseError `remote` if the connection breaks or is silent for too long, `aborted` after the signal
 */
export async function* piecesOf(
  answer: Response,
  { service, silence = 60_000, signal }: BodyLimits,
): AsyncGenerator<Uint8Array> {
  const reader = answer.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      let timer: NodeJS.Timeout | undefined;
      const silent = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`no data for ${silence / 1000} seconds`)), silence);
      });
      const { done, value } = await Promise.race([reader.read(), silent]).finally(() => clearTimeout(timer));
      if (done) return;
      yield value;
    }
  } catch (cause) {
    throwIfAborted({ service, signal }, cause);
    throw new DocfuseError(
      'remote',
      `The answer of ${lowerFirst(service)} broke off: ${reasonOf(cause).message}.`,
      'Try again; if it keeps happening, check the connection.',
      { cause },
    );
  } finally {
    // If the consumer stopped early, the rest is discarded.
    await reader.cancel().catch(() => {});
  }
}

/** Reads the whole body as text. @throws DocfuseError as `piecesOf`, and `remote` if the body is larger than 64 MB */
export async function readText(answer: Response, limits: BodyLimits): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of piecesOf(answer, limits)) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > MAX_TEXT) throw nonsense(limits.service, 'it is larger than 64 MB');
  }
  return text + decoder.decode();
}

/** Reads the whole body as JSON. @throws DocfuseError as `readText`, and `remote` if the body is not JSON */
export async function readJson(answer: Response, limits: BodyLimits): Promise<unknown> {
  const text = await readText(answer, limits);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw nonsense(limits.service, 'it is not JSON', cause);
  }
}

/** Returns the error for an answer that does not follow the protocol. */
export function nonsense(service: string, reason: string, cause?: unknown): DocfuseError {
  return new DocfuseError(
    'remote',
    `The answer of ${lowerFirst(service)} makes no sense: ${reason}.`,
    'Check that the address belongs to the right service.',
    { cause },
  );
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
