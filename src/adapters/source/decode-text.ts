/** Decodes the bytes of a file: UTF-8 and UTF-16 strictly, other bytes leniently and with a warning. */
import type { SourceText } from '../../core/ports.ts';

type DecodedText = Omit<SourceText, 'hash'>;

/** Number of bytes at the start that are searched for NUL. A file with a NUL byte there is binary; git uses the same test. */
const BINARY_PROBE_BYTES = 8_192;

/** @returns undefined if the bytes are not text */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const utf16 = utf16Label(bytes);
  if (utf16 !== undefined) return decodeUtf16(bytes, utf16);
  if (bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)) return undefined;
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), warnings: [] };
  } catch {
    return decodeBroken(bytes);
  }
}

function utf16Label([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

function decodeUtf16(bytes: Uint8Array, label: 'utf-16le' | 'utf-16be'): DecodedText {
  try {
    return { text: new TextDecoder(label, { fatal: true }).decode(bytes), warnings: [] };
  } catch {
    const warning = 'The file is not valid UTF-16; invalid parts were replaced by "\uFFFD".';
    return { text: new TextDecoder(label).decode(bytes), warnings: [warning] };
  }
}

/** If most non-ASCII bytes are not valid UTF-8, the text has another encoding; a few invalid bytes are damage. */
function decodeBroken(bytes: Uint8Array): DecodedText {
  const text = new TextDecoder('utf-8').decode(bytes);
  const broken = text.split('\uFFFD').length - 1;
  const nonAscii = bytes.reduce((count, byte) => count + (byte >> 7), 0);
  if (broken * 2 > nonAscii) {
    return {
      text: decodeWindows1252(bytes),
      warnings: ['The file is not valid UTF-8; it was read as Windows-1252.'],
    };
  }
  return { text, warnings: ['The file is not valid UTF-8; invalid parts were replaced by "\uFFFD".'] };
}

/** Characters of the bytes 0x80 to 0x9F (WHATWG Encoding Standard). Every other byte equals the code point of its character. */
const WINDOWS_1252_HIGH = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Decodes without TextDecoder: several releases of Node 22 decode `windows-1252` as Latin-1 and lose the quotation marks. */
function decodeWindows1252(bytes: Uint8Array): string {
  const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return latin1.replace(/[\x80-\x9f]/g, (character) => WINDOWS_1252_HIGH[character.charCodeAt(0) - 0x80]!);
}
