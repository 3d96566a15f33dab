/** Code of the layout thread: moves the nodes of one graph by ForceAtlas2 (Jacomy and others 2014), answers and ends. */
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { PlacedGraph } from '../../core/ports.ts';

export interface LayoutRequest {
  readonly graph: PlacedGraph;
  readonly steps: number;
}

export type LayoutReply = Pick<PlacedGraph, 'x' | 'y'>;

/** If a graph has at least this number of nodes, forces are approximated (Barnes and Hut 1986). */
const MANY_NODES = 1000;
/** Repulsion and gravity were chosen by eye, so that groups are apart and the picture is round. */
const FORCES = { scalingRatio: 20, gravity: 0.15, strongGravityMode: true, barnesHutTheta: 1.2 } as const;

const require = createRequire(import.meta.url);
const { UndirectedGraph } = require('graphology') as typeof import('graphology');
// The package exports a function, but its types declare a module with a default export.
const forceAtlas2 =
  require('graphology-layout-forceatlas2') as typeof import('graphology-layout-forceatlas2').default;

const { graph, steps } = workerData as LayoutRequest;
const nodes = new UndirectedGraph();
for (const [node, x] of graph.x.entries()) nodes.addNode(node, { x, y: graph.y[node] });
for (const [edge, weight] of graph.weights.entries()) {
  nodes.addEdge(graph.sources[edge], graph.targets[edge], { weight });
}
forceAtlas2.assign(nodes, {
  iterations: steps,
  getEdgeWeight: 'weight',
  settings: {
    ...FORCES,
    barnesHutOptimize: nodes.order >= MANY_NODES,
    slowDown: 1 + Math.log(nodes.order),
  },
});
nodes.forEachNode((node, { x, y }) => {
  graph.x[Number(node)] = x;
  graph.y[Number(node)] = y;
});
parentPort!.postMessage({ x: graph.x, y: graph.y } satisfies LayoutReply);
