/** Makes ZIP archives for tests, also ones that no honest program makes. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface MadeEntry {
  /** Bytes are written as they are. A string is written as UTF-8, with the flag that says so. */
  readonly name: string | Uint8Array;
  readonly data?: string | Uint8Array;
  /** 0 stored, 8 deflated. @default 8 */
  readonly method?: number;
  /** Added to the flags: 1 for encryption. */
  readonly flags?: number;
  /** What the directory says instead of the truth. */
  readonly crc?: number;
  readonly size?: number;
  /** Mode of a Unix file, such as 0o120777 for a link. */
  readonly mode?: number;
  /** @default now */
  readonly date?: Date;
}

/** @param comment of the archive. @param zip64 whether the directory is found through the records of ZIP64 */
export function makeZip(
  entries: readonly MadeEntry[],
  { comment = '', zip64 = false }: { readonly comment?: string; readonly zip64?: boolean } = {},
): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data = '', method = 8, flags = 0, date = new Date(), mode, ...claimed } of entries) {
    const bytes = Buffer.from(data as string);
    const packed = method === 8 ? deflateRawSync(bytes) : bytes;
    const nameBytes = Buffer.from(name as string);
    const { crc = crc32(bytes), size = bytes.length } = claimed;
    const common = numbers(
      ...([
        [2, 20],
        [2, flags | (typeof name === 'string' ? 0x800 : 0)],
        [2, method],
      ] as const),
      ...([
        [2, dosTime(date)],
        [2, dosDate(date)],
        [4, crc],
        [4, packed.length],
        [4, size],
      ] as const),
      ...([
        [2, nameBytes.length],
        [2, 0],
      ] as const),
    );
    files.push(numbers([4, 0x04034b50]), common, nameBytes, packed);
    const attributes = mode === undefined ? 0 : mode * 0x10000;
    directory.push(
      numbers([4, 0x02014b50], [2, mode === undefined ? 20 : 0x0314]),
      common,
      numbers([2, 0], [2, 0], [2, 0], [4, attributes], [4, offset]),
      nameBytes,
    );
    offset += 30 + nameBytes.length + packed.length;
  }
  const length = Buffer.concat(directory).length;
  const records = numbers(
    [4, 0x06064b50],
    [8, 44],
    [2, 45],
    [2, 45],
    [4, 0],
    [4, 0],
    [8, entries.length],
    [8, entries.length],
    [8, length],
    [8, offset],
  );
  const locator = numbers([4, 0x07064b50], [4, 0], [8, offset + length], [4, 1]);
  const count = zip64 ? 0xffff : entries.length;
  const end = numbers(
    ...([
      [4, 0x06054b50],
      [2, 0],
      [2, 0],
      [2, count],
      [2, count],
    ] as const),
    ...([
      [4, zip64 ? 0xffffffff : length],
      [4, zip64 ? 0xffffffff : offset],
      [2, comment.length],
    ] as const),
  );
  return Buffer.concat([
    ...files,
    ...directory,
    ...(zip64 ? [records, locator] : []),
    end,
    Buffer.from(comment),
  ]);
}

/** Writes numbers with the lowest byte first. Each is given as its bytes and its value. */
function numbers(...values: readonly (readonly [bytes: 2 | 4 | 8, value: number])[]): Buffer {
  return Buffer.concat(
    values.map(([bytes, value]) => {
      const written = Buffer.alloc(bytes);
      written.writeUIntLE(value, 0, Math.min(bytes, 6));
      return written;
    }),
  );
}

function dosTime(date: Date): number {
  return (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1);
}

function dosDate(date: Date): number {
  return ((date.getFullYear() - 1980) << 9) | ((date.getMonth() + 1) << 5) | date.getDate();
}
