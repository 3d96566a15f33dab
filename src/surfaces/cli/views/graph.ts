/** Linked pairs of documents on a terminal, one a line. */
import type { linkGraph } from '../../operations/link-graph.ts';
import { plural } from '../terminal.ts';
import type { View } from './view.ts';

export const graphView: View<typeof linkGraph> = {
  show({ nodes, edges, total }, { print, note, locate }) {
    const places = new Map(nodes.map((node) => [node.document_id, locate(node.collection, node.path)]));
    // Nodes come best linked first, edges by id.
    const ranks = new Map(nodes.map((node, rank) => [node.document_id, rank]));
    const pairs = edges
      .map(({ source, target }) => [source, target].sort((a, b) => ranks.get(a)! - ranks.get(b)!))
      .sort(([a, b], [c, d]) => ranks.get(a!)! - ranks.get(c!)! || ranks.get(b!)! - ranks.get(d!)!);
    for (const [first, second] of pairs) print(`${places.get(first!)} — ${places.get(second!)}`);
    const shown = nodes.length < total ? `${nodes.length} of ` : '';
    note(`${plural(edges.length, 'linked pair')} among ${shown}${plural(total, 'document')}`);
  },
};
