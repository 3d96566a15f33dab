/** Hashes texts: for the keys of vectors, and to notice changes. */
import { hash } from 'node:crypto';

/** SHA-256 in hexadecimal by Node's native code, because a sync computes several hashes for each passage. */
export function fastDigest(text: string): string {
  return hash('sha256', text, 'hex');
}

/** Returns the first 128 bits of the SHA-256, in hexadecimal. */
export function vectorKey(text: string): string {
  return fastDigest(text).slice(0, 32);
}
