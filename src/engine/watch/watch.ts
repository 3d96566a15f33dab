/** Watches the folders of some collections. Listings name them, so only folders that are read are watched. */
import type { PathScope } from '../../core/model/document.ts';
import type { FolderEvent, ListedFolder, Watcher } from '../../core/ports.ts';
import type { OpenCollection } from '../workspace/workspace-parts.ts';

/** What one listing says about the folders to watch. */
export interface WatchPass {
  onFolder(collection: OpenCollection, folder: ListedFolder): void;
  /** The root of a collection is not there; nothing is watched until it is met again. */
  onAway(collection: string, problem: string): void;
  /**
   * The listing is complete and its files are read; watched folders in `within` that it did not meet no longer exist.
   */
  end(): void;
}

export interface CollectionWatch {
  /** Begins listing what `within`, ids of documents and folders, covers. */
  begin(within: PathScope | undefined): WatchPass;
  /** Why changes may be missed, one sentence; undefined while none will be. */
  problem(): string | undefined;
  /** Whether the edition changed since everything was last listed. */
  mustCompare(): boolean;
  close(): void;
}

interface Watched {
  readonly collection: OpenCollection;
  /** `<collection>` or `<collection>/<folder>`. */
  readonly id: string;
}

export interface WatchOptions {
  readonly createWatcher: (onEvent: (event: FolderEvent) => void) => Watcher;
  /** Told the id of a document that may have come, gone or changed, or of a folder with such documents. */
  readonly onChange: (id: string) => void;
  /** Changes when another process writes to the index or replaces it, and when a root is replaced: no event reports either. */
  readonly edition: () => string;
}

export function watchCollections({ createWatcher, onChange, edition }: WatchOptions): CollectionWatch {
  /** By folder and by collection: two of them may read the same folder. */
  const watched = new Map<string, Map<string, Watched>>();
  const problems = new Map<string, string>();
  /** The edition at the start of the last complete listing whose files were all read. */
  let listedEdition: string | undefined;
  const watcher = createWatcher(({ folder, name, isFolder }) => {
    for (const { collection, id } of watched.get(folder)?.values() ?? []) {
      const inside = name === undefined ? id : `${id}/${name}`;
      const touched = collection.source.touchedBy(inside.slice(collection.name.length + 1), isFolder);
      if (touched !== undefined) onChange(touched === '' ? collection.name : `${collection.name}/${touched}`);
    }
  });

  function forget(place: string, collection: string): void {
    const here = watched.get(place);
    here?.delete(collection);
    if (here && here.size > 0) return;
    watcher.unwatch(place);
    watched.delete(place);
    problems.delete(place);
  }

  return {
    begin(within) {
      /** Collections by the folders in which they were met. */
      const met = new Map<string, Set<string>>();
      const renewed = new Set<string>();
      const editionBefore = edition();
      return {
        onFolder(collection, { path, place }) {
          const { name } = collection;
          const id = path === '' ? name : `${name}/${path}`;
          const metBy = met.get(place) ?? new Set();
          met.set(place, metBy.add(name));
          if (path === '') problems.delete(name);
          const here = watched.get(place) ?? new Map<string, Watched>();
          // One on the way to what is listed is watched already.
          if (within && !within.covers(id) && here.has(name)) return;
          watched.set(place, here.set(name, { collection, id }));
          if (renewed.has(place)) return;
          renewed.add(place);
          const problem = watcher.watch(place);
          if (problem) problems.set(place, problem);
          else problems.delete(place);
        },
        onAway(name, problem) {
          problems.set(name, problem);
          for (const place of watched.keys()) forget(place, name);
        },
        end() {
          for (const [place, here] of watched) {
            for (const { id, collection } of here.values()) {
              if (!met.get(place)?.has(collection.name) && within?.covers(id) !== false)
                forget(place, collection.name);
            }
          }
          if (!within) listedEdition = editionBefore;
        },
      };
    },
    problem() {
      const [first] = problems.values();
      return first;
    },
    mustCompare: () => listedEdition !== undefined && listedEdition !== edition(),
    close: () => watcher.close(),
  };
}
