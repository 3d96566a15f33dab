/** Chooses the documents among the entries of an archive, by the rules that hold for a folder with these files. */
import type { SkippedFile } from '../../core/ports.ts';
import { compareText } from '../../core/text/compare-text.ts';
import { isCacheFolder } from './build-folders.ts';
import { createChoice } from './choose-files.ts';
import type { FileRules } from './file-rules.ts';
import { type IgnoreLevel, MAX_RULES_BYTES, withRulesOf } from './ignore-files.ts';
import { tooLarge, unreadable } from './read-bytes.ts';
import type { ListedEntry, ZipEntry } from './zip-entries.ts';

/** Max folders of an archive. A short archive can name very many: one name can have 30,000. */
const MAX_FOLDERS = 200_000;

interface Folder {
  readonly files: Map<string, ListedEntry>;
  readonly folders: Map<string, Folder>;
}

/**
 * @param items one for each path
 * @returns the items that are documents and can be read, in order of their paths
 * @throws Error if the paths have too many folders
 */
export async function chooseEntries(
  items: readonly ListedEntry[],
  rules: FileRules,
  onSkip: (file: SkippedFile) => void,
): Promise<readonly ListedEntry[]> {
  const { entersFolder, takesFile } = createChoice('/', rules);
  const chosen: ListedEntry[] = [];
  const open: { path: string; folder: Folder; above: readonly IgnoreLevel[] }[] = [
    { path: '', folder: treeOf(items), above: [] },
  ];

  async function readRules(item: ListedEntry): Promise<Uint8Array | SkippedFile> {
    try {
      return problemOf(item, MAX_RULES_BYTES) ?? (await item.read());
    } catch (error) {
      return unreadable(item.path, error);
    }
  }

  // The list grows during the loop.
  for (const { path, folder, above } of open) {
    const { files, folders } = folder;
    const names = new Set([...files.keys(), ...folders.keys()]);
    if (path !== '' && isCacheFolder(names)) continue;
    const rulesOf = (name: string) => readRules(files.get(name)!);
    const levels = await withRulesOf(`/${path}`, new Set(files.keys()), above, rulesOf, onSkip);
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
