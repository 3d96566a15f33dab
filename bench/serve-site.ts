/** Serves a static site as hosts do, text with gzip, and counts what is sent. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

export type Site = Awaited<ReturnType<typeof serveSite>>;

/** @param folder what `/` names */
export async function serveSite(folder: string) {
  let bytes = 0;
  let requests = 0;
  const types: Readonly<Record<string, string>> = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.css': 'text/css',
    '.json': 'application/json',
  };
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url!, 'http://localhost').pathname);
    try {
      const content = readFileSync(join(folder, path));
      const type = types[extname(path)];
      const sent = type ? gzipSync(content) : content;
      bytes += sent.length;
      requests++;
      response.writeHead(200, {
        'content-type': type ?? 'application/octet-stream',
        'cache-control': 'max-age=3600',
        ...(type && { 'content-encoding': 'gzip' }),
      });
      response.end(sent);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    count: () => ({ bytes, requests }),
    reset() {
      [bytes, requests] = [0, 0];
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
