/** Communities of documents that link to each other: found while indexing, kept in the index, read by search. */
import { UndirectedGraph } from 'graphology';
import commonLouvain from 'graphology-communities-louvain';
import { randomNumbers } from '../../core/evaluate/random-numbers.ts';
import type { LinkGraph } from '../../core/graph/link-graph.ts';
import type { Catalog } from '../../core/indexes/catalog.ts';
import type { SavedCommunities, StateStore } from '../../core/storage.ts';
import { compareText } from '../../core/text/compare-text.ts';

/** Document numbers, two or more each; the largest community first. */
export type Communities = readonly (readonly number[])[];

const SEED = 42;
/** The package is a function, which its types give as the default of an ES module. */
const louvain = commonLouvain as unknown as typeof commonLouvain.default;

/**
 * Finds the communities again, unless the links lead where they led before.
 * @param hash of a text
 */
export function updateCommunities(
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
 * What `updateCommunities` found last, without documents that have gone since; undefined before the first time, or when it is
 * damaged.
 */
export function loadCommunities(store: StateStore, catalog: Catalog): Communities | undefined {
  const saved = store.getState('communities');
  return saved && numbered(saved.members, catalog);
}

/** The communities of the links as they are now; nothing is saved. */
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

/** Louvain (Blondel and others 2008), seeded, on nodes and edges in order of id: equal links give equal communities. */
function findCommunities(edges: readonly Edge[]): string[][] {
  const graph = new UndirectedGraph();
  for (const id of [...new Set(edges.flatMap(({ ends }) => ends))].sort()) graph.addNode(id);
  for (const { ends, weight } of edges) graph.addEdge(...ends, { weight });
  if (graph.size === 0) return [];
  const communityOf = louvain(graph, { getEdgeWeight: 'weight', rng: randomNumbers(SEED) });
  const members = [...Map.groupBy(Object.keys(communityOf).sort(), (id) => communityOf[id]).values()];
  return members.sort((a, b) => b.length - a.length || compareText(a[0]!, b[0]!));
}
