/** The HTTP API as a function from request to response: guard, routes, limits. It opens no port. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { McpServer } from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { DocfuseError } from '../../core/errors.ts';
import { isChallenge } from '../attach/server-proof.ts';
import { createMcpHttpHandler } from '../mcp/create-mcp-server.ts';
import { fieldsOf } from '../operations/fields.ts';
import type {
  AnswerOf,
  Operation,
  OperationContext,
  RunOperation,
  SearchReport,
} from '../operations/operation.ts';
import { operations } from '../operations/operations.ts';
import { fromProblem, toProblem } from '../operations/problem.ts';
import { readDocument } from '../operations/read-document.ts';
import { search, searchWithHypothesis } from '../operations/search.ts';
import { createBoundedRun, type Limits, type Outcome, type Perform } from './bounded-run.ts';
import type { EventLog } from './event-log.ts';
import { createGuard, type GuardOptions } from './guard.ts';
import { createSearchTimes, type Metrics } from './metrics.ts';
import { openapiDocument, routesOf } from './openapi.ts';
import {
  assetResponse,
  PLAIN,
  type PlainAnswer,
  type PlainText,
  pageResponse,
  pageWith,
  plainDocument,
  plainLocked,
  plainSearch,
  readPageFiles,
} from './page.ts';
import { readInput } from './read-input.ts';
import { asRead, describeRefusal, problemResponse, refuse, SECURITY_HEADERS } from './refusal.ts';
import { respond } from './respond.ts';

/** The outcome of an operation that a client requested. */
export interface Answered {
  readonly operation: string;
  /** `ok`, or the code of the problem. */
  readonly outcome: string;
  /** Time from the request to the answer, waiting included. */
  readonly milliseconds: number;
}

export interface ServerOptions {
  readonly context: OperationContext;
  readonly guard: GuardOptions;
  readonly version: string;
  /** Answers a client's challenge with a proof of this server's identity; absent if the server has no key. */
  readonly prove?: (challenge: string) => string;
  /** The events of `/api/events`. */
  readonly events: EventLog;
  /** Returns a function that makes MCP servers for `/mcp`. Guard and limits apply to `/mcp`, too. */
  readonly mcp: (run: RunOperation) => () => McpServer;
  readonly limits?: Limits;
  /** Writes an answer as text, for requests that prefer `text/plain`. @default answers are always JSON */
  readonly asText?: (operation: Operation, output: unknown) => Promise<string>;
  /** Called after each operation. */
  readonly onAnswer?: ((answered: Answered) => void) | undefined;
  readonly metrics?: Metrics | undefined;
}

export interface HttpServer {
  /** @param network network of the client; undefined for a client on this machine */
  fetch(request: Request, network?: string): Promise<Response>;
  /** Number of operations that run or wait. */
  load(): number;
  searches(): SearchReport;
  /**
   * Refuses new operations, answers `/healthz` with 503 and ends the streams of events. Resolves when no operation runs or
   * waits any more, at the latest after `maxMs` milliseconds.
   */
  drain(maxMs: number): Promise<void>;
  /** Stops the operations that run or wait, and ends the streams of events. */
  close(): void;
}

const SEARCHES: ReadonlySet<string> = new Set([search.name, searchWithHypothesis.name]);
/** Milliseconds between checks whether operations still run. */
const DRAIN_CHECK_MS = 20;
/** Max characters of a document on the plain page. */
const PLAIN_CHARS = 200_000;
const STOPPING = ['The server is stopping.', 'Send the request again in a moment.'] as const;

type Answer = (
  request: Request,
  places: Readonly<Record<string, string>>,
  network?: string,
) => Promise<Response>;

export function createServer(options: ServerOptions): HttpServer {
  const { guard, version, prove, events, limits, asText, metrics } = options;
  const context = { ...options.context, paths: false };
  const { html, assets } = readPageFiles();
  // The page and its files need no token: they contain no user data. The page asks for the token and sends it with requests.
  const { check, checkOwn, sharing } = createGuard(guard, ['/healthz', '/', ...assets.keys()]);
  const closing = new AbortController();
  let draining = false;
  const times = createSearchTimes();
  const loads: (() => number)[] = [];
  const perform = createPerform(limits);
  const routes = routesOf(operations);
  const app = new Hono<{ Bindings: { readonly network?: string | undefined } }>();

  app.use(async (c, next) => {
    c.res = check(c.req.raw) ?? (await next().then(() => c.res));
    if (asText) c.res = await asRead(c.req.raw, c.res);
    // The page and its files have their own content security policy; do not replace it.
    const own = c.res.headers.has('content-security-policy') ? {} : SECURITY_HEADERS;
    const headers = { ...own, ...sharing(c.req.raw) };
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
    metrics?.responded(c.res.status);
  });

  function offer(path: string, methods: readonly string[], answer: Answer): void {
    const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
    app.on([...methods], path, (c) => answer(c.req.raw, c.req.param(), c.env.network));
    app.options(path, () => new Response(null, { status: 204, headers: { allow } }));
    app.all(path, ({ req }) =>
      refuse('method_not_allowed', `${req.method} is not offered here.`, `Use ${allow}.`, { allow }),
    );
  }

  for (const { operation, path } of routes) {
    const methods = operation.http?.guarded ? ['POST'] : ['GET', 'POST'];
    offer(path.replaceAll(/\{(\w+)\}/g, ':$1{[\\s\\S]+}'), methods, createAnswer(operation));
  }
  offer('/api/events', ['GET'], async ({ method, headers }, _, network) => {
    const body = method === 'HEAD' ? null : events.listen(headers.get('last-event-id') ?? undefined, network);
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  });
  if (metrics) offer('/metrics', ['GET'], async () => metrics.response());
  const document = openapiDocument(routes, version, guard.tokens.length > 0);
  offer('/openapi.json', ['GET'], async () => Response.json(document));
  offer('/healthz', ['GET'], async ({ url }) => {
    const challenge = new URL(url).searchParams.get('challenge') ?? '';
    const proof = prove && isChallenge(challenge) && { proof: prove(challenge) };
    const state = draining ? 'draining' : 'ok';
    return Response.json({ status: state, version, ...proof }, { status: draining ? 503 : 200 });
  });
  offer('/', ['GET'], async (request) => {
    const { plain, status } = await plainPage(request);
    return pageResponse(pageWith(html, plain, context.server?.().judging), status);
  });
  for (const [path, asset] of assets) offer(path, ['GET'], async () => assetResponse(asset));
  const mcp = createMcpHttpHandler(options.mcp(runBounded));
  app.options('/mcp', () => new Response(null, { status: 204, headers: { allow: 'POST, OPTIONS' } }));
  app.all('/mcp', (c) => mcp.fetch(c.req.raw));
  app.notFound(() => refuse('no_such_route', 'This path does not exist.', '/openapi.json lists all paths.'));
  app.onError((error) => problemResponse(toProblem(error)));

  /** Makes a function that runs operations within the limits `own`. When the server drains, the function refuses them. */
  function createPerform(own: Limits | undefined): Perform {
    const { perform, load } = createBoundedRun(context, closing.signal, own);
    loads.push(load);
    return async (...work) => {
      const began = performance.now();
      const outcome = draining
        ? { problem: describeRefusal('stopping', ...STOPPING) }
        : await perform(...work);
      answered(work[0].name, outcome, performance.now() - began);
      return outcome;
    };
  }

  function answered(operation: string, outcome: Outcome, milliseconds: number): void {
    const code = 'problem' in outcome ? outcome.problem.code : 'ok';
    if ('output' in outcome && SEARCHES.has(operation))
      times.add((outcome.output as AnswerOf<typeof search>).mode, milliseconds);
    metrics?.answered(operation, code, milliseconds);
    options.onAnswer?.({ operation, outcome: code, milliseconds });
  }

  /** Makes the handler of a route: it reads the input, then runs the operation within the limits. */
  function createAnswer(operation: Operation): Answer {
    const fields = fieldsOf(operation);
    const guarded = operation.http?.guarded;
    // Guarded operations may take long. They have separate limits, so that they do not keep searches waiting.
    const run = guarded ? createPerform({ ...limits, ...guarded }) : perform;
    return async (request, places) => {
      const refusal = guarded && checkOwn(request);
      if (refusal) return refusal;
      const input = await readInput(request, fields, places);
      if (input instanceof Response) return input;
      const shown = asText && ((output: unknown) => asText(operation, output));
      return respond(request, (control) => run(operation, input.value, control), shown);
    };
  }

  /**
   * The page for browsers without JavaScript. It has hits or a document only if its own form or links ask for them. Other requests
   * get the empty form, because on the built page the script searches.
   */
  async function plainPage({ url, signal }: Request) {
    if (guard.tokens.length > 0) return { plain: plainLocked() };
    const { searchParams } = new URL(url);
    const query = searchParams.get('q') ?? '';
    const isAsked = html === undefined || searchParams.has(PLAIN);
    const read = isAsked && searchParams.get('doc');
    if (read) {
      const text = await perform(readDocument, { document: read, max_chars: PLAIN_CHARS }, { signal });
      return { plain: plainDocument(query, text as PlainText), status: statusOf(text) };
    }
    if (query.trim() === '' || !isAsked) return { plain: plainSearch(query, undefined) };
    const outcome = await perform(search, { query, parents: false, sync: false, wait: false }, { signal });
    return { plain: plainSearch(query, outcome as PlainAnswer), status: statusOf(outcome) };
  }

  /** Runs an operation for MCP. @throws DocfuseError instead of returning a problem */
  async function runBounded(...[operation, input, control]: Parameters<RunOperation>): Promise<never> {
    const outcome = await perform(operation, input, control);
    if ('output' in outcome) return outcome.output as never;
    const { detail, remedy } = outcome.problem;
    throw fromProblem(outcome.problem) ?? new DocfuseError('index_busy', detail, remedy);
  }

  return {
    fetch: async (request, network) => app.fetch(request, { network }),
    load: () => sum(loads),
    searches: times.report,
    async drain(maxMs) {
      draining = true;
      events.close();
      const until = performance.now() + maxMs;
      while (sum(loads) > 0 && performance.now() < until) await sleep(DRAIN_CHECK_MS);
    },
    close() {
      closing.abort();
      events.close();
      void mcp.close();
    },
  };
}

function statusOf(outcome: Outcome): number {
  return 'problem' in outcome ? outcome.problem.status : 200;
}

function sum(loads: readonly (() => number)[]): number {
  return loads.reduce((all, load) => all + load(), 0);
}
