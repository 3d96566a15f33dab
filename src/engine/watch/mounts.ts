/** File systems mounted inside a root. Of their coming no event tells, and one that has gone leaves an empty folder. */
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import type { SkippedFile } from '../../core/ports.ts';
import type { OpenCollection, Workspace } from '../workspace/workspace.ts';

interface Mount {
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** Differs for another file system at the same place. */
  readonly number: string;
}

/** What the system knows of this process; other systems than Linux have no such file. */
const TABLE = '/proc/self/mountinfo';

/** Text that differs when something is mounted in a root, or no longer. */
export function lookAtMounts(root: string): string {
  return mountsIn(root)
    .map(({ path, number }) => `${number} ${path}`)
    .join('\n');
}

/**
 * Folders in which another file system was when everything was last compared, and in which there is nothing now: what the index
 * holds of them is kept. Notes those that are there now.
 */
export function mountsAway({ store, collections }: Workspace, note: boolean): SkippedFile[] {
  const known = store.getMeta('mounts') ?? '[]';
  const before = new Set(JSON.parse(known) as string[]);
  const now = new Set<string>();
  const away: SkippedFile[] = [];
  for (const { name, root, kind } of collections) {
    if (kind !== 'folder') continue;
    for (const { path } of mountsIn(root)) now.add(`${name}/${path}`);
    for (const id of before) {
      if (!id.startsWith(`${name}/`) || now.has(id) || !isEmpty(`${root}/${id.slice(name.length + 1)}`))
        continue;
      away.push({
        path: id,
        reason: 'unreadable',
        detail: 'there is nothing in it, as where a drive is not mounted',
      });
    }
  }
  const noted = JSON.stringify([...now, ...away.map(({ path }) => path)]);
  if (note && noted !== known) store.setMeta('mounts', noted);
  return away;
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

function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch {
    return false;
  }
}
