/** Hands a stream on by whole lines, so that a long one is put together once, and leaves out lines that are too long. */
import { Transform } from 'node:stream';

const LINE_FEED = 0x0a;

export interface WholeLinesOptions {
  /** Longest line, without its line end. */
  readonly maxBytes: number;
  /** Told once for each line that is left out, as soon as it is too long. */
  readonly onTooLong: () => void;
  /** Says of a line, without its line end, whether it is handed on. @default all are */
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
