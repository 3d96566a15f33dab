/** Decides which folders of a tree are entered and which files are taken. Leaves out what is hidden, excluded, ignored or built. */
import { isBuildFolder } from './build-folders.ts';
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
