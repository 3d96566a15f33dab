/** Finds unplugged drives: their folders are empty, but the index must keep their documents. */
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { posix } from 'node:path';
import type { SkippedFile } from '../core/ports.ts';
import type { CollectionRoot } from './workspace/workspace-parts.ts';

/** Linux lists the mounted file systems here; other systems do not have this file. */
const MOUNT_TABLE = '/proc/self/mountinfo';

/**
 * Compares the mount points inside roots with the mount points of the last comparison.
 * @returns `mounts`: ids of the folders that are mount points, or were mount points and may be again; `unmounted`: folders that
 *   were mount points and are empty now. The caller keeps their documents in the index
 */
export function compareMounts(known: readonly string[], collections: readonly CollectionRoot[]) {
  const before = new Set(known);
  const now = new Set<string>();
  const unmounted: SkippedFile[] = [];
  const noted: string[] = [];
  for (const { name, root, kind } of collections) {
    if (kind !== 'folder') continue;
    for (const path of mountsIn(root)) now.add(`${name}/${path}`);
    for (const id of before) {
      const path = id.slice(name.length + 1);
      if (!id.startsWith(`${name}/`) || now.has(id) || !mayComeBack(root, path)) continue;
      noted.push(id);
      if (countEntries(`${root}/${path}`) !== 0) continue; // the folder is missing, because the drive that contains it is unplugged too
      unmounted.push({
        path: id,
        reason: 'unreadable',
        detail: 'it is empty; maybe its drive is not mounted',
      });
    }
  }
  return { mounts: [...now, ...noted], unmounted };
}

/** Returns the mount points inside the root, relative to it, with `/`. */
function mountsIn(root: string): readonly string[] {
  try {
    const within = `${realpathSync.native(root)}/`;
    return readFileSync(MOUNT_TABLE, 'utf8')
      .split('\n')
      .map((line) => line.split(' ')[4] ?? '')
      .map((escaped) => escaped.replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(parseInt(code, 8))))
      .flatMap((place) => (place.startsWith(within) ? place.slice(within.length) : []));
  } catch {
    return [];
  }
}

/** Whether a drive may be mounted again: the folder, or its nearest readable parent, is empty like an unused mount point. */
function mayComeBack(root: string, path: string): boolean {
  for (let at = path; ; at = posix.dirname(at)) {
    const entries = countEntries(`${root}/${at}`);
    if (entries !== undefined || at === '.') return !entries;
  }
}

/** @returns undefined for a folder that is missing or may not be read */
function countEntries(folder: string): number | undefined {
  try {
    return readdirSync(folder).length;
  } catch {
    return undefined;
  }
}
