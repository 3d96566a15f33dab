/** Links and communities in memory, loaded from the store at their first use. */
import { type EdgeFollower, followEdges } from '../../core/graph/follow-edges.ts';
import { findEdges, type LinkingDocument } from '../../core/graph/link-edges.ts';
import { createLinkGraph, type LinkGraph } from '../../core/graph/link-graph.ts';
import type { Catalog } from '../../core/indexes/catalog.ts';
import type { CatalogDocument, Link } from '../../core/model/document.ts';
import type { LinkEdges, SavedLayout } from '../../core/model/saved-state.ts';
import type { Clock } from '../../core/ports.ts';
import type { DocumentStore, LinkStore, StateStore } from '../../core/storage.ts';
import { type Communities, communitiesNow, loadCommunities, updateCommunities } from './communities.ts';

/** Raise this number when links are resolved, weighted or grouped by other rules: edges and communities are then found again. */
const LINKS_VERSION = 4;

/** If more documents than this change, all edges are found again: following so many changes would take much memory. */
const MAX_CHANGES = 5_000;

/** Edges that are out of date are used for this many times as long as finding them took: while files are read, a page asks all the time. */
const REST = 10;

const NO_EDGES: LinkEdges = { linked: [], broken: [] };

export type LoadedLinks = ReturnType<typeof loadLinks>;

export function loadLinks(
  store: DocumentStore & LinkStore & StateStore,
  catalog: () => Catalog,
  clock: Clock,
) {
  /** Follows the changes since the edges were saved; `none` if all edges must be found again. */
  let follower: EdgeFollower | 'none' | undefined;
  /** Number of changes so far. */
  let changes = 0;
  let settled: LinkGraph | undefined;
  /** The edges that were found last, and the number of changes then. Used until a moment, even if there were changes since. */
  let latest: { readonly edges: LinkEdges; readonly changes: number; readonly until: number } | undefined;
  let current: { readonly graph: LinkGraph; readonly until: number } | undefined;
  let communities: Communities | undefined;
  let places: ReadonlyMap<number, number> | undefined;

  function forget(): void {
    changes++;
    settled = current = communities = places = undefined;
  }

  /** Whether links were ever settled. If some of these facts are lost or damaged, edges are found again from the links. */
  const isSaved = () =>
    (['linksSource', 'communities', 'linkEdges'] as const).some((fact) => store.hasState(fact));

  const identity = () => `${LINKS_VERSION} ${store.documentsEdition()}`;

  /** Whether the saved edges and communities match the current documents. */
  function isSettled(): boolean {
    const kept = store.hasState('linkEdges') && store.hasState('communities');
    return kept && store.getState('linksSource') === identity();
  }

  /** Undefined if the saved edges are missing, damaged or were found by other rules. */
  function savedEdges(): LinkEdges | undefined {
    const isOurs = store.getState('linksSource')?.startsWith(`${LINKS_VERSION} `);
    return isOurs ? store.getState('linkEdges') : undefined;
  }

  function documentsNow() {
    const { document, all } = catalog();
    return { document, all, links: store.links, linksOf: store.linksOf };
  }

  /** Resolves all links, which is slow. */
  function foundEdges(): LinkEdges {
    const links = Map.groupBy(store.links(), ({ document }) => document);
    return findEdges(catalog().all(), (number) => links.get(number)?.map(({ link }) => link) ?? []);
  }

  const followed = () => (typeof follower === 'object' ? follower : undefined);

  function settledGraph(): LinkGraph {
    settled ??= createLinkGraph(savedEdges() ?? (isSaved() ? foundEdges() : NO_EDGES), documentsNow());
    return settled;
  }

  function currentGraph(began: number): NonNullable<typeof current> {
    if (store.getState('linksSource') === identity())
      return { graph: settledGraph(), until: Number.POSITIVE_INFINITY };
    if (!latest || (latest.changes !== changes && began >= latest.until)) {
      const edges = followed()?.edges() ?? foundEdges();
      const ended = clock.monotonic();
      latest = { edges, changes, until: ended + (ended - began) * REST };
    }
    const until = latest.changes === changes ? Number.POSITIVE_INFINITY : latest.until;
    return { graph: createLinkGraph(latest.edges, documentsNow()), until };
  }

  function known(): Communities {
    communities ??=
      loadCommunities(store, catalog()) ??
      (isSaved() ? communitiesNow(settledGraph().pairs(), catalog()) : []);
    return communities;
  }

  return {
    /**
     * Returns the links as of the last `settle`, for search. They are loaded without resolving any link, unless what was saved is
     * damaged or was found by other rules.
     */
    edges: (): Pick<LinkGraph, 'neighbours' | 'pairs'> => settledGraph(),
    /** Returns the links of now. While many documents change, links of the last seconds may be missing. */
    graph(): LinkGraph {
      const now = clock.monotonic();
      if (!current || now >= current.until) current = currentGraph(now);
      return current.graph;
    },
    communities: known,
    /** Returns the position of a document's community in `communities()`; undefined if the document is in no community. */
    communityOf(number: number) {
      places ??= new Map(known().flatMap((members, place) => members.map((member) => [member, place])));
      return places.get(number);
    },
    /** Call before documents change. If the saved edges match the documents, only the changes are looked at later. */
    follow() {
      const saved = follower === undefined && isSettled() ? savedEdges() : undefined;
      follower ??= saved ? followEdges(saved, documentsNow) : 'none';
    },
    put(document: CatalogDocument, readLinks: () => readonly Link[]) {
      forget();
      followed()?.put({ document: namesOf(document), links: readLinks() });
    },
    /**
     * Removes a document that is still in the catalog.
     * @param links the links of the document; undefined if they cannot be read
     */
    remove(number: number, links: readonly Link[] | undefined) {
      forget();
      const document = catalog().document(number);
      const isKnown = document && links && (followed()?.kept() ?? 0) < MAX_CHANGES;
      if (isKnown) followed()?.remove({ document: namesOf(document), links });
      else follower = 'none';
    },
    isSettled,
    /**
     * Brings edges up to date if documents were added or removed, and communities if edges have changed.
     * @returns whether anything was saved
     */
    settle() {
      const edges = followed();
      follower = undefined;
      if (isSettled()) return false;
      const documents = catalog();
      const linkEdges = edges?.edges() ?? foundEdges();
      if (!edges?.isSame())
        updateCommunities(store, createLinkGraph(linkEdges, documentsNow()).pairs(), documents);
      const layout = store.getState('layout');
      store.setState({
        linkEdges,
        linksSource: identity(),
        ...(layout && { layout: withoutRemoved(layout, documents) }),
      });
      forget();
      latest = undefined;
      return true;
    },
  };
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

function namesOf({ number, collection, path, title, aliases = [] }: CatalogDocument): LinkingDocument {
  return { number, collection, path, title, aliases };
}
