/** Links and communities in memory, loaded from the store when first asked for. */
import { createLinkGraph, type LinkGraph } from '../../core/graph/link-graph.ts';
import type { Catalog } from '../../core/indexes/catalog.ts';
import type { CatalogDocument, Link } from '../../core/model/document.ts';
import type { LinkStore, StateStore } from '../../core/storage.ts';
import { type Communities, communitiesNow, loadCommunities, updateCommunities } from './communities.ts';

/** Raise it when links resolve, weigh or group otherwise: edges and communities are then found again. */
const LINKS_VERSION = 2;

/** Which documents are linked, `Neighbours` of `core/graph/walk-links.ts`: resolved while indexing, so that opening an index resolves nothing. */
type Edges = Pick<LinkGraph, 'neighbours'>;

const NO_EDGES: Edges = { neighbours: () => new Map() };

export type LoadedLinks = ReturnType<typeof loadLinks>;

export function loadLinks(store: LinkStore & StateStore, catalog: Catalog) {
  let loaded: LinkGraph | undefined;
  let edges: Edges | undefined;
  let communities: Communities | undefined;
  let places: ReadonlyMap<number, number> | undefined;

  function forget(): void {
    edges = communities = places = undefined;
  }

  /** All links, with those that lead nowhere; made from the store at the first call, which takes its time. */
  function graph(): LinkGraph {
    loaded ??= loadGraph(store, catalog);
    return loaded;
  }

  /** Saved edges that are missing were damaged: they are found again from the links. Without a save there are none. */
  const isSaved = () => store.getState('linksSource') !== undefined;

  /** Numbers are never given twice, so equal numbers are equal documents: also after a run that was stopped here. */
  function identity(hash: (text: string) => string): string {
    const numbers = [...catalog.all()].map(({ number }) => number).sort((a, b) => a - b);
    return hash(`${LINKS_VERSION} ${numbers.join()}`);
  }

  /** Whether edges and communities are those of the documents that are there. */
  function isSettled(hash: (text: string) => string): boolean {
    const kept = (['edges', 'communities'] as const).every((key) => store.getState(key) !== undefined);
    return kept && store.getState('linksSource') === identity(hash);
  }

  /** Largest first. */
  function known(): Communities {
    communities ??= loadCommunities(store, catalog) ?? (isSaved() ? communitiesNow(graph(), catalog) : []);
    return communities;
  }

  return {
    graph,
    /** Who is linked to whom as of the last `settle`; enough for search, and fast to load. */
    edges(): Edges {
      edges ??= loadEdges(store, catalog) ?? (isSaved() ? graph() : NO_EDGES);
      return edges;
    },
    communities: known,
    /** The place of a document's community in `communities()`; undefined for one that has none. */
    communityOf(number: number) {
      places ??= new Map(known().flatMap((members, place) => members.map((member) => [member, place])));
      return places.get(number);
    },
    /** Empty for a number that is not live. */
    nameOf: (number: number): Pick<CatalogDocument, 'id' | 'title'> =>
      catalog.document(number) ?? { id: '', title: '' },
    /** Takes in a document, or replaces the one of its number. */
    put(document: CatalogDocument, readLinks: () => readonly Link[]) {
      forget();
      loaded?.put(named(document, readLinks()));
    },
    remove(number: number) {
      forget();
      loaded?.remove(number);
    },
    isSettled,
    /**
     * Finds edges again if documents came or went since, and communities if links lead elsewhere.
     * @param keep whether to keep the graph for the next time, which will come soon
     * @returns whether anything was saved
     */
    settle(hash: (text: string) => string, keep: boolean) {
      if (isSettled(hash)) return false;
      const now = keep ? graph() : (loaded ?? loadGraph(store, catalog));
      store.setState({ edges: [...now.edges()].flat() });
      updateCommunities(store, now, catalog, hash);
      store.setState({ linksSource: identity(hash) });
      forget();
      return true;
    },
  };
}

function loadGraph(store: LinkStore, catalog: Catalog): LinkGraph {
  const graph = createLinkGraph();
  const links = Map.groupBy(store.links(), ({ document }) => document);
  for (const document of catalog.all()) {
    const own = (links.get(document.number) ?? []).map(({ link }) => link);
    graph.put(named(document, own));
  }
  return graph;
}

/** Undefined before the first `settle`, or when they are damaged. A killed run may leave links of documents that have gone: they do not count. */
function loadEdges(store: StateStore, catalog: Catalog): Edges | undefined {
  const flat = store.getState('edges');
  if (flat === undefined) return undefined;
  const adjacent = new Map<number, Map<number, number>>();
  const connect = (from: number, to: number, weight: number) => {
    const known = adjacent.get(from);
    if (known) known.set(to, weight);
    else adjacent.set(from, new Map([[to, weight]]));
  };
  for (let at = 0; at < flat.length; at += 3) {
    const [a, b, weight] = [flat[at]!, flat[at + 1]!, flat[at + 2]!];
    if (!catalog.document(a) || !catalog.document(b)) continue;
    connect(a, b, weight);
    connect(b, a, weight);
  }
  return { neighbours: (number) => adjacent.get(number) ?? new Map() };
}

function named({ number, collection, path, title, aliases = [] }: CatalogDocument, links: readonly Link[]) {
  return { number, collection, path, title, aliases, links };
}
