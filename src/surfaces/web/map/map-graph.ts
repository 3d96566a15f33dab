/** The answer of the server as a graph that sigma draws. Nodes are named by the ids of documents. */
import { UndirectedGraph } from 'graphology';
import { plainTitle } from '../document-link.tsx';
import type { AnswerTo } from '../session.ts';

export type MapAnswer = AnswerTo<'/api/map'>;

export interface MapNode {
  readonly x: number;
  readonly y: number;
  /** Title of the document, shortened. */
  readonly label: string;
  /** Radius in pixels when the whole map is shown. */
  readonly size: number;
  /** Position in the communities of the answer; −1 for none. */
  readonly community: number;
}

export type MapGraph = UndirectedGraph<MapNode>;

const MAX_TITLE = 44;
/** Range of the radius of a document without links, in pixels. On a map of few documents, the radius is larger. */
const [MIN_RADIUS, MAX_RADIUS] = [1.25, 5];
/** Documents with this number of links have twice the radius of a document without links. */
const LINKS_OF_DOUBLE = 64;

export function graphOf({ documents, links }: MapAnswer): MapGraph {
  const { ids, titles, neighbours, communities, x, y } = documents;
  const graph: MapGraph = new UndirectedGraph();
  const least = Math.min(MAX_RADIUS, Math.max(MIN_RADIUS, 50 / Math.sqrt(ids.length)));
  const labels = labelsOf(ids, titles);
  for (const [at, id] of ids.entries()) {
    graph.addNode(id, {
      x: x[at]!,
      y: y[at]!,
      community: communities[at]!,
      label: labels[at]!,
      size: least * (1 + Math.sqrt(neighbours[at]! / LINKS_OF_DOUBLE)),
    });
  }
  for (const [at, source] of links.sources.entries()) graph.addEdge(ids[source], ids[links.targets[at]!]);
  return graph;
}

/** Returns the shortened titles. If documents share a title, their folders are added, such as `Index (guides)`. */
function labelsOf(ids: readonly string[], titles: readonly string[]): readonly string[] {
  const labels = titles.map((title) => shortened(plainTitle(title)));
  const alike = Map.groupBy(labels, (label) => label);
  return labels.map((label, at) => {
    const folder = ids[at]!.split('/').at(-2);
    return alike.get(label)!.length > 1 && folder !== undefined ? `${label} (${folder})` : label;
  });
}

function shortened(title: string): string {
  const characters = [...title];
  return characters.length <= MAX_TITLE ? title : `${characters.slice(0, MAX_TITLE - 1).join('')}…`;
}
