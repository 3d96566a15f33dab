/** Links and communities in memory, loaded from the store at their first use. */
import { createEdgeFinder, type LinkingDocument } from '../../core/graph/link-edges.ts';
import { createLinkGraph, type LinkGraph } from '../../core/graph/link-graph.ts';
import { type ChangedDocument, updateEdges } from '../../core/graph/update-edges.ts';
import type { Catalog } from '../../core/indexes/catalog.ts';
import type { CatalogDocument, Link } from '../../core/model/document.ts';
import type { SavedLayout } from '../../core/model/saved-state.ts';
import type { DocumentStore, LinkStore, StateStore } from '../../core/storage.ts';
import { type Communities, communitiesNow, loadCommunities, updateCommunities } from './communities.ts';

/** Raise this number when links are resolved, weighted or grouped by other rules: edges and communities are then found again. */
const LINKS_VERSION = 3;

/** If more documents than this change, all edges are found again: following so many changes would take much memory. */
const MAX_CHANGES = 5_000;

/** Linked documents, as `Neighbours` of `core/graph/walk-links.ts`. They are saved, so opening an index resolves no links. */
type Edges = Pick<LinkGraph, 'neighbours'>;

const NO_EDGES: Edges = { neighbours: () => new Map() };

export type LoadedLinks = ReturnType<typeof loadLinks>;

export function loadLinks(store: DocumentStore & LinkStore & StateStore, catalog: () => Catalog) {
  let loaded: LinkGraph | undefined;
  /** What changed since the edges were saved; `unknown` if all edges must be found again. */
  let changes: Changes | 'unknown' | undefined;
  let edges: Edges | undefined;
  let communities: Communities | undefined;
  let places: ReadonlyMap<number, number> | undefined;

  function forget(): void {
    edges = communities = places = undefined;
  }

  /** Returns all links, including broken links. The first call loads and resolves them, which is slow. */
  function graph(): LinkGraph {
    loaded ??= loadGraph(store, catalog());
    return loaded;
  }

  /** Whether edges were ever saved. Saved edges that cannot be loaded are damaged, and are found again from the links. */
  const isSaved = () => store.hasState('linksSource');

  const identity = () => `${LINKS_VERSION} ${store.documentsEdition()}`;

  /** Whether the saved edges and communities match the current documents. */
  function isSettled(): boolean {
    const kept = store.hasState('edges') && store.hasState('communities');
    return kept && store.getState('linksSource') === identity();
  }

  function known(): Communities {
    communities ??=
      loadCommunities(store, catalog()) ?? (isSaved() ? communitiesNow(graph().edges(), catalog()) : []);
    return communities;
  }

  function followedChanges(): Changes | undefined {
    return typeof changes === 'object' ? changes : undefined;
  }

  return {
    graph,
    /** Returns the edges as of the last `settle`. Search needs only edges; they load faster than the graph. */
    edges(): Edges {
      edges ??= loadEdges(store, catalog()) ?? (isSaved() ? graph() : NO_EDGES);
      return edges;
    },
    communities: known,
    /** Returns the position of a document's community in `communities()`; undefined if the document is in no community. */
    communityOf(number: number) {
      places ??= new Map(known().flatMap((members, place) => members.map((member) => [member, place])));
      return places.get(number);
    },
    /** Call before documents change. If the saved edges match the documents, `settle` needs to look only at the changes. */
    follow() {
      changes ??= isSettled() ? { removed: new Map(), added: new Map() } : 'unknown';
    },
    put(document: CatalogDocument, readLinks: () => readonly Link[]) {
      forget();
      const followed = followedChanges();
      if (!loaded && !followed) return;
      const links = readLinks();
      loaded?.put(named(document, links));
      followed?.added.set(document.number, { document: namesOf(document), links });
    },
    /**
     * Removes a document that is still in the catalog.
     * @param links the links of the document; undefined if they cannot be read
     */
    remove(number: number, links: readonly Link[] | undefined) {
      forget();
      loaded?.remove(number);
      const followed = followedChanges();
      if (!followed || followed.added.delete(number)) return;
      const document = catalog().document(number);
      if (!document || !links || followed.removed.size === MAX_CHANGES) changes = 'unknown';
      else followed.removed.set(number, { document: namesOf(document), links });
    },
    isSettled,
    /**
     * Brings edges up to date if documents were added or removed, and communities if edges have changed.
     * @returns whether anything was saved
     */
    settle() {
      const followed = followedChanges();
      changes = undefined;
      if (isSettled()) return false;
      const documents = catalog();
      const saved = followed && store.getState('edges');
      const now = {
        document: documents.document,
        all: documents.all,
        links: store.links,
        linksOf: store.linksOf,
      };
      const updated = saved && updateEdges(saved, followed, now);
      const edges = updated?.edges ?? findEdges(store, documents);
      if (!updated?.isSame) updateCommunities(store, pairsOf(edges, documents), documents);
      const layout = store.getState('layout');
      store.setState({
        edges,
        linksSource: identity(),
        ...(layout && { layout: withoutRemoved(layout, documents) }),
      });
      forget();
      return true;
    },
  };
}

interface Changes {
  readonly removed: Map<number, ChangedDocument>;
  readonly added: Map<number, ChangedDocument>;
}

export function loadGraph(store: Pick<LinkStore, 'links'>, catalog: Catalog): LinkGraph {
  const graph = createLinkGraph();
  const links = linksByDocument(store);
  for (const document of catalog.all()) graph.put(named(document, links.get(document.number) ?? []));
  return graph;
}

/** Resolves the links of all documents. @returns three numbers per edge: from, to, weight */
function findEdges(store: LinkStore, catalog: Catalog): number[] {
  const find = createEdgeFinder(catalog.all());
  return [...linksByDocument(store)].flatMap(([number, written]) => {
    const document = catalog.document(number);
    if (!document) return [];
    return [...find(document, written)].flatMap(([target, weight]) => [number, target, weight]);
  });
}

function linksByDocument(store: Pick<LinkStore, 'links'>): ReadonlyMap<number, readonly Link[]> {
  const links = Map.groupBy(store.links(), ({ document }) => document);
  return new Map([...links].map(([document, own]) => [document, own.map(({ link }) => link)]));
}

/** Loads the saved edges; undefined if missing or damaged. */
function loadEdges(store: StateStore, catalog: Catalog): Edges | undefined {
  const flat = store.getState('edges');
  if (flat === undefined) return undefined;
  const adjacent = adjacency(flat, catalog);
  return { neighbours: (number) => adjacent.get(number) ?? new Map() };
}

/**
 * Returns linked documents in both directions, each with the weight of the stronger direction. Skips edges of removed documents,
 * which a killed run may leave.
 */
function adjacency(edges: readonly number[], catalog: Catalog) {
  const adjacent = new Map<number, Map<number, number>>();
  const connect = (from: number, to: number, weight: number) => {
    const known = adjacent.get(from);
    if (known) known.set(to, Math.max(known.get(to) ?? 0, weight));
    else adjacent.set(from, new Map([[to, weight]]));
  };
  for (let at = 0; at < edges.length; at += 3) {
    const [a, b, weight] = [edges[at]!, edges[at + 1]!, edges[at + 2]!];
    if (!catalog.document(a) || !catalog.document(b)) continue;
    connect(a, b, weight);
    connect(b, a, weight);
  }
  return adjacent;
}

/** Returns each pair of linked documents once. */
function* pairsOf(
  edges: readonly number[],
  catalog: Catalog,
): Iterable<[a: number, b: number, weight: number]> {
  for (const [a, others] of adjacency(edges, catalog))
    for (const [b, weight] of others) if (a < b) yield [a, b, weight];
}

/** Drops removed documents: their names must not stay in the index. The next layout starts from the remaining places. */
function withoutRemoved({ edges, ids, places }: SavedLayout, catalog: Catalog): SavedLayout {
  const kept = [...ids.keys()].filter((at) => catalog.numberOf(ids[at]!) !== undefined);
  return {
    edges,
    ids: kept.map((at) => ids[at]!),
    places: kept.flatMap((at) => [places[at * 2]!, places[at * 2 + 1]!]),
  };
}

function named(document: CatalogDocument, links: readonly Link[]) {
  return { ...namesOf(document), links };
}

function namesOf({ number, collection, path, title, aliases = [] }: CatalogDocument): LinkingDocument {
  return { number, collection, path, title, aliases };
}
