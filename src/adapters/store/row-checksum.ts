/** A number kept with each row, by which damage is noticed that the database itself does not see. */
import { checksum } from '../../core/indexes/checksum.ts';

/** What a column can hold. */
export type Value = string | number | null | Uint8Array;

/**
 * FNV-1a (Fowler, Noll and Vo, 1991) over the 16-bit units of texts and the 32-bit halves of whole numbers; blobs by `checksum`.
 * A change of one unit always changes the result; any other goes unnoticed once in billions.
 * @returns 32 bits, unsigned
 */
export function rowChecksum(...values: readonly Value[]): number {
  let hash = 0x811c9dc5;
  const mix = (word: number) => {
    hash = Math.imul(hash ^ word, 0x01000193);
  };
  for (const value of values) {
    if (value === null) mix(0x6e756c6c);
    else if (value instanceof Uint8Array) mix(checksumOf(value));
    else if (Number.isSafeInteger(value)) {
      mix((value as number) | 0);
      mix(Math.floor((value as number) / 2 ** 32));
    } else hash = textChecksum(String(value), hash);
  }
  return hash >>> 0;
}

/** @param hash what came before */
function textChecksum(text: string, hash: number): number {
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  // So that what ends one text cannot begin the next.
  return Math.imul(hash ^ text.length, 0x01000193);
}

/** A blob that was cut may have any length. */
function checksumOf(blob: Uint8Array): number {
  const whole = blob.byteOffset % 4 === 0 ? blob : blob.slice();
  const rest = whole.byteLength % 4;
  return checksum(whole.subarray(0, whole.byteLength - rest)) + rest;
}
