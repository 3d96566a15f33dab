/** Asks one web site for files: obeys its robots.txt, pauses between requests, and never leaves its origin. */
import { setTimeout as sleep } from 'node:timers/promises';
import robots from 'robots-parser';
import { DocfuseError } from '../../core/errors.ts';
import { isBusy, piecesOf, request } from '../remote/request.ts';

export interface VisitorOptions {
  /** Origin of the site, such as `https://example.org`. */
  readonly origin: string;
  /** Such as `docfuse/0.1.0`. The part before `/` is the name that robots.txt may address. */
  readonly userAgent: string;
  /** Min milliseconds between the starts of two requests. robots.txt may ask for more. */
  readonly pauseMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Visit {
  /** 2xx or 304. */
  readonly status: number;
  /** Address after redirects. */
  readonly url: URL;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

/** Why there is nothing to read, as the end of a sentence that begins with the address. */
export interface NoVisit {
  readonly problem: string;
  /** Absent if the site did not answer, or the request was not sent. */
  readonly status?: number;
}

export type Visitor = Awaited<ReturnType<typeof openVisitor>>;

const SERVICE = 'The site';
const MAX_REDIRECTS = 5;
const MAX_BYTES = 10 * 2 ** 20;
const MAX_BODY_MS = 60_000;
/** Max milliseconds until an answer begins, and between two pieces of it. */
const MAX_SILENCE_MS = 30_000;
/** Max seconds between two requests. If robots.txt asks for more, the site is not read. */
const MAX_CRAWL_DELAY = 120;

/** The types of this CommonJS package describe a module with a default export. */
const parseRobots = robots as unknown as typeof robots.default;

/** Reads robots.txt. @throws DocfuseError `remote` if it cannot be read, or asks for pauses of more than two minutes; `aborted` */
export async function openVisitor(options: VisitorOptions) {
  const { origin, userAgent, signal } = options;
  const file = new URL('/robots.txt', origin);
  let pauseMs = options.pauseMs;
  let nextAt = 0;

  async function visit(
    url: URL,
    headers: Readonly<Record<string, string>>,
    isAllowed: (url: URL) => boolean,
  ): Promise<Visit | NoVisit> {
    let place = url;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      if (place.origin !== origin) return { problem: `leads to another site, ${place.origin}` };
      if (!isAllowed(place)) return { problem: 'is disallowed by robots.txt' };
      await takeTurn();
      const answer = await request({
        service: SERVICE,
        url: place,
        headers: { ...headers, 'user-agent': userAgent },
        signal,
        redirect: 'manual',
        timeout: MAX_SILENCE_MS,
        attempts: 3,
      });
      const isRedirect = answer.status >= 300 && answer.status < 400 && answer.status !== 304;
      const target = isRedirect && URL.parse(answer.headers.get('location') ?? '', place.href);
      if (!target) return read(answer, place, signal);
      await answer.body?.cancel();
      place = target;
    }
    return { problem: `redirects more than ${MAX_REDIRECTS} times` };
  }

  async function takeTurn(): Promise<void> {
    const wait = nextAt - performance.now();
    if (wait > 0) await sleep(wait, undefined, signal ? { signal } : {});
    nextAt = performance.now() + pauseMs;
  }

  const answer = await visit(file, {}, () => true);
  const { status = 404 } = answer;
  // RFC 9309, 2.3.1: without robots.txt everything is allowed; if the server fails, nothing is.
  if ('problem' in answer && isBusy(status))
    throw new DocfuseError('remote', `${file.href} ${answer.problem}.`, 'Try again later.');
  const rules = parseRobots(file.href, 'problem' in answer ? '' : new TextDecoder().decode(answer.bytes));
  const delay = rules.getCrawlDelay(userAgent) ?? 0;
  if (delay > MAX_CRAWL_DELAY)
    throw new DocfuseError(
      'remote',
      `${file.href} allows one request in ${delay} seconds, which takes too long.`,
      'Ask the owners of the site for another way to get its pages.',
    );
  pauseMs = Math.max(pauseMs, delay * 1000);
  const isAllowed = (url: URL) => rules.isAllowed(url.href, userAgent) !== false;

  return {
    isAllowed,
    /** Addresses of the sitemaps that robots.txt names. */
    sitemaps: rules.getSitemaps(),
    /** @throws DocfuseError `aborted` after the signal */
    get: (url: URL, headers: Readonly<Record<string, string>>) => visit(url, headers, isAllowed),
  };
}

async function read(answer: Response, url: URL, signal: AbortSignal | undefined): Promise<Visit | NoVisit> {
  const { status, headers } = answer;
  if (!answer.ok && status !== 304) {
    await answer.body?.cancel();
    return { problem: `answers with status ${status}`, status };
  }
  const pieces: Uint8Array[] = [];
  const began = performance.now();
  let size = 0;
  for await (const piece of piecesOf(answer, { service: SERVICE, silence: MAX_SILENCE_MS, signal })) {
    size += piece.byteLength;
    if (size > MAX_BYTES) return { problem: `is larger than ${MAX_BYTES / 2 ** 20} MiB`, status };
    if (performance.now() - began > MAX_BODY_MS)
      return { problem: `takes longer than ${MAX_BODY_MS / 1000} s`, status };
    pieces.push(piece);
  }
  return { status, url, headers, bytes: Buffer.concat(pieces) };
}
