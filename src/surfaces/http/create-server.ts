/** The HTTP API as a function from request to response: guard, routes, limits. It opens no port. */
import { Hono } from 'hono';
import { DocfuseError } from '../../core/errors.ts';
import { type Operation, type OperationContext, runOperation } from '../operations/operation.ts';
import { operations } from '../operations/operations.ts';
import type { EventLog } from './event-log.ts';
import { createGate } from './gate.ts';
import { createGuard, type GuardOptions } from './guard.ts';
import { indexPage } from './index-page.ts';
import { openapiDocument } from './openapi.ts';
import { parametersOf } from './query-input.ts';
import { readInput } from './read-input.ts';
import { failureResponse, refuse } from './refusal.ts';
import { type Route, routesOf } from './routes.ts';

export interface ServerOptions {
  readonly context: OperationContext;
  readonly guard: GuardOptions;
  readonly version: string;
  /** Tells this run of the server from any other; shown to whoever asks for its health. */
  readonly run: string;
  /** What those who listen at `/api/events` are told. */
  readonly events: EventLog;
  /** Answers at `/mcp`, behind the guard; absent, there is nothing. */
  readonly mcp?: (request: Request) => Promise<Response>;
  readonly limits?: Limits;
}

export interface Limits {
  /** Operations at work at once. @default 8 */
  readonly running?: number;
  /** Operations waiting for their turn; any more are turned away. @default 248 */
  readonly waiting?: number;
  /** Milliseconds an operation may take, waiting included. @default 60000 */
  readonly timeMs?: number;
}

export interface HttpServer {
  fetch(request: Request): Promise<Response>;
  /** Operations that run or wait. */
  load(): number;
  /** Stops the operations that run or wait, and ends the streams of events. */
  close(): void;
}

type Answer = (request: Request, places: Readonly<Record<string, string>>) => Promise<Response>;

/** No answer is kept by anyone on the way, shown inside another page, or taken for anything but what it says it is. */
const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

export function createServer(options: ServerOptions): HttpServer {
  const { context, guard, version, run, events, mcp, limits = {} } = options;
  const { running = 8, waiting = 248, timeMs = 60_000 } = limits;
  const { check, sharing } = createGuard(guard);
  const gate = createGate({ running, waiting });
  const closing = new AbortController();
  const routes = routesOf(operations);
  const app = new Hono();

  app.use(async (c, next) => {
    c.res = check(c.req.raw) ?? (await next().then(() => c.res));
    const headers = { ...SECURITY_HEADERS, ...sharing(c.req.raw) };
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
  });

  function offer(path: string, methods: readonly string[], answer: Answer): void {
    const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
    app.on([...methods], path, (c) => answer(c.req.raw, c.req.param()));
    app.options(path, () => new Response(null, { status: 204, headers: { allow } }));
    app.all(path, ({ req }) =>
      refuse('method_not_allowed', `${req.method} is not offered here.`, `Use ${allow}.`, { allow }),
    );
  }

  for (const route of routes) {
    const answer = createAnswer(route);
    offer(route.path.replaceAll(/\{(\w+)\}/g, ':$1{.+}'), ['GET', 'POST'], answer);
  }
  offer('/api/events', ['GET'], async ({ method, headers }) => {
    const type = { 'content-type': 'text/event-stream' };
    if (method === 'HEAD') return new Response(null, { headers: type });
    const stream = events.listen(headers.get('last-event-id') ?? undefined);
    return stream
      ? new Response(stream, { headers: type })
      : refuse('overloaded', 'Too many listen already.', 'Try again later.');
  });
  const document = openapiDocument(routes, version, guard.tokens.length > 0);
  offer('/openapi.json', ['GET'], async () => Response.json(document));
  offer('/healthz', ['GET'], async () => Response.json({ status: 'ok', version, run }));
  offer(
    '/',
    ['GET'],
    async () => new Response(indexPage(routes), { headers: { 'content-type': 'text/html; charset=utf-8' } }),
  );
  if (mcp) app.all('/mcp', (c) => mcp(c.req.raw));
  app.notFound(() =>
    refuse('no_such_route', 'There is nothing here.', 'See /openapi.json for what there is.'),
  );
  app.onError((error) => failureResponse(error));

  /** One route: reads the input, waits for its turn, runs the operation within its time. */
  function createAnswer({ operation }: Route): Answer {
    const parameters = parametersOf(operation.input);
    return async (request, places) => {
      const input = await readInput(request, parameters, places);
      return input instanceof Response ? input : answer(operation, input.value, request.signal);
    };
  }

  async function answer(operation: Operation, input: unknown, gone: AbortSignal): Promise<Response> {
    const stop = new AbortController();
    const ended = () => stop.abort(interrupted());
    const { promise: stopped, resolve } = Promise.withResolvers<Response>();
    const timer = setTimeout(() => {
      resolve(refuse('took_too_long', `No answer within ${timeMs / 1000} s.`, 'Ask for less, or later.'));
      stop.abort(interrupted());
    }, timeMs);
    stop.signal.addEventListener('abort', () => resolve(failureResponse(stop.signal.reason)));
    // Listeners are taken off again: a connection may live long and carry many requests.
    for (const signal of [gone, closing.signal]) signal.addEventListener('abort', ended);
    try {
      const work = gate.run(async () => {
        stop.signal.throwIfAborted();
        return runOperation(operation, context, input, { signal: stop.signal });
      });
      if (!work) return refuse('overloaded', 'Too many requests wait already.', 'Try again in a moment.');
      // An operation may notice late that it was stopped; its caller need not wait for that.
      return await Promise.race([work.then((output) => Response.json(output), failureResponse), stopped]);
    } finally {
      clearTimeout(timer);
      for (const signal of [gone, closing.signal]) signal.removeEventListener('abort', ended);
    }
  }

  function close(): void {
    closing.abort();
    events.close();
  }

  return { fetch: async (request) => app.fetch(request), load: () => gate.size, close };
}

function interrupted(): DocfuseError {
  return new DocfuseError('aborted', 'The request was stopped.', 'Send it again.');
}
