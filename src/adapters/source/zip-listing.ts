/**
 * Lists the documents of a ZIP archive, by the rules that hold for a folder with its files; also those in the archives that Notion
 * packs into an export.
 */
import type { SkippedFile } from '../../core/ports.ts';
import { compareText } from '../../core/text/compare-text.ts';
import { createChoice, isCacheFolder } from './choose-files.ts';
import { type Bytes, bytesMadeOf, openFileBytes, slice } from './file-bytes.ts';
import type { FileRules } from './file-rules.ts';
import { type IgnoreLevel, MAX_RULES_BYTES, withRulesOf } from './ignore-files.ts';
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
/** Max folders of an archive. A short archive can name very many: one name can have 30,000. */
const MAX_FOLDERS = 200_000;

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
    else if (total - size <= limit) {
      const detail = `the documents up to this one have more than ${limit} bytes together, so this one and all later ones are left out`;
      onSkip({ path, reason: 'too_large', detail });
    }
  }
  return { stamp: file.stamp, entries, skipped };
}

interface Folder {
  readonly files: Map<string, ListedEntry>;
  readonly folders: Map<string, Folder>;
}

/**
 * @param items one for each path
 * @returns the items that are documents and can be read, in order of their paths
 * @throws Error if the paths have too many folders
 */
async function chooseEntries(
  items: readonly ListedEntry[],
  rules: FileRules,
  onSkip: (file: SkippedFile) => void,
): Promise<readonly ListedEntry[]> {
  const { entersFolder, takesFile } = createChoice('/', rules);
  const chosen: ListedEntry[] = [];
  const open: { path: string; folder: Folder; above: readonly IgnoreLevel[] }[] = [
    { path: '', folder: treeOf(items), above: [] },
  ];

  // The list grows during the loop.
  for (const { path, folder, above } of open) {
    const { files, folders } = folder;
    const names = new Set([...files.keys(), ...folders.keys()]);
    if (path !== '' && isCacheFolder(names)) continue;
    const readRules = async (name: string) => {
      const item = files.get(name)!;
      return problemOf(item, MAX_RULES_BYTES) ?? item.read().catch((error) => unreadable(item.path, error));
    };
    const levels = await withRulesOf(`/${path}`, new Set(files.keys()), above, readRules, onSkip);
    for (const [name, item] of files) if (takesFile(path + name, levels)) chosen.push(item);
    for (const [name, inner] of folders)
      if (entersFolder(path + name, name, names, levels))
        open.push({ path: `${path + name}/`, folder: inner, above: levels });
  }
  const readable = chosen.filter((item) => {
    const problem = problemOf(item, rules.maxBytesOf(item.path));
    if (problem) onSkip(problem);
    return !problem;
  });
  return readable.sort((a, b) => compareText(a.path, b.path));
}

function problemOf({ path, problem, size, packedSize }: ZipEntry, maxBytes: number): SkippedFile | undefined {
  if (problem !== undefined) return { path, reason: 'unreadable', detail: problem };
  const most = Math.max(size, packedSize);
  return most > maxBytes ? tooLarge(path, most, maxBytes) : undefined;
}

function treeOf(items: readonly ListedEntry[]): Folder {
  const newFolder = (): Folder => ({ files: new Map(), folders: new Map() });
  const root = newFolder();
  let count = 0;
  for (const item of items) {
    let folder = root;
    const names = item.path.split('/');
    const name = names.pop()!;
    for (const each of names) {
      const inner = folder.folders.get(each) ?? newFolder();
      if (!folder.folders.has(each) && ++count > MAX_FOLDERS)
        throw new Error(`it has more than ${MAX_FOLDERS} folders`);
      folder.folders.set(each, inner);
      folder = inner;
    }
    folder.files.set(name, item);
  }
  return root;
}
