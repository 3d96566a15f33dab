/** Which documents are linked, as search needs it: resolved while indexing, so that opening an index resolves nothing. */
import type { LinkGraph } from '../../core/graph/link-graph.ts';
import type { StateStore } from '../../core/storage.ts';

/** What is kept of the links: `Neighbours` of `core/graph/walk-links.ts`. */
export type Edges = Pick<LinkGraph, 'neighbours'>;

export function saveEdges(store: StateStore, graph: LinkGraph): void {
  store.setState({ edges: [...graph.edges()].flat() });
}

/**
 * What `saveEdges` kept last; undefined before the first time, or when it is damaged.
 * @param isLive tells documents that have gone since, as a run leaves them that was killed; their links do not count
 */
export function loadEdges(store: StateStore, isLive: (number: number) => boolean): Edges | undefined {
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
    if (!isLive(a) || !isLive(b)) continue;
    connect(a, b, weight);
    connect(b, a, weight);
  }
  return { neighbours: (number) => adjacent.get(number) ?? new Map() };
}
