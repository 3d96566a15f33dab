/** Writes and reads whole numbers and texts as bytes. A number has seven bits in each byte, the lowest bits first (LEB128). */
import { enlarged } from '../indexes/arrays.ts';

export type ByteWriter = ReturnType<typeof createWriter>;

export function createWriter() {
  let buffer = new Uint8Array(256);
  let length = 0;

  function reserve(size: number): void {
    if (length + size > buffer.length) buffer = enlarged(buffer, length + size);
  }

  /** @param value a whole number from 0 to 2^53 − 1 */
  function number(value: number): void {
    reserve(8);
    let rest = value;
    while (rest > 0x7f) {
      buffer[length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    buffer[length++] = rest;
  }

  /** Appends the number of bytes, then the bytes. */
  function block(value: Uint8Array): void {
    number(value.length);
    reserve(value.length);
    buffer.set(value, length);
    length += value.length;
  }

  const text = (value: string) => block(new TextEncoder().encode(value));

  return {
    number,
    block,
    /** Writes the number of leading letters that `word` shares with `before`, then the rest of `word` (front coding). */
    after(before: string, word: string): void {
      let shared = 0;
      while (shared < word.length && word[shared] === before[shared]) shared++;
      // Do not divide a surrogate pair.
      if (/[\ud800-\udbff]$/.test(word.slice(0, shared))) shared--;
      number(shared);
      text(word.slice(shared));
    },
    bytes: () => buffer.slice(0, length),
  };
}

export type ByteReader = ReturnType<typeof createReader>;

export function createReader(bytes: Uint8Array<ArrayBuffer>) {
  let at = 0;

  function number(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = bytes[at++]!;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  /** Returns a view of the next block. */
  function block(): Uint8Array<ArrayBuffer> {
    const length = number();
    at += length;
    return bytes.subarray(at - length, at);
  }

  const text = () => new TextDecoder().decode(block());

  return {
    number,
    block,
    /** Reads a word that `ByteWriter.after` wrote with the same `before`. */
    after: (before: string) => before.slice(0, number()) + text(),
  };
}
