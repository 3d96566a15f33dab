/** Splits a stream into complete lines and drops lines that are too long. The parts of a line are joined once, at its end. */
import { Transform } from 'node:stream';

const LINE_FEED = 0x0a;

export interface WholeLinesOptions {
  /** Max bytes of a line, without its line end. */
  readonly maxBytes: number;
  /** Called once for each dropped line, as soon as it is too long. */
  readonly onTooLong: () => void;
  /** Returns whether a line, given without its line end, is passed on. @default all lines */
  readonly onLine?: (line: Buffer) => boolean;
}

export function wholeLines({ maxBytes, onTooLong, onLine = () => true }: WholeLinesOptions): Transform {
  let parts: Buffer[] = [];
  let length = 0;

  function take(part: Buffer): void {
    const wasTooLong = length > maxBytes;
    length += part.length;
    if (length <= maxBytes) parts.push(part);
    else if (!wasTooLong) {
      parts = [];
      onTooLong();
    }
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
        take(chunk.subarray(from, end));
        const line = Buffer.concat([...parts, chunk.subarray(end, end + 1)]);
        if (length <= maxBytes && onLine(line.subarray(0, -1))) this.push(line);
        parts = [];
        length = 0;
        from = end + 1;
      }
      take(chunk.subarray(from));
      done();
    },
  });
}
