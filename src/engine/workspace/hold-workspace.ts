/**
 * Keeps the workspace of an index open from its first use on, and opens it again if another process replaced
 * the index.
 */
import { DocfuseError } from '../../core/errors.ts';
import type { IndexEdition, IndexPlace, Store } from '../../core/storage.ts';
import { requireRoot } from '../require-root.ts';
import type { Workspace } from './workspace.ts';

interface HoldOptions {
  readonly place: IndexPlace;
  /** As people name the index. */
  readonly indexPath: string;
  readonly roots: readonly string[];
  /** Whether the caller named them: a call for some of the roots is no wish to forget the others. */
  readonly named: boolean;
  readonly openOver: (store: Store) => Workspace;
  /** Resolves when all calls have ended that may read or write what is open now. */
  readonly unused: () => Promise<void>;
}

/** Nothing is opened before the first use, so that a damaged index can still be rebuilt. */
export function holdWorkspace(options: HoldOptions) {
  const { place, roots, openOver, unused } = options;
  let workspace: Workspace | undefined;
  let edition: IndexEdition | undefined;
  /** How often another process had changed or replaced the index. */
  let surprises = 0;
  /** The number of surprises when the roots of the index were last compared. */
  let compared = -1;

  /**
   * The index as it is now. With `make`, a missing one is made; without it, a missing one is empty and nothing is written.
   * @throws DocfuseError `not_found` when neither the index nor a root is there, and what opening throws
   */
  function current(make: boolean): Workspace {
    const found = place.edition();
    // A misspelt folder must not leave an empty index behind; one that is away for a while keeps its own.
    if (found === undefined) for (const root of roots) requireRoot(root);
    if (workspace && isStale(workspace, found, make)) void release(unused);
    if (!workspace) {
      // A question to a missing index leaves no trace.
      workspace = openOver(found === undefined && !make ? place.openEmpty() : place.open());
      edition = place.edition();
      surprises++;
    }
    if (workspace.refresh()) surprises++;
    return workspace;
  }

  /** Differs after others wrote to the index, or put another one in its place. */
  function currentEdition(): string {
    try {
      if (workspace?.refresh()) surprises++;
    } catch {
      return 'unreadable'; // the next sync says why
    }
    return `${surprises} ${place.edition()?.identity}`;
  }

  function isStale({ store }: Workspace, found: IndexEdition | undefined, make: boolean): boolean {
    // Another process made or rebuilt the index: what is open here is no longer it.
    if (found?.identity !== edition?.identity || (make && found === undefined)) return true;
    // An index opened read-only does not notice writes by others, nor that it has become writable.
    return store.readOnly && (make || found?.written !== edition?.written);
  }

  /**
   * Closes what is open as soon as it is unused; the next use opens it again.
   * @param unneeded resolves when no call needs any more what is open now
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
    /** The same, if it is the index of these roots. @throws DocfuseError `usage` too */
    related(make: boolean) {
      const opened = current(make);
      if (compared !== surprises) requireRelated(opened, options);
      compared = surprises;
      return opened;
    },
    /** The workspace if it is open; opens nothing. */
    opened: () => workspace,
    edition: currentEdition,
    release,
  };
}

/** An index must not be opened for other folders: it would answer from those it holds, or drop them. */
function requireRelated({ store, collections }: Workspace, { indexPath, named }: HoldOptions): void {
  const held = store.getState('roots') ?? [];
  const wanted = collections.map(({ root }) => root);
  const others = held.filter((root) => !wanted.includes(root));
  if (others.length === 0) return;
  const isPart = others.length < held.length;
  if (isPart && !named) return; // a configuration is written once and meant to last
  throw new DocfuseError(
    'usage',
    `The index ${indexPath} holds ${held.join(', ')}, ${isPart ? `and only ${wanted.join(', ')} was asked for` : `not ${wanted.join(', ')}`}.`,
    isPart
      ? 'Name all of them and filter by collection, give another folder for the index, or forget the others by rebuilding it.'
      : 'Give another folder for the index, or replace this one by rebuilding it.',
  );
}
