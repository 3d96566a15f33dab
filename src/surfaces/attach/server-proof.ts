/** Challenge and proof: a server shows that it has this user's key, and which of the user's servers it is. */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { DiscoveryFile } from './discovery-file.ts';

/** Matches a challenge or a proof: 256 bits as hexadecimal digits. */
const CODE = /^[0-9a-f]{64}$/;

/** Fields that a proof covers. They differ between servers, so a server cannot use the proof of another server. */
type Proven = Pick<DiscoveryFile, 'run' | 'host' | 'port' | 'index_path' | 'config'>;

/** Makes a challenge that nobody can predict. Does not load node:crypto, which would slow down the start of a command. */
export function makeChallenge(secret: Uint8Array): string {
  const now = [process.pid, Date.now(), process.hrtime.bigint(), Math.random()];
  return codeOf(secret, ['challenge', ...now.map(String)]);
}

export function isChallenge(text: string): boolean {
  return CODE.test(text);
}

/** The server's answer to a challenge. */
export function proofOf(
  secret: Uint8Array,
  { run, host, port, index_path, config }: Proven,
  challenge: string,
): string {
  return codeOf(secret, ['server', challenge, run, host, port, index_path, config]);
}

/** Compares in constant time. */
export function isProof(answer: unknown, expected: string): boolean {
  if (typeof answer !== 'string' || !CODE.test(answer)) return false;
  let difference = 0;
  for (let at = 0; at < expected.length; at++) difference |= answer.charCodeAt(at) ^ expected.charCodeAt(at);
  return difference === 0;
}

/** Token that clients with the user's key send in place of the server's own token. */
export function attachKey(secret: Uint8Array, run: string): string {
  return codeOf(secret, ['client', run]);
}

/** Returns the HMAC of the parts, in hexadecimal. The parts are joined as JSON, so different parts never give the same text. */
function codeOf(secret: Uint8Array, parts: readonly unknown[]): string {
  return bytesToHex(hmac(sha256, secret, utf8ToBytes(JSON.stringify(['docfuse', ...parts]))));
}
