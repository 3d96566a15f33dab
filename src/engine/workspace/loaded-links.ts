/** Links and communities in memory, loaded from the store at their first use. */
import { findEdges, type LinkingDocument } from '../../core/graph/link-edges.ts';
import { createLinkGraph, type LinkGraph } from '../../core/graph/link-graph.ts';
import { type ChangedDocument, updateEdges } from '../../core/graph/update-edges.ts';
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

/** Edges that were found again are used for this many times as long as finding them took: a page asks all the time. */
const REST = 10;

const NO_EDGES: LinkEdges = { linked: [], broken: [] };

export type LoadedLinks = ReturnType<typeof loadLinks>;

/** What search needs of a graph. */
type SettledLinks = Pick<LinkGraph, 'neighbours' | 'pairs'>;

export function loadLinks(
  store: DocumentStore & LinkStore & StateStore,
  catalog: () => Catalog,
  clock: Clock,
) {
  /** What changed since the edges were saved; `unknown` if all edges must be found again. */
  let changes: Changes | 'unknown' | undefined;
  let settled: LinkGraph | undefined;
  let current: LinkGraph | undefined;
  let found: { readonly edges: LinkEdges; readonly until: number } | undefined;
  let communities: Communities | undefined;
  let places: ReadonlyMap<number, number> | undefined;

  function forget(): void {
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

  /** Resolves all links, which is slow. @param anew if false, edges found shortly before may be returned */
  function foundAgain(anew: boolean): LinkEdges {
    const began = clock.monotonic();
    if (!anew && found && began < found.until) return found.edges;
    const links = Map.groupBy(store.links(), ({ document }) => document);
    const edges = findEdges(catalog().all(), (number) => links.get(number)?.map(({ link }) => link) ?? []);
    const ended = clock.monotonic();
    found = { edges, until: ended + (ended - began) * REST };
    return edges;
  }

  function settledGraph(): LinkGraph {
    settled ??= createLinkGraph(savedEdges() ?? (isSaved() ? foundAgain(false) : NO_EDGES), documentsNow());
    return settled;
  }

  function currentGraph(): LinkGraph {
    if (store.getState('linksSource') === identity()) return settledGraph();
    const [followed, now] = [followedChanges(), documentsNow()];
    const saved = followed && savedEdges();
    return createLinkGraph(saved ? updateEdges(saved, followed, now).edges : foundAgain(false), now);
  }

  function followedChanges(): Changes | undefined {
    return typeof changes === 'object' ? changes : undefined;
  }

  function known(): Communities {
    communities ??=
      loadCommunities(store, catalog()) ??
      (isSaved() ? communitiesNow(settledGraph().pairs(), catalog()) : []);
    return communities;
  }

  return {
    /** Search uses links as of the last `settle`: they are loaded without resolving any link. */
    edges: (): SettledLinks => settledGraph(),
    /** Returns the links of now. While many documents change, the links of new documents may be missing for some seconds. */
    graph(): LinkGraph {
      current ??= currentGraph();
      return current;
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
      followedChanges()?.added.set(document.number, { document: namesOf(document), links: readLinks() });
    },
    /**
     * Removes a document that is still in the catalog.
     * @param links the links of the document; undefined if they cannot be read
     */
    remove(number: number, links: readonly Link[] | undefined) {
      forget();
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
      const saved = followed && savedEdges();
      const updated = saved && updateEdges(saved, followed, documentsNow());
      const linkEdges = updated?.edges ?? foundAgain(true);
      if (!updated?.isSame)
        updateCommunities(store, createLinkGraph(linkEdges, documentsNow()).pairs(), documents);
      const layout = store.getState('layout');
      store.setState({
        linkEdges,
        linksSource: identity(),
        ...(layout && { layout: withoutRemoved(layout, documents) }),
      });
      forget();
      found = undefined;
      return true;
    },
  };
}

interface Changes {
  readonly removed: Map<number, ChangedDocument>;
  readonly added: Map<number, ChangedDocument>;
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
