/** Watches the folders of collections. Each listing of files reports the folders that it reads; only these are watched. */
import type { PathScope } from '../../core/model/document.ts';
import type { FolderEvent, ListedFolder, Watcher } from '../../core/ports.ts';
import type { OpenCollection } from '../workspace/workspace-parts.ts';

export type CollectionWatch = ReturnType<typeof watchCollections>;
export type WatchPass = ReturnType<CollectionWatch['begin']>;

interface Watched {
  readonly collection: OpenCollection;
  /** `<collection>` or `<collection>/<folder>`. */
  readonly id: string;
}

export interface WatchOptions {
  readonly createWatcher: (onEvent: (event: FolderEvent) => void) => Watcher;
  /** Called with the id of a document that may be added, removed or changed, or of a folder with such documents. */
  readonly onChange: (id: string) => void;
  /**
   * Returns a value that changes if another process writes to the index or replaces it, or if a root is replaced. No event
   * reports these changes.
   */
  readonly edition: () => string;
}

export function watchCollections({ createWatcher, onChange, edition }: WatchOptions) {
  /** Watched folders by path, then by collection: two collections may read the same folder. */
  const watched = new Map<string, Map<string, Watched>>();
  const problems = new Map<string, string>();
  /** The edition when the last complete listing began. Set only after all listed files were read. */
  let listedEdition: string | undefined;
  /** A listing that runs when this is closed must not watch further folders: nobody would close them. */
  let isClosed = false;
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
    /**
     * Begins a listing, and collects the folders to watch.
     * @param within ids of the documents and folders to list; if undefined, all are listed
     */
    begin(within: PathScope | undefined) {
      /** For each listed folder, the collections that listed it. */
      const met = new Map<string, Set<string>>();
      const renewed = new Set<string>();
      const editionBefore = edition();
      return {
        onFolder(collection: OpenCollection, { path, place }: ListedFolder): void {
          if (isClosed) return;
          const { name } = collection;
          const id = path === '' ? name : `${name}/${path}`;
          const metBy = met.get(place) ?? new Set();
          met.set(place, metBy.add(name));
          if (path === '') problems.delete(name);
          const here = watched.get(place) ?? new Map<string, Watched>();
          // A folder above `within` is listed only to reach `within`. It may be watched already.
          if (within && !within.covers(id) && here.has(name)) return;
          watched.set(place, here.set(name, { collection, id }));
          if (renewed.has(place)) return;
          renewed.add(place);
          const problem = watcher.watch(place);
          if (problem) problems.set(place, problem);
          else problems.delete(place);
        },
        /** Reports a missing root: folders of the collection are not watched until a listing finds the root again. */
        onAway(name: string, problem: string): void {
          if (isClosed) return;
          problems.set(name, problem);
          for (const place of watched.keys()) forget(place, name);
        },
        /** Call this after the listed files are read. Stops watching folders in `within` that were not listed. */
        end(): void {
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
    problem: (): string | undefined => problems.values().next().value,
    mustCompare: () => listedEdition !== undefined && listedEdition !== edition(),
    /** @param replaced whether another watch begins, so that `problem` must say that this one has ended */
    close(replaced = false) {
      isClosed = true;
      watcher.close();
      problems.clear();
      if (replaced) problems.set('', 'Nothing is watched: a later watch replaced this one.');
    },
  };
}
