/** Hashes of texts. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Returns the SHA-256 of a text in UTF-8, in hexadecimal. A lone surrogate is encoded as U+FFFD. */
export type Digest = (text: string) => string;

/** Runs on every platform, but takes ten times as long as the SHA-256 of Node. */
export const plainDigest: Digest = (text) => bytesToHex(sha256(utf8ToBytes(text)));
