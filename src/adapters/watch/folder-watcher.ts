/** Watches folders through the operating system, with one handle per folder. */
import { existsSync, type FSWatcher, statfsSync, statSync, watch } from 'node:fs';
import { basename, join } from 'node:path';
import type { FolderEvent, Watcher } from '../../core/ports.ts';

/** Shared file systems, by their Linux number (statfs(2)). Changes by other machines cause no events on this machine. */
const SHARED_FILE_SYSTEMS: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB 2',
  1702057286: 'FUSE',
  16914839: '9P',
  1397113167: 'AFS',
  12805120: 'Ceph',
  2020557398: 'VirtualBox',
  198183888: 'Lustre',
  1196443219: 'GPFS',
  1952539503: 'OCFS2',
  18225520: 'GFS2',
  428016422: 'BeeGFS',
};

/**
 * @param onEvent called from the event loop, never during `watch`
 * @param typeOf returns the number of a folder's file system. @default asks Linux; undefined on other systems
 */
export function createFolderWatcher(
  onEvent: (event: FolderEvent) => void,
  typeOf: (folder: string) => number | undefined = fileSystemType,
): Watcher {
  const handles = new Map<string, FSWatcher>();

  function unwatch(folder: string): void {
    handles.get(folder)?.close();
    handles.delete(folder);
  }

  function listen(folder: string, name: string | null): void {
    const path = name === null ? folder : join(folder, name);
    // An event with the folder's own name is about the folder itself: it was moved or deleted.
    if (name === null || (name === basename(folder) && !existsSync(path)))
      onEvent({ folder, isFolder: true });
    else onEvent({ folder, name, isFolder: handles.has(path) || isFolder(path) });
  }

  return {
    watch(folder) {
      // Watch again even if a watch exists: the old watch may belong to a former folder at this path.
      const former = handles.get(folder);
      try {
        const handle = watch(folder, { persistent: true });
        handle.on('change', (_, name) => listen(folder, name as string | null));
        // The folder was deleted or, on some systems, moved. The next listing finds out which.
        handle.on('error', () => {
          if (handles.get(folder) === handle) unwatch(folder);
          onEvent({ folder, isFolder: true });
        });
        former?.close();
        handles.set(folder, handle);
        const shared = SHARED_FILE_SYSTEMS[typeOf(folder) ?? 0];
        return shared && `${folder} is on ${shared}, a file system that does not report every change.`;
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code === 'ENOENT' || code === 'ENOTDIR') return undefined; // deleted meanwhile; its parent reports that
        return `${folder} cannot be watched (${LIMITS[code ?? ''] ?? message}).`;
      }
    },
    unwatch,
    close() {
      for (const handle of handles.values()) handle.close();
      handles.clear();
    },
  };
}

/** Returns a text that changes if the folder or file at `root` is replaced, or a link there gets a new target. Empty if missing. */
export function rootIdentity(root: string): string {
  const stats = statSync(root, { throwIfNoEntry: false });
  return stats ? `${stats.dev}:${stats.ino}` : '';
}

const LIMITS: Readonly<Record<string, string>> = {
  ENOSPC: 'the system allows no more watches; on Linux raise fs.inotify.max_user_watches',
  EMFILE: 'the system allows no more watchers; on Linux raise fs.inotify.max_user_instances',
};

function fileSystemType(folder: string): number | undefined {
  return process.platform === 'linux' ? statfsSync(folder).type : undefined;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}
