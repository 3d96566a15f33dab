import { expect, test } from 'vitest';
import { checksum } from '../../../src/core/indexes/checksum.ts';

test('is MurmurHash3_x86_32: known values of its reference implementation, seed 0', () => {
  expect(checksum(new Uint8Array(0))).toBe(0);
  expect(checksum(new TextEncoder().encode('test'))).toBe(0xba6bd213);
  expect(checksum(Uint8Array.of(0, 0, 0, 0))).toBe(0x2362f9de);
  expect(checksum(Uint8Array.of(0x21, 0x43, 0x65, 0x87))).toBe(0xf55b516b);
});
