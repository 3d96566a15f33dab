/** A web site on this machine, with ETags, whose files a test changes while it runs. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SiteFile {
  readonly body?: string | Uint8Array;
  /** @default by the ending of the path: Markdown, XML, plain text, else HTML */
  readonly type?: string;
  /** @default 200 */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SiteServer extends AsyncDisposable {
  /** Without a slash at the end. */
  readonly url: string;
  /** By path, `SITE` in a text is the address of the site. Other paths answer 404. */
  readonly files: Map<string, string | SiteFile>;
  /** Path and status of every answer. */
  readonly log: string[];
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly at: number }[];
  /** Called before each answer. */
  onRequest?: (path: string) => void;
}

const TYPES: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  xml: 'application/xml',
  txt: 'text/plain',
};

export async function startSite(files: Readonly<Record<string, string | SiteFile>>): Promise<SiteServer> {
  const server = createServer((request, response) => {
    const path = request.url!;
    site.requests.push({ path, headers: request.headers, at: performance.now() });
    site.onRequest?.(path);
    const found = site.files.get(path) ?? { status: 404 };
    const {
      body = '',
      type,
      status = 200,
      headers = {},
    } = typeof found === 'string' ? { body: found } : found;
    const bytes = Buffer.from(typeof body === 'string' ? body.replaceAll('SITE', site.url) : body);
    const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}"`;
    const isKnown = status === 200 && request.headers['if-none-match'] === etag;
    site.log.push(`${path} ${isKnown ? 304 : status}`);
    const all = {
      'content-type': type ?? TYPES[/\.(\w+)$/.exec(path)?.[1] ?? ''] ?? 'text/html',
      ...{ etag, ...headers },
    };
    response.writeHead(isKnown ? 304 : status, all).end(isKnown ? undefined : bytes);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const site: SiteServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files: new Map(Object.entries(files)),
    log: [],
    requests: [],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return site;
}

export const sitemap = (...paths: readonly string[]) =>
  `<?xml version="1.0"?><urlset>${paths.map((path) => `<url><loc>SITE${path}</loc></url>`).join('')}</urlset>`;

export const page = (title: string, main: string) =>
  `<!doctype html><title>${title}</title><nav>Menu</nav><main><h1>${title}</h1>${main}</main>`;
