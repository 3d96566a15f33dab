/** Challenge and answer: a server proves that it has this user's key, and which of the user's servers it is. */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { DiscoveryFile } from './discovery-file.ts';

/** Hexadecimal, 256 bits. */
const CODE = /^[0-9a-f]{64}$/;

/** A discovery file, with the key that its server must know. */
export interface KnownServer extends DiscoveryFile {
  readonly secret: Uint8Array;
}

/** What a proof covers: a server that passes a challenge on to another server cannot use the answer. */
type Proven = Pick<DiscoveryFile, 'run' | 'host' | 'port' | 'index_path' | 'config'>;

/**
 * A challenge that nobody can have seen or foreseen; Node's own random numbers are slower to load in a cold command.
 */
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

/** Takes the same time wherever the two differ. */
export function isProof(answer: unknown, expected: string): boolean {
  if (typeof answer !== 'string' || !CODE.test(answer)) return false;
  let difference = 0;
  for (let at = 0; at < expected.length; at++) difference |= answer.charCodeAt(at) ^ expected.charCodeAt(at);
  return difference === 0;
}

/** Replaces the token of a server for clients that have the user's key. */
export function attachKey(secret: Uint8Array, run: string): string {
  return codeOf(secret, ['client', run]);
}

/** JSON gives different lists of parts different texts. */
function codeOf(secret: Uint8Array, parts: readonly unknown[]): string {
  return bytesToHex(hmac(sha256, secret, utf8ToBytes(JSON.stringify(['docfuse', ...parts]))));
}
