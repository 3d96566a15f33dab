/** Checks host names and web origins as a browser sends them. */
import * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';

/** One host name or IP address with an optional port. The first group is the host without the port. */
export const HOST = /^(\[[\da-f:.]+\]|[a-z\d_-]+(?:\.[a-z\d_-]+)*)(?::\d{1,5})?$/i;

/** A host name or IP address without port. An IPv6 address is in brackets. */
export const hostName = z.string().refine((text) => HOST.exec(text)?.[1] === text, {
  error: ({ input }) => `“${input}” is not a host name such as notes.example (without scheme and port)`,
});

/** An origin such as `https://notes.example` or `app://obsidian.md`. A default port of HTTP or HTTPS is left out. */
export const siteOrigin = z.string().refine(isOrigin, {
  error: ({ input }) =>
    `“${input}” is not an origin such as https://notes.example (without path and default port)`,
});

function isOrigin(text: string): boolean {
  const [, scheme = '', host = ''] = /^([a-z][a-z\d+.-]*):\/\/([^/]+)\/?$/i.exec(text) ?? [];
  if (!HOST.test(host)) return false;
  const url = URL.parse(text);
  // Only HTTP origins are compared: browsers send scheme and host of other origins, too, but `URL` gives `null` for them.
  return !/^https?$/i.test(scheme) || url?.origin === text.toLowerCase().replace(/\/$/, '');
}

/**
 * Whether a host is `localhost`, in 127.0.0.0/8, or `::1`.
 * @param host an IPv6 address may be in brackets, as in a URL
 */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
}

/**
 * The address of a service. A user name, password or parameters are refused: addresses are printed, so they must not hold a key.
 * A text that is not an address passes this check; the call of the service then fails.
 */
export const serviceAddress = z
  .string()
  .min(1)
  .refine((text) => {
    const url = URL.parse(text);
    return url === null || !mayHoldKey(url);
  }, 'it has a user name, a password, or a part after ? or #; keys belong in the environment variable that api_key_env names');

/** Whether an address has a user name, a password or parameters, which may be a key. */
export function mayHoldKey({ username, password, search, hash }: URL): boolean {
  return Boolean(username || password || search || hash);
}

/** Hides user names and passwords of the addresses in a text. */
export function withoutUsers(text: string): string {
  return text.replace(/\/\/[^\s"]*@/g, '//…@');
}

export function isOffline(): boolean {
  return !['', '0', 'false', 'no'].includes((process.env.DOCFUSE_OFFLINE ?? '').toLowerCase());
}

/** Refuses a service on another machine if docfuse is offline. @throws DocfuseError `remote` */
export function requireAllowed(url: string): void {
  const host = URL.parse(url)?.hostname ?? '';
  if (isLoopback(host) || !isOffline()) return;
  throw new DocfuseError(
    'remote',
    `No request is sent to ${host}, because DOCFUSE_OFFLINE is set.`,
    'Unset it, or use a service on this machine.',
  );
}
