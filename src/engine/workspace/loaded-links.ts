/** Links and communities in memory, loaded from the store at their first use. */

import { createRequire } from 'node:module';
import { randomNumbers } from '../../core/evaluate/random-numbers.ts';
import { createLinkGraph, type LinkGraph } from '../../core/graph/link-graph.ts';
import type { Catalog } from '../../core/indexes/catalog.ts';
import type { CatalogDocument, Link } from '../../core/model/document.ts';
import type { SavedCommunities, SavedLayout } from '../../core/model/saved-links.ts';
import type { LinkStore, StateStore } from '../../core/storage.ts';
import { compareText } from '../../core/text/compare-text.ts';

/** Raise this number when links are resolved, weighted or grouped by other rules: edges and communities are then found again. */
const LINKS_VERSION = 2;

/** Linked documents, as `Neighbours` of `core/graph/walk-links.ts`. They are saved, so opening an index resolves no links. */
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

  /** Returns all links, including broken links. The first call loads and resolves them, which is slow. */
  function graph(): LinkGraph {
    loaded ??= loadGraph(store, catalog);
    return loaded;
  }

  /** Whether edges were ever saved. Saved edges that cannot be loaded are damaged, and are found again from the links. */
  const isSaved = () => store.getState('linksSource') !== undefined;

  /** Returns a hash of all document numbers. Numbers are never reused, so an equal hash means that no document has changed. */
  function identity(hash: (text: string) => string): string {
    const numbers = [...catalog.all()].map(({ number }) => number).sort((a, b) => a - b);
    return hash(`${LINKS_VERSION} ${numbers.join()}`);
  }

  /** Whether the saved edges and communities match the current documents. */
  function isSettled(hash: (text: string) => string): boolean {
    const kept = (['edges', 'communities'] as const).every((key) => store.getState(key) !== undefined);
    return kept && store.getState('linksSource') === identity(hash);
  }

  /** Returns the saved communities, the largest first. */
  function known(): Communities {
    communities ??= loadCommunities(store, catalog) ?? (isSaved() ? communitiesNow(graph(), catalog) : []);
    return communities;
  }

  return {
    graph,
    /** Returns the edges as of the last `settle`. Search needs only edges; they load faster than the graph. */
    edges(): Edges {
      edges ??= loadEdges(store, catalog) ?? (isSaved() ? graph() : NO_EDGES);
      return edges;
    },
    communities: known,
    /** Returns the position of a document's community in `communities()`; undefined if the document is in no community. */
    communityOf(number: number) {
      places ??= new Map(known().flatMap((members, place) => members.map((member) => [member, place])));
      return places.get(number);
    },
    /** Returns id and title of a document, both empty if no document has this number. */
    nameOf: (number: number): Pick<CatalogDocument, 'id' | 'title'> =>
      catalog.document(number) ?? { id: '', title: '' },
    /** Adds a document, or replaces the document with this number. */
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
     * Finds edges again if documents were added or removed, and communities if edges have changed.
     * @param keep whether to keep the graph in memory for the next call
     * @returns whether anything was saved
     */
    settle(hash: (text: string) => string, keep: boolean) {
      if (isSettled(hash)) return false;
      const now = keep ? graph() : (loaded ?? loadGraph(store, catalog));
      store.setState({ edges: [...now.edges()].flat() });
      updateCommunities(store, now, catalog, hash);
      const layout = store.getState('layout');
      store.setState({
        linksSource: identity(hash),
        ...(layout && { layout: withoutRemoved(layout, catalog) }),
      });
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

/** Loads the saved edges; undefined if missing or damaged. Skips edges of removed documents, which a killed run may leave. */
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

/** Drops removed documents: their names must not stay in the index. The other places are where the next picture starts. */
function withoutRemoved({ edges, ids, places }: SavedLayout, catalog: Catalog): SavedLayout {
  const kept = [...ids.keys()].filter((at) => catalog.numberOf(ids[at]!) !== undefined);
  return {
    edges,
    ids: kept.map((at) => ids[at]!),
    places: kept.flatMap((at) => [places[at * 2]!, places[at * 2 + 1]!]),
  };
}

function named({ number, collection, path, title, aliases = [] }: CatalogDocument, links: readonly Link[]) {
  return { number, collection, path, title, aliases, links };
}

/** Numbers of the documents of each community, at least two. The largest community is first. */
type Communities = readonly (readonly number[])[];

const SEED = 42;
/** Loads the graph packages at their first use, because most searches do not need them. */
const require = createRequire(import.meta.url);

/**
 * Finds and saves the communities again if any link between two documents has changed.
 * @param hash hashes a text
 */
function updateCommunities(
  store: StateStore,
  graph: LinkGraph,
  catalog: Catalog,
  hash: (text: string) => string,
): void {
  const edges = edgesById(graph, catalog);
  const identity = hash(edges.map(({ ends, weight }) => `${ends.join('\0')}\0${weight}`).join('\n'));
  if (store.getState('communities')?.edges === identity) return;
  store.setState({ communities: { edges: identity, members: findCommunities(edges) } });
}

/**
 * Reads the communities that `updateCommunities` saved last, without documents that were removed since. Undefined if nothing was
 * saved or the saved data is damaged.
 */
function loadCommunities(store: StateStore, catalog: Catalog): Communities | undefined {
  const saved = store.getState('communities');
  return saved && numbered(saved.members, catalog);
}

/** Finds the communities of the current links, without saving them. */
export function communitiesNow(graph: LinkGraph, catalog: Catalog): Communities {
  return numbered(findCommunities(edgesById(graph, catalog)), catalog);
}

function numbered(members: SavedCommunities['members'], catalog: Catalog): Communities {
  const numbers = new Map([...catalog.all()].map(({ id, number }) => [id, number]));
  return members
    .map((ids) => ids.map((id) => numbers.get(id)).filter((number) => number !== undefined))
    .filter((members) => members.length > 1);
}

interface Edge {
  readonly ends: readonly [string, string];
  readonly weight: number;
}

function edgesById(graph: LinkGraph, catalog: Catalog): Edge[] {
  const idOf = (number: number) => catalog.document(number)?.id ?? '';
  return [...graph.edges()]
    .map(([a, b, weight]) => ({ ends: [idOf(a), idOf(b)].sort() as [string, string], weight }))
    .sort((a, b) => compareText(a.ends[0], b.ends[0]) || compareText(a.ends[1], b.ends[1]));
}

/** Louvain method (Blondel and others 2008). The seed and the order by id make the result depend on the links only. */
function findCommunities(edges: readonly Edge[]): string[][] {
  const { UndirectedGraph } = require('graphology') as typeof import('graphology');
  // The package exports a function, but its types declare a module with a default export.
  const louvain =
    require('graphology-communities-louvain') as typeof import('graphology-communities-louvain').default;
  const graph = new UndirectedGraph();
  for (const id of [...new Set(edges.flatMap(({ ends }) => ends))].sort()) graph.addNode(id);
  for (const { ends, weight } of edges) graph.addEdge(...ends, { weight });
  if (graph.size === 0) return [];
  const communityOf = louvain(graph, { getEdgeWeight: 'weight', rng: randomNumbers(SEED) });
  const members = [...Map.groupBy(Object.keys(communityOf).sort(), (id) => communityOf[id]).values()];
  return members.sort((a, b) => b.length - a.length || compareText(a[0]!, b[0]!));
}
