/** The key under which the vector of a text is kept. */
import { createHash } from 'node:crypto';

/** 128 bits of SHA-256, hexadecimal; by Node, since a sync reckons one for each passage. */
export function vectorKey(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
