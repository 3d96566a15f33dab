/** Decides which requests may pass, by their host, their origin and their token. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { HOST } from '../../engine/config/web-names.ts';
import { refuse } from './refusal.ts';

export interface GuardOptions {
  /** Host names of this server, without port. Requests for other names are refused, as protection against DNS rebinding. */
  readonly hosts: readonly string[];
  /** Origins of other sites whose pages may send requests. Pages of this server may always send requests. */
  readonly origins: readonly string[];
  /** Valid tokens. If the list is empty, requests need no token. */
  readonly tokens: readonly string[];
}

/** Names that mean this machine itself. */
export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** @param open paths that need no token */
export function createGuard({ hosts, origins, tokens }: GuardOptions, open: readonly string[]) {
  const openPaths = new Set(open);
  const names = new Set(hosts.map((host) => host.toLowerCase()));
  const sites = new Set(origins.map((origin) => origin.toLowerCase().replace(/\/$/, '')));
  const digests = tokens.map(digest);

  function hostRefusal(request: Request): Response | undefined {
    // The target of a request and its Host header may name different hosts; both must be names of this server.
    for (const host of [new URL(request.url).host, request.headers.get('host')]) {
      if (host === null) continue;
      const name = HOST.exec(host)?.[1]?.toLowerCase();
      if (name === undefined) {
        return refuse('malformed', 'The Host header is not one host name.', 'Send it once, as name:port.');
      }
      if (!names.has(name)) {
        const remedy = 'If it is a name of this machine, add it to allowed_hosts under [server].';
        return refuse('refused', `${name} is not a name of this server.`, remedy);
      }
    }
    return undefined;
  }

  function originRefusal(request: Request): Response | undefined {
    const origin = request.headers.get('origin');
    if (origin !== null && sites.has(origin.toLowerCase())) return undefined;
    // For images, scripts and links, a browser sends no Origin header, but Sec-Fetch-Site says that the page is of another site.
    if (/^(cross|same)-site$/i.test(request.headers.get('sec-fetch-site') ?? '')) {
      const remedy =
        'Type the address into the browser, or use fetch from a page whose origin is in allowed_origins.';
      const detail = 'Pages of another origin may not load anything from this server, nor link to it.';
      return refuse('refused', detail, remedy);
    }
    if (origin === null || isOwn(origin, request)) return undefined;
    const remedy = 'If you trust that site, add its origin to allowed_origins under [server].';
    return refuse('refused', 'Pages of another origin may not send requests to this server.', remedy);
  }

  function tokenRefusal(request: Request): Response | undefined {
    if (digests.length === 0) return undefined;
    const sent = /^Bearer +([^\s,]+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    const hash = digest(sent ?? '');
    // All digests have the same length and all are compared, so the time reveals nothing about the token.
    const matches = digests.filter((known) => timingSafeEqual(known, hash)).length;
    if (sent !== undefined && matches > 0) return undefined;
    const detail = sent === undefined ? 'This server needs a token.' : 'The token is wrong.';
    return refuse('unauthorized', detail, 'Send one header Authorization: Bearer TOKEN with each request.', {
      'www-authenticate': 'Bearer realm="docfuse"',
    });
  }

  return {
    /** Returns the refusal; undefined if the request may pass. */
    check(request: Request): Response | undefined {
      const refusal = hostRefusal(request) ?? originRefusal(request);
      // A browser sends preflight requests without a token.
      const isOpen = request.method === 'OPTIONS' || openPaths.has(new URL(request.url).pathname);
      return refusal ?? (isOpen ? undefined : tokenRefusal(request));
    },
    /** Refuses requests from pages of other sites, even of those in `origins`: for routes that write or cause costs. */
    checkOwn(request: Request): Response | undefined {
      const origin = request.headers.get('origin');
      // Compare only the host: a proxy with TLS changes the scheme.
      if (origin === null || URL.parse(origin)?.host === hostOf(request)) return undefined;
      const remedy = 'Use the page of this server, or a program.';
      return refuse('refused', 'Pages of another origin may search and read, and nothing else.', remedy);
    },
    /** CORS headers of every answer: pages of the origins in `origins` may read it, pages of other sites may not. */
    sharing(request: Request): Readonly<Record<string, string>> {
      const origin = request.headers.get('origin');
      if (origin === null || !sites.has(origin.toLowerCase())) return { vary: 'Origin' };
      return {
        vary: 'Origin',
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
        'access-control-allow-headers':
          'Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, MCP-Protocol-Version',
        'access-control-max-age': '600',
      };
    },
  };
}

/** Whether a page of this server sent the request. The same host with another port or scheme is another origin. */
function isOwn(origin: string, request: Request): boolean {
  const { protocol } = new URL(request.url);
  return origin.toLowerCase() === new URL(`${protocol}//${hostOf(request)}`).origin;
}

function hostOf(request: Request): string {
  return (request.headers.get('host') ?? new URL(request.url).host).toLowerCase();
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
