/** A server that only knows files, for tests of exports. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
};

export interface FileServer extends AsyncDisposable {
  readonly url: string;
  /** Paths that were asked for. */
  readonly asked: string[];
  readonly missing: string[];
  bytes: number;
  /** Content-Security-Policy of scripts. */
  policy: string;
}

/** Serves a folder below `/some/where/`. */
export async function serveFiles(folder: string): Promise<FileServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost');
    const path = decodeURIComponent(pathname).replace('/some/where/', '/');
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    served.asked.push(path);
    if (!existsSync(file)) {
      served.missing.push(path);
      response.writeHead(404).end();
      return;
    }
    const content = readFileSync(file);
    served.bytes += content.length;
    response
      .writeHead(200, {
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
        ...(extname(file) === '.js' && { 'content-security-policy': served.policy }),
      })
      .end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const served: FileServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/where/`,
    asked: [],
    missing: [],
    bytes: 0,
    policy: '',
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return served;
}
