/** A folder of text files on disk as a source of documents. */
import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { formatOf, READ_FILES } from '../../core/model/formats.ts';
import type { Converter, SkippedFile, Source, SourceText } from '../../core/ports.ts';
import { globMatcher } from '../../core/query/glob.ts';
import { marksBuild } from './build-folders.ts';
import { decodeText } from './decode-text.ts';
import { isIgnoreFile } from './ignore-files.ts';
import { isInside, readBytes, rootUnreadable, tooLarge, unreadable } from './read-bytes.ts';
import { walk } from './walk.ts';

export interface FolderSourceOptions {
  /** A folder, or a single file: then the collection has only this file. */
  readonly root: string;
  /**
   * Globs over paths relative to the root; a glob without `/` matches a name at any depth. Letter case is ignored, so `*.md`
   * matches `README.MD`. @default READ_FILES
   */
  readonly include?: readonly string[] | undefined;
  /** Globs of files and folders to leave out; letter case matters. @default [] */
  readonly exclude?: readonly string[] | undefined;
  /** Maximum size of a file in bytes; larger files are left out. @default 10 MiB, 100 MiB for PDF and Office files */
  readonly maxBytes?: number | undefined;
  /** Reads files in formats other than text. Without it, such files are binary. */
  readonly converter?: Converter | undefined;
}

const MAX_BYTES = 10 * 1024 * 1024;
/** Pictures make PDF and Office files large, but their text is short. */
const MAX_OFFICE_BYTES = 10 * MAX_BYTES;

/**
 * The source leaves out ignored and hidden files, `node_modules` and build folders (walk.ts, build-folders.ts). A root that is a
 * single file is read, whatever its name. `list` and `read` throw DocfuseError `not_found` if the root is missing.
 */
export function createFolderSource(options: FolderSourceOptions): Source {
  const { root, include = READ_FILES, exclude = [], converter } = options;
  const maxBytesOf = (path: string) =>
    options.maxBytes ?? (formatOf(path)?.converter === 'office' ? MAX_OFFICE_BYTES : MAX_BYTES);
  const isIncludedLower = anyOf(include.map((glob) => glob.toLowerCase()));
  const isIncluded = (path: string) => isIncludedLower(path.toLowerCase());
  const isExcluded = anyOf(exclude);
  // Each listing locates the root again; `read` uses the result.
  let located: Promise<Place> | undefined;
  let single: Place['only'];

  return {
    async *list(onSkip, signal, listOptions) {
      located = locate(root);
      const { folder, only } = await located;
      single = only;
      if (only === undefined) {
        yield* await walk({
          root: folder,
          isIncluded,
          isExcluded,
          maxBytesOf,
          onSkip,
          signal,
          ...listOptions,
        });
        return;
      }
      // Watch both folders: a changed link is an event in the link's folder; a changed target is an event in the target's folder.
      for (const place of new Set([folder, dirname(only.real)])) listOptions?.onFolder?.({ path: '', place });
      if (listOptions?.within?.covers(only.name) === false) return;
      const { size, mtimeMs, ctimeMs } = await stat(only.real);
      if (size > maxBytesOf(only.name)) onSkip(tooLarge(only.name, size, maxBytesOf(only.name)));
      else yield { path: only.name, size, modified: mtimeMs, altered: ctimeMs };
    },

    touchedBy(path, isFolder) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      const folder = path.slice(0, Math.max(0, path.length - name.length - 1));
      if (single) return path === single.name || path === basename(single.real) ? single.name : undefined;
      // A file with this name decides which other files are read.
      if (isIgnoreFile(name) || marksBuild(name)) return folder;
      if (HIDDEN.test(path) || name === 'node_modules' || isExcluded(path)) return undefined;
      return isFolder || isIncluded(path) ? path : undefined;
    },

    async read(path, signal) {
      located ??= locate(root);
      const { folder, only } = await located;
      try {
        const real = await realpath(join(folder, path));
        const belongs = only === undefined ? isInside(real, folder) : path === only.name;
        if (!belongs) return { path, reason: 'outside_root', detail: `leads to ${real}` };
        const missing = converter?.missingPackages(path) ?? [];
        if (missing.length > 0) return { path, reason: 'needs_package', detail: missing.join(' ') };
        const bytes = await readBytes(real, path, maxBytesOf(path));
        return bytes instanceof Uint8Array ? await toText(bytes, path, converter, signal) : bytes;
      } catch (error) {
        signal?.throwIfAborted();
        return unreadable(path, error);
      }
    },
  };
}

/** Matches hidden files, and everything inside hidden folders. */
const HIDDEN = /(?:^|\/)\./;

function anyOf(globs: readonly string[]): (path: string) => boolean {
  const matchers = globs.map((glob) => globMatcher(toGlob(glob)));
  return (path) => matchers.some((matches) => matches(path));
}

/** Makes a glob. A pattern without `/` matches names at any depth; a pattern with `/`, such as `./notes`, starts at the root. */
function toGlob(pattern: string): string {
  const path = pattern.replace(/\/$/, '');
  return path.includes('/') ? path.replace(/^(?:\.?\/)+/, '') : `**/${path}`;
}

interface Place {
  /** The folder that all paths are relative to; its own path has no symbolic links. */
  readonly folder: string;
  /** If the root is a file: its name, and its path without symbolic links. */
  readonly only?: { readonly name: string; readonly real: string };
}

async function locate(root: string): Promise<Place> {
  try {
    const real = await realpath(root);
    const stats = await stat(real);
    if (stats.isDirectory()) return { folder: real };
    if (!stats.isFile()) throw new Error('it is neither a file nor a folder');
    // Keep the name that the user gave, even if it is a link to a file elsewhere.
    return { folder: await realpath(dirname(resolve(root))), only: { name: basename(root), real } };
  } catch (cause) {
    throw rootUnreadable(root, cause);
  }
}

async function toText(
  bytes: Uint8Array,
  path: string,
  converter: Converter | undefined,
  signal: AbortSignal | undefined,
): Promise<SourceText | SkippedFile> {
  const hash = createHash('sha256').update(bytes).digest('hex');
  const converted = await converter?.convert(path, bytes, signal);
  if (converted) {
    if ('problem' in converted) return { path, reason: 'not_converted', detail: converted.problem };
    return { text: converted.text, warnings: [], hash };
  }
  const decoded = decodeText(bytes);
  return decoded === undefined ? { path, reason: 'binary' } : { ...decoded, hash };
}
