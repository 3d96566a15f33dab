/** Watches the folders of some collections: which are to be watched it learns from listings, so only what is read is watched. */
import type { PathScope } from '../core/model/path-scope.ts';
import type { FolderEvent, ListedFolder, Watcher } from '../core/ports.ts';
import { identityOf } from './identity-of.ts';
import type { OpenCollection } from './workspace.ts';

/** What has to be watched, told by whoever lists it. */
export interface WatchPass {
  /** A collection is about to be listed. */
  onCollection(collection: OpenCollection): void;
  onFolder(collection: OpenCollection, folder: ListedFolder): void;
  /** The root of a collection is not there; nothing is watched until it is met again. */
  onAway(collection: string, problem: string): void;
  /** Everything that was to be listed has been; watched folders in `within` that were not met again have gone. */
  end(): void;
}

export interface CollectionWatch {
  /** Begins listing what `within`, ids of documents and folders, covers. */
  begin(within: PathScope | undefined): WatchPass;
  /** Why changes may go untold, one sentence; undefined while all will be. */
  problem(): string | undefined;
  /** Whether a root is another folder than the one last listed as a whole; of that the system does not always tell. */
  hasMoved(): boolean;
  close(): void;
}

interface Watched {
  readonly collection: OpenCollection;
  /** `<collection>` or `<collection>/<folder>`. */
  readonly id: string;
}

/**
 * @param onChange told the id of a document that may have come, gone or changed, or of a folder with such documents
 */
export function watchCollections(
  createWatcher: (onEvent: (event: FolderEvent) => void) => Watcher,
  onChange: (id: string) => void,
): CollectionWatch {
  const watched = new Map<string, Watched>();
  const problems = new Map<string, string>();
  /** What each root was just before it was listed as a whole. */
  const identities = new Map<string, string | undefined>();
  const watcher = createWatcher(({ folder, name, isFolder }) => {
    const place = watched.get(folder);
    if (!place) return;
    const { collection, id } = place;
    const inside = name === undefined ? id : `${id}/${name}`;
    const touched = collection.source.touchedBy(inside.slice(collection.name.length + 1), isFolder);
    if (touched !== undefined) onChange(touched === '' ? collection.name : `${collection.name}/${touched}`);
  });

  function forget(place: string): void {
    watcher.unwatch(place);
    watched.delete(place);
    problems.delete(place);
  }

  return {
    begin(within) {
      const met = new Set<string>();
      return {
        onCollection({ root }) {
          if (!within) identities.set(root, identityOf(root));
        },
        onFolder(collection, { path, place }) {
          const { name } = collection;
          const id = path === '' ? name : `${name}/${path}`;
          met.add(place);
          if (path === '') problems.delete(name);
          // One on the way to what is listed is watched already.
          if (within && !within.covers(id) && watched.has(place)) return;
          watched.set(place, { collection, id });
          const problem = watcher.watch(place);
          if (problem) problems.set(place, problem);
          else problems.delete(place);
        },
        onAway(name, problem) {
          problems.set(name, problem);
          for (const [place, { collection }] of watched) if (collection.name === name) forget(place);
        },
        end() {
          for (const [place, { id }] of watched) {
            if (!met.has(place) && within?.covers(id) !== false) forget(place);
          }
        },
      };
    },
    problem() {
      const [first] = problems.values();
      return first;
    },
    hasMoved: () => [...identities].some(([root, identity]) => identityOf(root) !== identity),
    close: () => watcher.close(),
  };
}
