import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wholeLines } from '../../../src/surfaces/mcp/whole-lines.ts';

test('lines come out whole, one at a time, without those that are too long and what never ended', async () => {
  const line = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('four', 'fives', 'é', '\r'));
  await fc.assert(
    fc.asyncProperty(
      fc.array(line.map((each) => each.replaceAll('\n', ''))),
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      async (lines, sizes) => {
        const chunks: Buffer[] = [];
        for (let rest = Buffer.from(lines.join('\n')); rest.length > 0; ) {
          const size = sizes.next().value!;
          chunks.push(rest.subarray(0, size));
          rest = rest.subarray(size);
        }
        let tooLong = 0;
        const stream = Readable.from(chunks, { objectMode: false }).pipe(
          wholeLines({ maxBytes: 4, onTooLong: () => tooLong++ }),
        );
        const isShort = (each: string) => Buffer.byteLength(each) <= 4;
        const ended = lines.slice(0, -1);
        expect(await text(stream)).toBe(
          ended
            .filter(isShort)
            .map((each) => `${each}\n`)
            .join(''),
        );
        expect(tooLong).toBe(lines.filter((each) => !isShort(each)).length);
      },
    ),
  );
});
