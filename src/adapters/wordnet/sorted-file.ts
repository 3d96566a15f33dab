/** Finds lines in a sorted text file by bisection, without reading the file: a look-up takes a dozen small reads. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

export interface SortedFile {
  /** The line whose first word is `key`; undefined when there is none. */
  find(key: string): string | undefined;
  /** The line that begins at a byte offset. */
  lineAt(offset: number): string;
  close(): void;
}

/** Read at once: the lines around a place. Longer ones are read in several steps. */
const STEP = 1024;

/** @param file lines sorted by the bytes of their first word, as the files of WordNet are */
export function openSortedFile(file: string): SortedFile {
  const descriptor = openSync(file, 'r');
  const { size } = fstatSync(descriptor);
  const buffer = Buffer.alloc(STEP);
  /** The bytes of the file that are in the buffer: `length` from offset `from` on. */
  let from = 0;
  let length = 0;

  /** In latin1, so its length is that in bytes. */
  function lineAt(offset: number): string {
    const parts: string[] = [];
    for (let at = offset; at < size; at = from + length) {
      if (at < from || at >= from + length) {
        length = readSync(descriptor, buffer, 0, STEP, at);
        from = at;
      }
      const end = buffer.subarray(0, length).indexOf(10, at - from);
      parts.push(buffer.toString('latin1', at - from, end < 0 ? length : end));
      if (end >= 0 || length === 0) break;
    }
    return parts.join('');
  }

  return {
    lineAt,
    find(key) {
      // The line looked for begins in [low, high): low is the start of a line, high need not be.
      let low = 0;
      let high = size;
      while (low < high) {
        const middle = (low + high) >>> 1;
        const start = middle === low ? low : middle + lineAt(middle - 1).length;
        if (start >= high) {
          high = middle;
          continue;
        }
        const line = lineAt(start);
        const first = line.slice(0, line.indexOf(' '));
        if (first === key) return line;
        if (first < key) low = start + line.length + 1;
        else high = middle;
      }
      return undefined;
    },
    close: () => closeSync(descriptor),
  };
}
