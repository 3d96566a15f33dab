/** Says which network a client belongs to, so that one of them cannot take the places of all. */
import { isIPv6 } from 'node:net';
import { isLoopback } from '../../engine/config/web-names.ts';

/** Undefined for this machine; an IPv4 address; of IPv6 the first 64 bits, because one client may own all addresses behind them. */
export function clientNetwork(address: string): string | undefined {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isLoopback(plain)) return undefined;
  if (!isIPv6(plain)) return plain;
  const [head = [], tail = []] = plain.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
}
