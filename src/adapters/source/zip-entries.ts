/** The entries of a ZIP archive, read from its directory at the end of the file, and their contents. */
import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  RandomAccessReader,
  validateFileName,
} from 'yauzl';
import type { Bytes } from './file-bytes.ts';

export interface ZipEntry {
  /** With `/`, as in the archive; without empty parts and `.`. */
  readonly path: string;
  /** Bytes of the contents. */
  readonly size: number;
  readonly packedSize: number;
  /** Milliseconds since 1970. NaN for an impossible time. */
  readonly modified: number;
  readonly crc: number;
  /** Why the contents cannot be read, such as encryption. */
  readonly problem?: string;
  /** Whether the name, such as `../x.md`, leads outside of the archive. Such an entry must not be read. */
  readonly leadsOutside: boolean;
  /** Compression method: 0 for none, 8 for Deflate. An entry with another one has a `problem`. */
  readonly method: number;
  /** Returns the position of the contents in the archive, in bytes. */
  readonly findStart: () => Promise<number>;
}

export interface ListedEntry extends ZipEntry {
  /** Reads the contents. @throws Error if they are damaged, or the file has changed */
  readonly read: () => Promise<Buffer>;
  /** Whether an entry before it has the same path, but other contents. */
  readonly isTwice: boolean;
}

const MAX_ENTRIES = 1_000_000;
const STORED = 0;
const DEFLATED = 8;
const UTF8_FLAG = 0x800;
const unpack = promisify(inflateRaw);

/**
 * Lists the files of an archive. Folders are left out.
 * @throws Error if the bytes are not a complete archive, or have more than a million entries; the reason of `signal`
 */
export async function* listEntries(bytes: Bytes, signal?: AbortSignal): AsyncGenerator<ZipEntry> {
  // Names are decoded here, and sizes checked when an entry is read: yauzl would stop at the first bad entry.
  const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false };
  const zip = await fromRandomAccessReaderPromise(readerOf(bytes), bytes.size, options);
  if (zip.entryCount > MAX_ENTRIES) throw new Error(`it has more than ${MAX_ENTRIES} entries`);
  for await (const entry of zip.eachEntry()) {
    signal?.throwIfAborted();
    const name = nameOf(entry);
    if (name.endsWith('/')) continue;
    const { relativeOffsetOfLocalHeader, compressedSize } = entry;
    const problem = problemOf(entry);
    // Keep only the two properties that are needed to find the contents: the whole entry would take much more memory.
    const place = { relativeOffsetOfLocalHeader, compressedSize } as Entry;
    yield {
      path: name
        .split('/')
        .filter((part) => part !== '' && part !== '.')
        .join('/'),
      size: entry.uncompressedSize,
      packedSize: compressedSize,
      method: entry.compressionMethod,
      crc: entry.crc32,
      modified: entry.getLastModDate().getTime(),
      leadsOutside: name.includes('\0') || validateFileName(name) !== null,
      ...(problem !== undefined && { problem }),
      findStart: async () => (await zip.readLocalFileHeaderPromise(place, { minimal: true })).fileDataStart,
    };
  }
}

/**
 * Reads the contents of an entry that has no `problem`. They never have more bytes than the archive says.
 * @throws Error if they are damaged
 */
export async function readEntry(bytes: Bytes, entry: ZipEntry): Promise<Buffer> {
  const packed = await bytes.read(await entry.findStart(), entry.packedSize);
  const contents = entry.method === STORED ? packed : await inflate(packed, entry.size);
  if (contents.length !== entry.size || crc32(contents) !== entry.crc)
    throw new Error('its contents are damaged: the checksum is wrong');
  return contents;
}

/** Whether the contents of an entry lie in the archive uncompressed. */
export function isStored({ method, size, packedSize }: ZipEntry): boolean {
  return method === STORED && size === packedSize;
}

async function inflate(packed: Buffer, size: number): Promise<Buffer> {
  try {
    return await unpack(packed, { maxOutputLength: Math.max(1, size) });
  } catch (cause) {
    throw new Error(`its contents are damaged: ${(cause as Error).message}`, { cause });
  }
}

function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  // Some programs write UTF-8 without the flag that says so. Names in CP437 with accents are hardly ever valid UTF-8.
  const flags = isUtf8(fileNameRaw) ? generalPurposeBitFlag | UTF8_FLAG : generalPurposeBitFlag;
  return getFileNameLowLevel(flags, fileNameRaw, extraFields, false);
}

function problemOf(entry: Entry): string | undefined {
  if (isLink(entry)) return 'it is a symbolic link, and links in archives are not followed';
  if (entry.isEncrypted()) return 'it is encrypted';
  if (entry.compressionMethod === STORED || entry.compressionMethod === DEFLATED) return undefined;
  return `its compression method ${entry.compressionMethod} is unknown`;
}

/** Whether an entry is a symbolic link. The upper half of its attributes is the mode of a file in Unix. */
function isLink({ externalFileAttributes }: Entry): boolean {
  return ((externalFileAttributes >>> 16) & 0o170000) === 0o120000;
}

function readerOf(bytes: Bytes): RandomAccessReader {
  // TypeScript allows no `new`, because the types call the class abstract. yauzl needs an instance with our own `read`.
  const reader: RandomAccessReader = Reflect.construct(RandomAccessReader, []);
  return Object.assign(reader, {
    read(
      into: Buffer,
      offset: number,
      length: number,
      position: number,
      done: (error: Error | null) => void,
    ): void {
      bytes.read(position, length).then((part) => {
        part.copy(into, offset);
        done(null);
      }, done);
    },
  });
}
