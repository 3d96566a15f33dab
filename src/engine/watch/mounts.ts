/** File systems mounted inside a root. Mounting sends no event, and unmounting leaves an empty folder. */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import type { SkippedFile } from '../../core/ports.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { OpenCollection } from '../workspace/workspace-parts.ts';

interface Mount {
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** Differs for another file system at the same place; but once one has gone, Linux gives its number again. */
  readonly number: string;
}

/** What the system knows of this process; other systems than Linux have no such file. */
const TABLE = '/proc/self/mountinfo';

/** Text that differs when something is mounted in a root, or no longer. */
export function lookAtMounts(root: string): string {
  return mountsIn(root)
    .map(({ path, number }) => `${number} ${birthOf(`${root}/${path}`)} ${path}`)
    .join('\n');
}

/**
 * Folders in which another file system was when everything was last compared, and in which there is nothing now: what the index
 * holds of them is kept. Notes those that are there now, and those that may come back.
 */
export function mountsAway({ store, collections }: Workspace, note: boolean): SkippedFile[] {
  const known = store.getState('mounts') ?? [];
  const before = new Set(known);
  const now = new Set<string>();
  const away: SkippedFile[] = [];
  const noted: string[] = [];
  for (const { name, root, kind } of collections) {
    if (kind !== 'folder') continue;
    for (const { path } of mountsIn(root)) now.add(`${name}/${path}`);
    for (const id of before) {
      const path = id.slice(name.length + 1);
      if (!id.startsWith(`${name}/`) || now.has(id) || !mayComeBack(root, path)) continue;
      noted.push(id);
      if (countEntries(`${root}/${path}`) !== 0) continue; // its parent is missing, which is reported
      away.push({
        path: id,
        reason: 'unreadable',
        detail: 'there is nothing in it, as where a drive is not mounted',
      });
    }
  }
  const next = [...now, ...noted];
  if (note && next.join('\n') !== known.join('\n')) store.setState({ mounts: next });
  return away;
}

/** Creation time of a file system's top folder, or of the file system; 0 if unknown. */
function birthOf(folder: string): number {
  try {
    return statSync(folder).birthtimeMs;
  } catch {
    return 0;
  }
}

function mountsIn(root: OpenCollection['root']): readonly Mount[] {
  try {
    const within = `${realpathSync.native(root)}/`;
    return readFileSync(TABLE, 'utf8')
      .split('\n')
      .flatMap((line) => {
        const [number = '', , , , escaped = ''] = line.split(' ');
        const place = escaped.replace(/\\([0-7]{3})/g, (_, code) =>
          String.fromCharCode(Number.parseInt(code, 8)),
        );
        return place.startsWith(within) ? [{ path: place.slice(within.length), number }] : [];
      });
  } catch {
    return [];
  }
}

/** Whether the nearest readable folder on the way is empty, like the mount point of an absent drive. */
function mayComeBack(root: string, path: string): boolean {
  for (let at = path; ; at = posix.dirname(at)) {
    const entries = countEntries(`${root}/${at}`);
    if (entries !== undefined || at === '.') return !entries;
  }
}

/** @returns undefined for a folder that is not there, or may not be read */
function countEntries(folder: string): number | undefined {
  try {
    return readdirSync(folder).length;
  } catch {
    return undefined;
  }
}
