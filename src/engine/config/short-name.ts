/** A short name for a text: hashes of Node take a cold command longer to load than to reckon here. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** The first digits of its SHA-256, in hexadecimal. */
export function shortName(text: string, digits: number): string {
  return bytesToHex(sha256(utf8ToBytes(text))).slice(0, digits);
}
