/** Writes and reads whole numbers and texts as bytes: seven bits a byte, the lowest first. */

export interface ByteWriter {
  /** @param value a whole number from 0 to 2^53 − 1 */
  number(value: number): void;
  text(value: string): void;
  /** Appends bytes, with their length in front of them. */
  block(value: Uint8Array): void;
  bytes(): Uint8Array<ArrayBuffer>;
}

export function createWriter(): ByteWriter {
  let buffer = new Uint8Array(256);
  let length = 0;

  function reserve(size: number): void {
    if (length + size <= buffer.length) return;
    const larger = new Uint8Array(Math.max(length + size, buffer.length * 2));
    larger.set(buffer.subarray(0, length));
    buffer = larger;
  }

  function number(value: number): void {
    reserve(8);
    let rest = value;
    while (rest > 0x7f) {
      buffer[length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    buffer[length++] = rest;
  }

  function block(value: Uint8Array): void {
    number(value.length);
    reserve(value.length);
    buffer.set(value, length);
    length += value.length;
  }

  return {
    ...{ number, block },
    text: (value) => block(new TextEncoder().encode(value)),
    bytes: () => buffer.slice(0, length),
  };
}

export interface ByteReader {
  number(): number;
  text(): string;
  /** Returns a view of the next block. */
  block(): Uint8Array<ArrayBuffer>;
  isAtEnd(): boolean;
}

export function createReader(bytes: Uint8Array<ArrayBuffer>): ByteReader {
  let at = 0;

  function number(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = bytes[at++]!;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  function block(): Uint8Array<ArrayBuffer> {
    const length = number();
    at += length;
    return bytes.subarray(at - length, at);
  }

  return {
    ...{ number, block },
    text: () => new TextDecoder().decode(block()),
    isAtEnd: () => at >= bytes.length,
  };
}
