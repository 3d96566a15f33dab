/** A fast checksum of bytes that come in whole 32-bit words, to notice damage (not tampering). */

/**
 * MurmurHash3_x86_32 (Austin Appleby, 2011) with seed 0. Every step can be undone, so a change within one word
 * always changes the result; any other change goes unnoticed once in 2³².
 * @param bytes starts at a multiple of 4 in its buffer; its length is a multiple of 4
 */
export function checksum(bytes: Uint8Array): number {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  let hash = 0;
  for (let i = 0; i < words.length; i++) {
    let word = Math.imul(words[i]!, 0xcc9e2d51);
    word = Math.imul((word << 15) | (word >>> 17), 0x1b873593);
    hash ^= word;
    hash = (hash << 13) | (hash >>> 19);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  hash ^= bytes.byteLength;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
