/** An npm registry on this machine: it keeps what is published to it and passes everything else on to another one. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface LocalRegistry extends AsyncDisposable {
  readonly url: string;
}

/** What npm sends when it publishes, and reads when it installs, as far as the registry looks at it. */
interface Packument {
  readonly versions: Readonly<Record<string, { readonly dist: { tarball: string } }>>;
  readonly _attachments?: Readonly<Record<string, { readonly data: string }>>;
}

const TARBALLS = '/-tarballs/';

/** @param upstream address of the registry that has everything else, with a slash at its end */
export async function startRegistry(upstream: string): Promise<LocalRegistry> {
  const published = new Map<string, Packument>();
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.writeHead(502).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!;
    const name = decodeURIComponent(path.slice(1));
    if (request.method === 'PUT') {
      published.set(name, JSON.parse(await text(request)));
      response.writeHead(201).end('{}');
    } else if (path.startsWith(TARBALLS)) {
      const file = await fetch(decodeURIComponent(path.slice(TARBALLS.length)));
      response.writeHead(file.status).end(Buffer.from(await file.arrayBuffer()));
    } else if (published.has(name)) {
      const { _attachments, ...packument } = published.get(name)!;
      response.end(JSON.stringify(packument));
    } else if (name.includes('/-/')) {
      const [owner, file] = name.split('/-/') as [string, string];
      const attachments = Object.entries(published.get(owner)?._attachments ?? {});
      const data = attachments.find(([attached]) => attached.endsWith(file))?.[1].data;
      response.writeHead(data === undefined ? 404 : 200).end(Buffer.from(data ?? '', 'base64'));
    } else {
      const found = await fetch(new URL(path.slice(1), upstream), {
        headers: { accept: 'application/json' },
      });
      response.writeHead(found.status);
      response.end(found.ok ? JSON.stringify(served((await found.json()) as Packument)) : '{}');
    }
  }

  /** The same with every tarball to be had from here. */
  function served(packument: Packument): Packument {
    for (const { dist } of Object.values(packument.versions))
      dist.tarball = `${url}${TARBALLS}${encodeURIComponent(dist.tarball)}`;
    return packument;
  }

  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
