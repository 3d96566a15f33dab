/** Tells a folder from another one that stands under its name. */
import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Where a root really is, and which folder that is; of a single file the folder it lies in, since editors replace files.
 * @returns undefined for what cannot be had
 */
export function identityOf(root: string): string | undefined {
  try {
    const real = realpathSync.native(root);
    const stats = statSync(real);
    const { dev, ino } = stats.isDirectory() ? stats : statSync(dirname(real));
    return `${dev}:${ino} ${real}`;
  } catch {
    return undefined;
  }
}
