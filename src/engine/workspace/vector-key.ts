/** The key under which the vector of a text is kept. */
import { hash } from 'node:crypto';

/** SHA-256 by Node, since a sync reckons several for each passage. */
export function fastDigest(text: string): string {
  return hash('sha256', text, 'hex');
}

/** 128 bits of it. */
export function vectorKey(text: string): string {
  return fastDigest(text).slice(0, 32);
}
