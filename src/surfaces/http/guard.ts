/** Decides which requests may pass, by their host, their origin and their token. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { HOST } from '../../engine/config/web-names.ts';
import { refuse } from './refusal.ts';

export interface GuardOptions {
  /** Host names of this server, without port. A request for another name comes from a page whose DNS name was rebound. */
  readonly hosts: readonly string[];
  /** Origins of other sites whose pages may ask; the server's own pages always may. */
  readonly origins: readonly string[];
  /** A request must carry one of these; an empty list means that no token is needed. */
  readonly tokens: readonly string[];
}

/** Names of this machine for itself. */
export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

export function createGuard({ hosts, origins, tokens }: GuardOptions) {
  const names = new Set(hosts.map((host) => host.toLowerCase()));
  const sites = new Set(origins.map((origin) => origin.toLowerCase().replace(/\/$/, '')));
  const digests = tokens.map(digest);

  function hostRefusal(request: Request): Response | undefined {
    // The target of a request may name another host than its header does; both must be ours.
    for (const host of [new URL(request.url).host, request.headers.get('host')]) {
      if (host === null) continue;
      const name = HOST.exec(host)?.[1]?.toLowerCase();
      if (name === undefined) {
        return refuse('malformed', 'The Host header is not one host name.', 'Send it once, as name:port.');
      }
      if (!names.has(name)) {
        const remedy = `If that is a name of this machine, add it to allowed_hosts under [server].`;
        return refuse('refused', `This server is not reached by the name ${name}.`, remedy);
      }
    }
    return undefined;
  }

  function originRefusal(request: Request): Response | undefined {
    const origin = request.headers.get('origin');
    if (origin !== null && sites.has(origin.toLowerCase())) return undefined;
    // Images, scripts and links of other pages send no origin, but the browser tells that the page is another site.
    if (/^(cross|same)-site$/i.test(request.headers.get('sec-fetch-site') ?? '')) {
      const remedy =
        'Type the address into the browser, or ask with fetch from a page listed in allowed_origins.';
      return refuse('refused', 'Pages of another origin may not load or link to this.', remedy);
    }
    if (origin === null || isOwn(origin, request)) return undefined;
    const remedy = 'If you trust that site, add its origin to allowed_origins under [server].';
    return refuse('refused', 'Pages of another origin may not ask here.', remedy);
  }

  function tokenRefusal(request: Request): Response | undefined {
    if (digests.length === 0) return undefined;
    const sent = /^Bearer +([^\s,]+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    const hash = digest(sent ?? '');
    // Every digest is compared, and all have one length, so the time tells nothing about the token.
    const matches = digests.filter((known) => timingSafeEqual(known, hash)).length;
    if (sent !== undefined && matches > 0) return undefined;
    const detail = sent === undefined ? 'This server asks for a token.' : 'The token is not the right one.';
    return refuse('unauthorized', detail, 'Send it once, as Authorization: Bearer TOKEN.', {
      'www-authenticate': 'Bearer realm="docfuse"',
    });
  }

  return {
    /** The refusal, or undefined for a request that may pass. */
    check(request: Request): Response | undefined {
      const refusal = hostRefusal(request) ?? originRefusal(request);
      // A browser's preflight request and a monitor's health check need no token.
      const open = request.method === 'OPTIONS' || new URL(request.url).pathname === '/healthz';
      return refusal ?? (open ? undefined : tokenRefusal(request));
    },
    /** Headers that let the page of another origin read the answer; none for all others. */
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

/** A page on another port or scheme of the same host is another site. */
function isOwn(origin: string, request: Request): boolean {
  const { protocol, host } = new URL(request.url);
  return origin.toLowerCase() === new URL(`${protocol}//${request.headers.get('host') ?? host}`).origin;
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
