/** Decides which folders of a tree are entered and which files are taken. Leaves out what is hidden, excluded, ignored or built. */
import type { FileRules } from './file-rules.ts';
import { type IgnoreLevel, verdict } from './ignore-files.ts';

/** @param root the folder to which all given paths are relative, written as in the ignore levels, with `/` at the end */
export function createChoice(
  root: string,
  { isIncluded, isExcluded }: Pick<FileRules, 'isIncluded' | 'isExcluded'>,
) {
  return {
    /** @param beside all names in the parent folder */
    entersFolder(
      path: string,
      name: string,
      beside: ReadonlySet<string>,
      levels: readonly IgnoreLevel[],
    ): boolean {
      if (name.startsWith('.') || name === 'node_modules' || isExcluded(path)) return false;
      const said = verdict(levels, root + path, true);
      return said === 'kept' || (said === 'none' && !isBuildFolder(name, beside));
    },
    takesFile(path: string, levels: readonly IgnoreLevel[]): boolean {
      const hidden = path.startsWith('.', path.lastIndexOf('/') + 1);
      if (hidden || !isIncluded(path) || isExcluded(path)) return false;
      return verdict(levels, root + path, false) !== 'ignored';
    },
  };
}

/** Names of build folders. The name alone is not enough: one of the listed files must lie beside the folder. */
const MADE_BY: Readonly<Record<string, readonly string[]>> = {
  target: ['Cargo.toml', 'pom.xml', 'build.sbt'],
  dist: ['package.json', 'pyproject.toml', 'setup.py'],
  // The folder `logseq` holds settings, and backups of pages.
  logseq: ['pages', 'journals'],
  build: ['build.gradle', 'build.gradle.kts', 'CMakeLists.txt', 'setup.py'],
};

/** Name of the file that marks a cache folder; see bford.info/cachedir. */
const CACHE_TAG = 'CACHEDIR.TAG';

function isBuildFolder(name: string, beside: ReadonlySet<string>): boolean {
  return Object.hasOwn(MADE_BY, name) && MADE_BY[name]!.some((maker) => beside.has(maker));
}

/** @param names all names in the folder */
export function isCacheFolder(names: ReadonlySet<string>): boolean {
  return names.has(CACHE_TAG);
}

/** Whether a file with this name can make a folder a build folder or a cache folder. */
export function marksBuild(name: string): boolean {
  return name === CACHE_TAG || Object.values(MADE_BY).some((makers) => makers.includes(name));
}
