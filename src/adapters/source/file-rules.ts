/** Decides by names and sizes which files of a tree are documents, and makes their text. */
import { createHash } from 'node:crypto';
import { formatOf, READ_FILES } from '../../core/model/formats.ts';
import type { Converter, SkippedFile, SourceText } from '../../core/ports.ts';
import { globMatcher } from '../../core/query/glob.ts';
import { decodeText } from './decode-text.ts';

export interface FileRulesOptions {
  /** A folder, an archive, or a single file: then the collection has only this file. */
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

export type FileRules = ReturnType<typeof createFileRules>;

const MAX_BYTES = 10 * 1024 * 1024;
/** Pictures make PDF and Office files large, but their text is short. */
const MAX_OFFICE_BYTES = 10 * MAX_BYTES;

export function createFileRules(options: FileRulesOptions) {
  const { include = READ_FILES, exclude = [], converter } = options;
  const isIncludedLower = anyOf(include.map((glob) => glob.toLowerCase()));
  return {
    /** All paths are relative to the root, with `/`. */
    isIncluded: (path: string) => isIncludedLower(path.toLowerCase()),
    isExcluded: anyOf(exclude),
    maxBytesOf: (path: string) =>
      options.maxBytes ?? (formatOf(path)?.converter === 'office' ? MAX_OFFICE_BYTES : MAX_BYTES),

    /** Makes the text of a file. Does not call `readFile` if the format needs a package that is missing. */
    async textOf(
      path: string,
      readFile: () => Promise<Uint8Array | SkippedFile>,
      signal?: AbortSignal,
    ): Promise<SourceText | SkippedFile> {
      const missing = converter?.missingPackages(path) ?? [];
      if (missing.length > 0) return { path, reason: 'needs_package', detail: missing.join(' ') };
      const bytes = await readFile();
      if (!(bytes instanceof Uint8Array)) return bytes;
      const hash = createHash('sha256').update(bytes).digest('hex');
      const converted = await converter?.convert(path, bytes, signal);
      if (converted) {
        if ('problem' in converted) return { path, reason: 'not_converted', detail: converted.problem };
        return { text: converted.text, warnings: [], hash };
      }
      const decoded = decodeText(bytes);
      return decoded === undefined ? { path, reason: 'binary' } : { ...decoded, hash };
    },
  };
}

function anyOf(globs: readonly string[]): (path: string) => boolean {
  const all = globs.map(toGlob);
  // Most globs only name an extension. To look it up takes a tenth of the time.
  const extensions = new Set(all.flatMap((glob) => EXTENSION.exec(glob)?.[1] ?? []));
  const matchers = all.filter((glob) => !EXTENSION.test(glob)).map(globMatcher);
  return (path) =>
    (extensions.size > 0 && extensions.has(extname(path))) || matchers.some((matches) => matches(path));
}

/** Matches a glob for all files with an extension. */
const EXTENSION = /^\*\*\/\*(\.[a-zA-Z0-9]+)$/;

/** Returns the extension with its dot, also if the name has nothing else. */
function extname(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.slice(Math.max(0, name.lastIndexOf('.')));
}

/** Makes a glob. A pattern without `/` matches names at any depth; a pattern with `/`, such as `./notes`, starts at the root. */
function toGlob(pattern: string): string {
  const path = pattern.replace(/\/$/, '');
  return path.includes('/') ? path.replace(/^(?:\.?\/)+/, '') : `**/${path}`;
}
