/** The documents in a ZIP archive as a source. Nothing is unpacked to the disk. */
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { DocfuseError } from '../../core/errors.ts';
import type { Source } from '../../core/ports.ts';
import { stampOf } from './file-bytes.ts';
import { createFileRules, type FileRulesOptions } from './file-rules.ts';
import { rootUnreadable, unreadable } from './read-bytes.ts';
import type { ZipListing } from './zip-listing.ts';

const TWICE = 'The archive holds several files of this name; the last one was read.';

/**
 * Makes a source of the files in an archive, by the rules that hold for a folder with these files. Reads the directory of the
 * archive again only if the archive has changed. `altered` of an entry is its checksum, so a sync reads only the entries that
 * differ. `list` and `read` throw DocfuseError `not_found` if the file is missing or no archive.
 */
export function createZipSource(options: FileRulesOptions): Source {
  const { root } = options;
  const rules = createFileRules(options);
  let listing: ZipListing | undefined;
  /** Names of the archive: the name that the user gave and, if that is a link, the name of its target. */
  let names: readonly string[] = [basename(root)];

  async function relist(real: string, signal?: AbortSignal): Promise<ZipListing> {
    const { readListing } = await import('./zip-listing.ts'); // loads yauzl
    try {
      if (listing?.stamp !== stampOf(await stat(real))) listing = await readListing(real, rules, signal);
      return listing;
    } catch (cause) {
      signal?.throwIfAborted();
      throw new DocfuseError(
        'not_found',
        `${root} cannot be read as a ZIP archive (${(cause as Error).message.replace(/\.$/, '')}).`,
        'Make or download it again, or unpack it and search the folder.',
        { cause },
      );
    }
  }

  async function locate(): Promise<{ readonly real: string; readonly folders: ReadonlySet<string> }> {
    try {
      const real = await realpath(root);
      return { real, folders: new Set([await realpath(dirname(resolve(root))), dirname(real)]) };
    } catch (cause) {
      throw rootUnreadable(root, cause);
    }
  }

  return {
    async *list(onSkip, signal, { within, onFolder } = {}) {
      signal?.throwIfAborted();
      const { real, folders } = await locate();
      names = [basename(root), basename(real)];
      for (const place of folders) onFolder?.({ path: '', place });
      const { entries, skipped } = await relist(real, signal);
      for (const each of skipped) if (within?.covers(each.path) !== false) onSkip(each);
      for (const { path, size, modified, crc } of entries.values()) {
        signal?.throwIfAborted();
        if (within?.covers(path) !== false) yield { path, size, modified, altered: crc };
      }
    },
    touchedBy: (path) => (names.includes(path) ? '' : undefined),
    async read(path, signal) {
      const { entries } = listing ?? (await relist((await locate()).real, signal));
      const entry = entries.get(path);
      if (!entry) return { path, reason: 'unreadable', detail: `no such entry in ${root}` };
      try {
        const read = await rules.textOf(path, entry.read, signal);
        return 'text' in read && entry.isTwice ? { ...read, warnings: [...read.warnings, TWICE] } : read;
      } catch (error) {
        signal?.throwIfAborted();
        return unreadable(path, error);
      }
    },
  };
}
