/** A model hub on this machine: it speaks the real one's protocol, and fails in its ways when told to. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Fault {
  /** Close the connection after so many bytes of the body, for the next `times` answers. */
  readonly cutAfter?: number;
  readonly times?: number;
  /** Answer with these bytes in place of the file. */
  readonly bytes?: Buffer;
  readonly ignoreRange?: boolean;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds of silence in the middle of the body. */
  readonly stall?: number;
}

export interface HubServer extends AsyncDisposable {
  readonly url: string;
  /** `GET /path Range Authorization` of every request, the CDN's begin with `cdn`. */
  readonly log: string[];
  /** By path in the repository, or `tree` for the listing. */
  readonly faults: Map<string, Fault>;
  readonly files: Map<string, Buffer>;
}

/** Files larger than this are stored apart: known by their SHA-256, and answered by another server. */
const LARGE = 100_000;

export async function startHub(
  model: string,
  contents: Readonly<Record<string, Buffer>>,
  { pageSize = 1000 } = {},
): Promise<HubServer> {
  const files = new Map(Object.entries(contents));
  const faults = new Map<string, Fault>();
  const log: string[] = [];

  const cdn = createServer((request, response) => {
    note('cdn', request);
    const path = decodeURIComponent(request.url!.slice(1));
    send(path, request, response);
  });
  const hub = createServer((request, response) => {
    note('', request);
    const url = new URL(request.url!, 'http://hub');
    if (url.pathname === `/api/models/${model}/tree/main`) {
      if (refused('tree', response)) return;
      const from = Number(url.searchParams.get('cursor') ?? 0);
      const entries = [...files].map(([path, bytes]) => entryOf(path, bytes));
      const next = from + pageSize < entries.length;
      response.setHeader('content-type', 'application/json');
      // As a mirror does that passes on what it got.
      if (next) {
        const link = `https://original.example/api/models/${model}/tree/main?recursive=true&cursor=${from + pageSize}`;
        response.setHeader('link', `<${link}>; rel="next"`);
      }
      response.end(
        JSON.stringify([
          { type: 'directory', path: 'onnx', size: 0, oid: 'd' },
          ...entries.slice(from, from + pageSize),
        ]),
      );
      return;
    }
    const prefix = `/${model}/resolve/main/`;
    const path = decodeURIComponent(url.pathname.slice(prefix.length));
    if (!url.pathname.startsWith(prefix) || !files.has(path)) {
      response.writeHead(url.pathname.startsWith('/api') ? 401 : 404).end('{"error":"Repository not found"}');
    } else if (files.get(path)!.length > LARGE) {
      response.writeHead(302, { location: `${addressOf(cdn)}/${encodeURIComponent(path)}` }).end();
    } else send(path, request, response);
  });

  function note(server: string, { method, url, headers }: IncomingMessage): void {
    log.push([server, method, url, headers.range, headers.authorization].filter(Boolean).join(' '));
  }

  /** The fault for this answer, used up once. */
  function take(path: string): Fault {
    const fault = faults.get(path) ?? {};
    const left = (fault.times ?? 1) - 1;
    if (left > 0) faults.set(path, { ...fault, times: left });
    else faults.delete(path);
    return fault;
  }

  function refused(path: string, response: ServerResponse, fault = take(path)): boolean {
    if (fault.status === undefined) return false;
    response.writeHead(fault.status, fault.headers).end('{"error":"told to fail"}');
    return true;
  }

  function send(path: string, request: IncomingMessage, response: ServerResponse): void {
    const fault = take(path);
    if (refused(path, response, fault)) return;
    const whole = fault.bytes ?? files.get(path)!;
    const start = fault.ignoreRange
      ? 0
      : Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const body = whole.subarray(start);
    response.writeHead(start > 0 ? 206 : 200, {
      'content-length': body.length,
      ...(start > 0 && { 'content-range': `bytes ${start}-${whole.length - 1}/${whole.length}` }),
    });
    if (fault.stall !== undefined) {
      response.write(body.subarray(0, 10));
      setTimeout(() => response.end(body.subarray(10)), fault.stall).unref();
    } else if (fault.cutAfter === undefined) response.end(body);
    else response.write(body.subarray(0, fault.cutAfter), () => response.destroy());
  }

  await Promise.all([listen(hub), listen(cdn)]);
  return {
    url: addressOf(hub),
    log,
    faults,
    files,
    async [Symbol.asyncDispose]() {
      for (const server of [hub, cdn]) {
        server.closeAllConnections();
        await new Promise((done) => server.close(done));
      }
    },
  };
}

function entryOf(path: string, bytes: Buffer) {
  const oid = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
  const lfs = { oid: createHash('sha256').update(bytes).digest('hex'), size: bytes.length, pointerSize: 134 };
  return { type: 'file', path, size: bytes.length, oid, ...(bytes.length > LARGE && { lfs }) };
}

function listen(server: ReturnType<typeof createServer>): Promise<void> {
  return new Promise((done) => server.listen(0, '127.0.0.1', done));
}

function addressOf(server: ReturnType<typeof createServer>): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
