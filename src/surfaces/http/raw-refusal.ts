/** A refusal as bytes, for connections whose request never becomes one that a route could answer. */
import { describeRefusal, RETRY_AFTER, type RefusalCode } from './refusal.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** An answer of HTTP/1.1 with a problem document, after which the connection ends. */
export function rawRefusal(
  code: RefusalCode,
  detail: string,
  remedy: string,
  headers: Readonly<Record<string, string>> = {},
): string {
  const problem = describeRefusal(code, detail, remedy);
  const body = JSON.stringify(problem);
  const retry = problem.status === 503 ? { 'Retry-After': RETRY_AFTER } : {};
  return [
    `HTTP/1.1 ${problem.status} ${problem.title}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries({ ...SECURITY_HEADERS, ...retry, ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

/** What Node's parser could not read. @param code of its error */
export function parserRefusal(code = ''): string {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return rawRefusal('request_timeout', 'The request took too long to arrive.', 'Send it in one go.');
  if (code === 'HPE_HEADER_OVERFLOW')
    return rawRefusal(
      'headers_too_large',
      'The headers are larger than 16 KiB.',
      'Send fewer or shorter ones.',
    );
  return rawRefusal('malformed', 'The request is not valid HTTP.', 'Send one well-formed request at a time.');
}
