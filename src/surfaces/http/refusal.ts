/** Answers for requests that never reach an operation, and for those that fail in one: RFC 9457 problem documents. */
import { type Problem, toProblem } from '../operations/problem.ts';

/** What can be wrong with a request apart from what an operation says. */
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
  took_too_long: [503, 'Took too long'],
} as const;

/** Seconds after which a client that was turned away for load may try again. */
export const RETRY_AFTER = '1';

/**
 * @param detail one sentence on what is wrong
 * @param remedy one sentence on what to do
 */
export function describeRefusal(code: RefusalCode, detail: string, remedy: string): Problem<RefusalCode> {
  const [status, title] = CATALOGUE[code];
  return { type: `urn:docfuse:error:${code}`, title, status, detail, code, remedy };
}

/** A refusal as a response. */
export function refuse(code: RefusalCode, detail: string, remedy: string, headers: Headers = {}): Response {
  return problemResponse(describeRefusal(code, detail, remedy), headers);
}

/** Any thrown value as a response. */
export function failureResponse(thrown: unknown): Response {
  return problemResponse(toProblem(thrown));
}

/** A problem document as a response. */
export function problemResponse(problem: Problem<string>, headers: Headers = {}): Response {
  const retry = problem.status === 503 ? { 'retry-after': RETRY_AFTER } : {};
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json', ...retry, ...headers },
  });
}
