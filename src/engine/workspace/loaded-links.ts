/** Links and communities in memory, loaded from the store when first asked for. */
import { createLinkGraph, type LinkGraph } from '../../core/graph/link-graph.ts';
import type { Catalog } from '../../core/indexes/catalog.ts';
import type { CatalogDocument, Link } from '../../core/model/document.ts';
import type { LinkStore, StateStore } from '../../core/storage.ts';
import { type Communities, communitiesNow, loadCommunities, updateCommunities } from './communities.ts';
import { type Edges, loadEdges, saveEdges } from './saved-edges.ts';

/** Raise it when links resolve, weigh or group otherwise: edges and communities are then found again. */
const LINKS_VERSION = 2;

const NO_EDGES: Edges = { neighbours: () => new Map() };

export interface LoadedLinks {
  /** All links, those that lead nowhere among them; made from the store at the first call, which takes its time. */
  graph(): LinkGraph;
  /** Who is linked to whom as of the last `settle`; enough for search, and fast to load. */
  edges(): Edges;
  /** Largest first. */
  communities(): Communities;
  /** The place of a document's community in `communities()`; undefined for one that has none. */
  communityOf(number: number): number | undefined;
  /** Empty for a number that is not live. */
  nameOf(number: number): { readonly id: string; readonly title: string };
  /** Takes in a document, or replaces the one of its number. */
  put(document: CatalogDocument, readLinks: () => readonly Link[]): void;
  remove(number: number): void;
  /** Whether edges and communities are those of the documents that are there. */
  isSettled(hash: (text: string) => string): boolean;
  /**
   * Finds edges again if documents came or went since, and communities if links lead elsewhere.
   * @param keep whether to keep the graph for the next time, which will come soon
   * @returns whether anything was saved
   */
  settle(hash: (text: string) => string, keep: boolean): boolean;
}

export function loadLinks(store: LinkStore & StateStore, catalog: Catalog): LoadedLinks {
  let loaded: LinkGraph | undefined;
  let edges: Edges | undefined;
  let communities: Communities | undefined;
  let places: ReadonlyMap<number, number> | undefined;

  function forget(): void {
    edges = communities = places = undefined;
  }

  function graph(): LinkGraph {
    loaded ??= loadGraph(store, catalog);
    return loaded;
  }

  /**
   * Saved edges that are missing were damaged: they are computed again from the links. Without a save there are none.
   */
  const isSaved = () => store.getState('linksSource') !== undefined;

  /** Numbers are never given twice, so equal numbers are equal documents: also after a run that was stopped here. */
  function identity(hash: (text: string) => string): string {
    const numbers = [...catalog.all()].map(({ number }) => number).sort((a, b) => a - b);
    return hash(`${LINKS_VERSION} ${numbers.join()}`);
  }

  function isSettled(hash: (text: string) => string): boolean {
    const kept = (['edges', 'communities'] as const).every((key) => store.getState(key) !== undefined);
    return kept && store.getState('linksSource') === identity(hash);
  }

  function known(): Communities {
    communities ??= loadCommunities(store, catalog) ?? (isSaved() ? communitiesNow(graph(), catalog) : []);
    return communities;
  }

  return {
    graph,
    edges() {
      edges ??=
        loadEdges(store, (number) => catalog.document(number) !== undefined) ??
        (isSaved() ? graph() : NO_EDGES);
      return edges;
    },
    communities: known,
    communityOf(number) {
      places ??= new Map(known().flatMap((members, place) => members.map((member) => [member, place])));
      return places.get(number);
    },
    nameOf: (number) => catalog.document(number) ?? { id: '', title: '' },
    put(document, readLinks) {
      forget();
      loaded?.put(named(document, readLinks()));
    },
    remove(number) {
      forget();
      loaded?.remove(number);
    },
    isSettled,
    settle(hash, keep) {
      if (isSettled(hash)) return false;
      const now = keep ? graph() : (loaded ?? loadGraph(store, catalog));
      saveEdges(store, now);
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
    const own = links.get(document.number) ?? [];
    graph.put(
      named(
        document,
        own.map(({ link }) => link),
      ),
    );
  }
  return graph;
}

function named({ number, collection, path, title, aliases = [] }: CatalogDocument, links: readonly Link[]) {
  return { number, collection, path, title, aliases, links };
}
