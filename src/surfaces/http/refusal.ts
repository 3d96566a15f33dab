/** Answers for requests that are refused or fail: RFC 9457 problem documents. */
import { manyLines } from '../../core/text/one-line.ts';
import { type Problem, problemOf } from '../operations/problem.ts';

/** Codes of failures that the server reports itself; the others come from operations. */
export type RefusalCode = keyof typeof CATALOGUE;

type Headers = Readonly<Record<string, string>>;

const CATALOGUE = {
  malformed: [400, 'Malformed request'],
  unauthorized: [401, 'Token missing or wrong'],
  refused: [403, 'Refused'],
  no_such_route: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  request_timeout: [408, 'Request too slow'],
  body_too_large: [413, 'Body too large'],
  unsupported_type: [415, 'Unsupported media type'],
  headers_too_large: [431, 'Headers too large'],
  overloaded: [503, 'Too many requests at once'],
  stopping: [503, 'Server is stopping'],
  took_too_long: [503, 'Took too long'],
} as const;

/**
 * @param detail one sentence on what is wrong
 * @param remedy one sentence on what to do
 */
export function describeRefusal(code: RefusalCode, detail: string, remedy: string): Problem<RefusalCode> {
  return problemOf(code, CATALOGUE[code], detail, remedy);
}

export function refuse(code: RefusalCode, detail: string, remedy: string, headers: Headers = {}): Response {
  return problemResponse(describeRefusal(code, detail, remedy), headers);
}

/** Whether a request prefers text: `text/plain` is first in its Accept header. */
export function readsText({ headers }: Request): boolean {
  return /^ *text\/plain\b/i.test(headers.get('accept') ?? '');
}

/** Turns a problem document into the text that a terminal shows, if the request prefers text. Other responses stay unchanged. */
export async function asRead(request: Request, response: Response): Promise<Response> {
  if (response.headers.get('content-type') !== PROBLEM || !readsText(request)) return response;
  const { detail, remedy } = (await response.json()) as Problem<string>;
  const headers = new Headers(response.headers);
  headers.set('content-type', 'text/plain; charset=utf-8');
  return new Response(manyLines(`error: ${detail}\n${remedy}\n`), { status: response.status, headers });
}

const PROBLEM = 'application/problem+json';

/** Headers of every answer: no cache stores the answer, no page of another site shows it, and no browser guesses its type. */
export const SECURITY_HEADERS: Headers = {
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Headers of a problem document. With status 503, a client may try again after a second. */
export function problemHeaders({ status }: Problem<string>): Headers {
  return { ...SECURITY_HEADERS, 'content-type': PROBLEM, ...(status === 503 && { 'retry-after': '1' }) };
}

export function problemResponse(problem: Problem<string>, headers: Headers = {}): Response {
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { ...problemHeaders(problem), ...headers },
  });
}

/** A refusal as the text of a whole HTTP response that ends the connection, for requests that reach no route. */
export function rawRefusal(...[code, detail, remedy, headers = {}]: Parameters<typeof refuse>): string {
  const problem = describeRefusal(code, detail, remedy);
  const body = JSON.stringify(problem);
  const lines = {
    ...problemHeaders(problem),
    ...headers,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  return [
    `HTTP/1.1 ${problem.status} ${problem.title}`,
    ...Object.entries(lines).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
}
