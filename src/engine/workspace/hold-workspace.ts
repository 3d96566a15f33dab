/**
 * Opens the workspace of an index at its first use and keeps it open. Opens it again if another process has replaced the index.
 */
import { DocfuseError } from '../../core/errors.ts';
import type { IndexEdition, IndexPlace, Store } from '../../core/storage.ts';
import { refuseEmpty, requireFilled, requireRoot, troubleWithRoot } from '../check-roots.ts';
import { compareMounts } from '../compare-mounts.ts';
import type { Workspace } from './workspace.ts';
import type { CollectionRoot } from './workspace-parts.ts';

interface HoldOptions {
  readonly place: IndexPlace;
  /** Path of the index, for messages. */
  readonly indexPath: string;
  readonly collections: readonly CollectionRoot[];
  /** Whether the configuration names the roots. Otherwise, a call with only some roots must not remove the other documents. */
  readonly configured: boolean;
  readonly openOver: (store: Store) => Workspace;
  /** Resolves when all calls that use the open workspace have ended. */
  readonly unused: () => Promise<void>;
}

/** Opens nothing before the first use: a rebuild must be possible without opening a damaged index. */
export function holdWorkspace(options: HoldOptions) {
  const { place, collections, openOver, unused } = options;
  let workspace: Workspace | undefined;
  let edition: IndexEdition | undefined;
  /** How often the workspace was opened, plus how often another process had written to the index. */
  let generation = 0;
  /** The value of `generation` when `requireRelated` last ran. */
  let checkedGeneration = -1;

  /**
   * Returns the workspace with the current state of the index. A missing index is created if `make` is true. Otherwise the
   * workspace is empty, and nothing is written.
   * @throws DocfuseError `not_found` if the index and one of the roots are missing; also what opening throws
   */
  function current(make: boolean): Workspace {
    const found = place.edition();
    // A misspelt root must not create an empty index. If the index exists, a root may be missing for a while.
    if (found === undefined) for (const { root } of collections) requireRoot(root);
    if (workspace && isStale(workspace, found, make)) void release(unused);
    if (!workspace) {
      // Searching a missing index writes nothing.
      const opened = openOver(found === undefined && !make ? place.openEmpty() : place.open());
      if (!make) opened.catalog(); // loads it: most damage is found here, not in the middle of a search
      workspace = opened;
      edition = place.edition();
      generation++;
    }
    if (workspace.refresh()) generation++;
    return workspace;
  }

  /** Returns a text that changes when another process writes to the index or replaces it. */
  function currentEdition(): string {
    try {
      if (workspace?.refresh()) generation++;
    } catch {
      return 'unreadable'; // the next sync reports the error
    }
    return `${generation} ${place.edition()?.identity}`;
  }

  function isStale({ store }: Workspace, found: IndexEdition | undefined, make: boolean): boolean {
    // Another process created or rebuilt the index, so the open workspace shows a replaced index.
    if (found?.identity !== edition?.identity || (make && found === undefined)) return true;
    // A read-only connection sees neither the writes of other processes nor that the index has become writable.
    return store.readOnly && (make || found?.written !== edition?.written);
  }

  /**
   * Closes the open workspace when no call uses it any more. The next use opens a new workspace.
   * @param unneeded resolves when all calls that use the open workspace have ended
   */
  async function release(unneeded: () => Promise<void>): Promise<void> {
    const opened = workspace;
    workspace = undefined;
    if (!opened) return;
    await unneeded();
    await opened.close();
  }

  return {
    current,
    /**
     * Returns the current workspace.
     * @throws DocfuseError `usage` if the index was made of other roots; also all that `current` throws
     */
    related(make: boolean) {
      const opened = current(make);
      if (checkedGeneration !== generation) requireRelated(opened.store.getState('roots') ?? [], options);
      checkedGeneration = generation;
      return opened;
    },
    /**
     * Refuses a root that is missing, unless the index holds it and it may come back. If a run added a misspelt root, later calls
     * without it would be refused.
     * @throws DocfuseError `not_found`
     */
    requireNewRoots() {
      const missing = collections.filter(({ root }) => troubleWithRoot(root));
      const kept = missing.length > 0 ? place.origin().roots : [];
      for (const { root } of missing) if (!kept.includes(root)) requireRoot(root);
    },
    /**
     * Refuses to renew an index if documents would be lost: if it was made of other roots, if a root is missing, if a root that
     * had documents is empty, or if a drive inside a root is not mounted.
     * @throws DocfuseError `usage`, `not_found`
     */
    requireRenewable() {
      const { roots, filled, mounts } = place.origin();
      requireRelated(roots, options);
      // A new root can rename the other collections, but `filled` has the former names. Then no former root may be empty.
      const areNamesKept = collections.every(({ root }) => roots.includes(root));
      for (const { name, root } of collections) {
        requireRoot(root);
        // If the names are kept, a root that never had documents may be empty. A new root may always be empty.
        if (roots.includes(root) && (filled.includes(name) || !areNamesKept)) requireFilled(root);
      }
      for (const { path } of compareMounts(mounts, collections).unmounted) refuseEmpty(path);
    },
    /** Opens another workspace, which shows the index as it is now while others write it. The caller closes it. */
    frozen: () => openOver(place.edition() === undefined ? place.openEmpty() : place.openFrozen()),
    opened: () => workspace,
    edition: currentEdition,
    release,
  };
}

/** Refuses an index of other folders: a search would answer from those folders, and a sync would remove their documents. */
function requireRelated(held: readonly string[], { indexPath, configured, collections }: HoldOptions): void {
  const wanted = collections.map(({ root }) => root);
  const others = held.filter((root) => !wanted.includes(root));
  if (others.length === 0) return;
  const isPart = others.length < held.length;
  if (isPart && configured) return; // a root missing in the configuration was removed on purpose
  throw new DocfuseError(
    'usage',
    `The index ${indexPath} holds ${held.join(', ')}, ${isPart ? `but only ${wanted.join(', ')} is asked for` : `not ${wanted.join(', ')}`}.`,
    isPart
      ? 'Name all of these folders and filter by collection, choose another folder for the index, or rebuild it without the others.'
      : 'Choose another folder for the index, or replace this index by rebuilding it.',
  );
}
