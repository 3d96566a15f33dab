/** One request as bytes on a connection of its own, and what a refusal looks like. */
import { expect } from 'vitest';
import { type Served, sendBytes, statusesOf } from './served.ts';

export const GET = 'GET /api/status HTTP/1.1';

/** Something only an answer to an allowed request for `GET` holds. */
export const SECRET = '"index_path"';

export function hostLine({ port }: Served): string {
  return `Host: 127.0.0.1:${port}`;
}

export function sendRequest({ port }: Served, lines: readonly string[], body: string): Promise<string> {
  return sendBytes(port, `${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`);
}

/** One answer with this status, a problem document, and nothing of the index. */
export function expectRefused(received: string, status: number): void {
  expect(statusesOf(received)).toEqual([status]);
  expect(received).not.toContain(SECRET);
  expect(received.toLowerCase()).toContain('content-type: application/problem+json');
  expect(received.toLowerCase()).toContain('x-content-type-options: nosniff');
  expect(received.toLowerCase()).toContain("content-security-policy: default-src 'none'");
}
