/** Lists on a terminal, one entry a line: documents, tags, collections, linked pairs of documents. */
import { oneLine } from '../../../core/text/one-line.ts';
import type { linkGraph, listCollections, listDocuments, listTags } from '../../operations/list.ts';
import { count, plural } from '../terminal.ts';
import type { View } from './view.ts';

export const listView: View<typeof listDocuments> = {
  show({ documents, total, next_cursor, notice }, { print, note, advise, locate, terminal }) {
    for (const { collection, path, title } of documents) {
      print(`${terminal.colors.cyan(locate(collection, path))}  ${oneLine(title)}`);
    }
    if (notice) note(advise(notice));
    note(
      next_cursor === undefined
        ? plural(total, 'document')
        : `${count(documents.length)} of ${plural(total, 'document')}; more with --cursor ${next_cursor}`,
    );
  },
};

export const tagsView: View<typeof listTags> = {
  show({ tags }, { print, note, terminal }) {
    for (const { tag, documents } of tags) {
      print(`${terminal.colors.cyan(oneLine(tag))}  ${count(documents)}`);
    }
    note(plural(tags.length, 'tag'));
  },
};

export const collectionsView: View<typeof listCollections> = {
  show({ collections }, { print, terminal }) {
    for (const { name, root, documents } of collections) {
      print(`${terminal.colors.cyan(oneLine(name))}  ${oneLine(root)}  ${plural(documents, 'document')}`);
    }
  },
};

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
