/** Where a path leads through links. */
import { realpathSync } from 'node:fs';

/** The path itself where nothing is there. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
