/** Lists the documents of a ZIP archive, also those in the archives that Notion packs into an export. */
import type { SkippedFile } from '../../core/ports.ts';
import { chooseEntries } from './choose-entries.ts';
import { type Bytes, bytesMadeOf, openFileBytes, slice } from './file-bytes.ts';
import type { FileRules } from './file-rules.ts';
import { tooLarge, unreadable } from './read-bytes.ts';
import { isStored, type ListedEntry, listEntries, readEntry, type ZipEntry } from './zip-entries.ts';

export interface ZipListing {
  /** Identifies the state of the file. */
  readonly stamp: string;
  /** By path, in order of their paths. */
  readonly entries: ReadonlyMap<string, ListedEntry>;
  readonly skipped: readonly SkippedFile[];
}

/** The name of an archive at the top of a Notion export; a large export has several. */
const PART = /^Export(?:Block)?-[0-9a-f]{8}-[^/]*\.zip$/i;
/** Max size of all compressed archives inside the archive: they are unpacked in memory. */
const MAX_PART_BYTES = 1024 * 1024 * 1024;
/** Max ratio of the bytes of all documents to the bytes of the archive. For text, it is usually 3 to 10. */
const MAX_RATIO = 100;
/** The ratio is not limited if all documents together have at most this number of bytes. */
const ALWAYS_BYTES = 100 * 1024 * 1024;

/**
 * Lists the documents. An inner archive that cannot be read is `skipped`.
 * @param real absolute, without symbolic links
 * @throws Error if the file cannot be read or is no archive; the reason of `signal`
 */
export async function readListing(real: string, rules: FileRules, signal?: AbortSignal): Promise<ZipListing> {
  const file = await openFileBytes(real);
  const skipped: SkippedFile[] = [];
  const onSkip = (each: SkippedFile) => void skipped.push(each);
  const found = new Map<string, ListedEntry>();
  let partBytes = 0;

  async function addAll(bytes: Bytes): Promise<void> {
    for await (const entry of listEntries(bytes, signal)) {
      const { path, leadsOutside } = entry;
      if (leadsOutside && rules.isIncluded(path))
        onSkip({ path, reason: 'outside_root', detail: 'its name leads outside the archive' });
      else if (bytes === file && PART.test(path)) await addPart(entry);
      else if (!leadsOutside) addEntry(entry, bytes);
    }
  }

  function addEntry(entry: ZipEntry, bytes: Bytes): void {
    const before = found.get(entry.path);
    const isTwice = before !== undefined && (before.crc !== entry.crc || before.size !== entry.size);
    const modified = Number.isNaN(entry.modified) ? file.modified : entry.modified;
    found.set(entry.path, { ...entry, modified, isTwice, read: () => readEntry(bytes, entry) });
  }

  async function addPart(part: ZipEntry): Promise<void> {
    const { path, problem, size } = part;
    try {
      if (problem !== undefined) throw new Error(problem);
      if (isStored(part)) await addAll(slice(file, await part.findStart(), size));
      else if (partBytes + size > MAX_PART_BYTES) onSkip(tooLarge(path, partBytes + size, MAX_PART_BYTES));
      else {
        partBytes += size;
        await addAll(bytesMadeOf(() => readEntry(file, part), size));
      }
    } catch (error) {
      signal?.throwIfAborted();
      onSkip(unreadable(path, error));
    }
  }

  await addAll(file);
  const chosen = await chooseEntries([...found.values()], rules, onSkip);
  const limit = Math.max(ALWAYS_BYTES, MAX_RATIO * file.size);
  const entries = new Map<string, ListedEntry>();
  let total = 0;
  for (const entry of chosen) {
    const { path, size } = entry;
    total += size;
    if (total <= limit) entries.set(path, entry);
    else if (total - size <= limit) onSkip({ path, reason: 'too_large', detail: tooMuch(limit) });
  }
  return { stamp: file.stamp, entries, skipped };
}

function tooMuch(limit: number): string {
  return `the documents up to this one have more than ${limit} bytes together, so this one and all later ones are left out`;
}
