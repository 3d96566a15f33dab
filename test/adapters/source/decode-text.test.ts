/** Encodings. */
import { expect, it } from 'vitest';
import { decodeText } from '../../../src/adapters/source/decode-text.ts';

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

const TEXT = 'Zoë “quotes” 漢字 👩‍👩‍👧\r\nline\rtwo';

it('reads UTF-8 exactly, with and without byte order mark', () => {
  expect(decodeText(bytes(TEXT))).toEqual({ text: TEXT, warnings: [] });
  expect(decodeText(bytes([0xef, 0xbb, 0xbf], TEXT))).toEqual({ text: TEXT, warnings: [] });
  expect(decodeText(bytes(''))).toEqual({ text: '', warnings: [] });
});

it('takes only one byte order mark away', () => {
  expect(decodeText(bytes('\uFEFF\uFEFFa'))?.text).toBe('\uFEFFa');
});

it('reads UTF-16 in both byte orders', () => {
  const little = Buffer.from(`\uFEFF${TEXT}`, 'utf16le');
  expect(decodeText(little)).toEqual({ text: TEXT, warnings: [] });
  expect(decodeText(Buffer.from(little).swap16())).toEqual({ text: TEXT, warnings: [] });
});

it('warns of UTF-16 that is cut off', () => {
  const decoded = decodeText(Buffer.concat([Buffer.from('\uFEFFab', 'utf16le'), Buffer.of(0x63)]));
  expect(decoded?.text).toBe('ab\uFFFD');
  expect(decoded?.warnings).toHaveLength(1);
});

it('reads Windows-1252 with its quotation marks, and says so', () => {
  const decoded = decodeText(bytes([0x93], 'Zo', [0xeb], ' caf', [0xe9, 0x94, 0x20, 0x80], '5', [0x85]));
  expect(decoded?.text).toBe('“Zoë café” €5…');
  expect(decoded?.warnings).toEqual([expect.stringContaining('Windows-1252')]);
});

it('keeps UTF-8 with a few bad bytes as UTF-8, and says so', () => {
  const decoded = decodeText(bytes('漢字漢字 caf', [0xe9], ' ü'));
  expect(decoded?.text).toBe('漢字漢字 caf\uFFFD ü');
  expect(decoded?.warnings).toEqual([expect.stringContaining('replaced')]);
});

it('knows a binary file by a NUL near its beginning', () => {
  expect(decodeText(bytes('%PDF-1.7\n', [0, 1, 2]))).toBeUndefined();
  expect(decodeText(bytes('x'.repeat(8191), [0]))).toBeUndefined();
  expect(decodeText(bytes('x'.repeat(8192), [0]))?.text).toHaveLength(8193);
});

it('reads a view into a larger buffer as the view', () => {
  expect(decodeText(bytes('xx', [0xe9], 'yy').subarray(2, 4))?.text).toBe('éy');
});
