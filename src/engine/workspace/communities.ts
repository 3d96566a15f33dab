/** Finds groups of documents that link to each other, and saves them. */
import { createRequire } from 'node:module';
import { randomNumbers } from '../../core/evaluate/statistics.ts';
import type { Catalog } from '../../core/indexes/catalog.ts';
import type { SavedCommunities } from '../../core/model/saved-state.ts';
import type { StateStore } from '../../core/storage.ts';
import { compareText } from '../../core/text/compare-text.ts';
import { vectorKey } from './vector-key.ts';

/** Numbers of the documents of each community, at least two. The largest community is first. */
export type Communities = readonly (readonly number[])[];

/** Two linked documents, in either order. Each pair occurs once. */
type LinkedPair = readonly [a: number, b: number, weight: number];

const SEED = 42;
/** Loads the graph packages at their first use, because most searches do not need them. */
const require = createRequire(import.meta.url);

/** Finds and saves the communities again if any link between two documents has changed. */
export function updateCommunities(store: StateStore, pairs: Iterable<LinkedPair>, catalog: Catalog): void {
  const edges = edgesById(pairs, catalog);
  const identity = vectorKey(edges.map(({ ends, weight }) => `${ends.join('\0')}\0${weight}`).join('\n'));
  if (store.getState('communities')?.edges === identity) return;
  store.setState({ communities: { edges: identity, members: findCommunities(edges) } });
}

/**
 * Reads the communities that `updateCommunities` saved last, without documents that were removed since. Undefined if nothing was
 * saved or the saved data is damaged.
 */
export function loadCommunities(store: StateStore, catalog: Catalog): Communities | undefined {
  const saved = store.getState('communities');
  return saved && numbered(saved.members, catalog);
}

/** Finds the communities of the current links, without saving them. */
export function communitiesNow(pairs: Iterable<LinkedPair>, catalog: Catalog): Communities {
  return numbered(findCommunities(edgesById(pairs, catalog)), catalog);
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

function edgesById(pairs: Iterable<LinkedPair>, catalog: Catalog): Edge[] {
  const idOf = (number: number) => catalog.document(number)?.id ?? '';
  return [...pairs]
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
