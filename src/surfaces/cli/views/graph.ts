/** Linked pairs of documents on a terminal, one a line. */
import type * as z from 'zod';
import type { linkGraph } from '../../operations/link-graph.ts';
import type { Immutable } from '../../operations/operation.ts';
import { plural, printable } from '../terminal.ts';
import type { View } from './view.ts';

export const graphView: View<Immutable<z.output<typeof linkGraph.output>>> = {
  show({ nodes, edges, total }, { print, note, locate }) {
    const places = new Map(
      nodes.map((node) => [node.document_id, printable(locate(node.collection, node.path))]),
    );
    for (const { source, target } of edges) print(`${places.get(source)} — ${places.get(target)}`);
    const shown = nodes.length < total ? `${nodes.length} of ` : '';
    note(`${plural(edges.length, 'linked pair')} among ${shown}${plural(total, 'document')}`);
  },
};
