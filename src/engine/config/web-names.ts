/** Names of hosts, and of the site whose page asks, as a browser sends them. */
import * as z from 'zod';

/** A name or an address, perhaps with a port, which stands apart; no user, no path, no list of several. */
export const HOST = /^(\[[\da-f:.]+\]|[a-z\d_-]+(?:\.[a-z\d_-]+)*)(?::\d{1,5})?$/i;

/** A name without port; an IPv6 address in brackets. */
export const hostName = z.string().refine((text) => HOST.exec(text)?.[1] === text, {
  error: ({ input }) => `“${input}” is not a name such as notes.example, without port and scheme`,
});

/** Scheme, name and port where it is not the usual one, as `https://notes.example` or `app://obsidian.md`. */
export const siteOrigin = z.string().refine(isOrigin, {
  error: ({ input }) =>
    `“${input}” is not the origin of a site such as https://notes.example, without path and usual port`,
});

function isOrigin(text: string): boolean {
  const [, scheme = '', host = ''] = /^([a-z][a-z\d+.-]*):\/\/([^/]+)\/?$/i.exec(text) ?? [];
  if (!HOST.test(host)) return false;
  const url = URL.parse(text);
  // The origin of other schemes is opaque to URL, and still what their pages send.
  return !/^https?$/i.test(scheme) || url?.origin === text.toLowerCase().replace(/\/$/, '');
}

/**
 * Whether a host is this machine: `localhost`, `127.0.0.1` to `127.255.255.255`, `::1`, and no other name.
 * @param host as in a URL, or without the brackets of IPv6
 */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
}
