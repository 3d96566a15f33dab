/** Tells addresses of this machine from all others. */

/** @param host as in a URL or without the brackets of IPv6: `localhost`, `127.0.0.1` to `127.255.255.255`, `::1`, and no other name */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
}
