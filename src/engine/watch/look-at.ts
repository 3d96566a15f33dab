/** Tells whether what stands under a name is still what stood there, without reading it. */
import { realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Where a root really is, and which folder that is; of a single file the folder it lies in, since editors replace files.
 * @returns undefined if it cannot be read
 */
export function lookAtRoot(root: string): string | undefined {
  return lookedAt(() => {
    const real = realpathSync.native(root);
    const stats = statSync(real);
    return `${folderOf(stats.isDirectory() ? stats : statSync(dirname(real)))} ${real}`;
  });
}

/** Where a path leads, and which folder that is, if it is one; undefined for one that leads nowhere. */
export function lookAtTarget(path: string): string | undefined {
  return lookedAt(() => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return undefined;
    const real = realpathSync.native(path);
    return stats.isDirectory() ? `${folderOf(stats)} ${real}` : real;
  });
}

/** Which file a path leads to, and in what state, times and size; undefined for one that leads nowhere. */
export function lookAtContent(path: string): string | undefined {
  return lookedAt(() => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats && `${folderOf(stats)} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
  });
}

function folderOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

function lookedAt(look: () => string | undefined): string | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
