/** The links of documents that are kept in memory and may change at any time. */
import type { Link } from '../model/document.ts';
import type { LinkEdges } from '../model/saved-state.ts';
import type { LinkingDocument } from './link-edges.ts';
import { createLinkGraph, type LinkGraph } from './link-graph.ts';
import { type ChangedDocument, type DocumentsNow, updateEdges } from './update-edges.ts';

/** After a change, the next `graph` takes time in proportion to all links: 14 ms for 10,000 of them. */
export function createLiveLinks() {
  const documents = new Map<number, ChangedDocument>();
  /** Documents that changed since `edges` were found. */
  const [removed, added] = [new Map<number, ChangedDocument>(), new Map<number, ChangedDocument>()];
  let edges: LinkEdges = { linked: [], broken: [] };
  let known: LinkGraph | undefined;
  const now: DocumentsNow = {
    document: (number) => documents.get(number)?.document,
    all: () => [...documents.values()].map(({ document }) => document),
    linksOf: (number) => documents.get(number)?.links ?? [],
    links: () => [...documents].flatMap(([document, { links }]) => links.map((link) => ({ document, link }))),
  };

  return {
    /** @param document its number must be new: a document that changes is removed first */
    put(document: LinkingDocument, links: readonly Link[]): void {
      known = undefined;
      documents.set(document.number, { document, links });
      added.set(document.number, { document, links });
    },
    remove(number: number): void {
      const former = documents.get(number);
      if (!former) return;
      known = undefined;
      documents.delete(number);
      if (!added.delete(number)) removed.set(number, former);
    },
    graph(): LinkGraph {
      if (known) return known;
      edges = updateEdges(edges, { removed, added }, now).edges;
      removed.clear();
      added.clear();
      known = createLinkGraph(edges, now);
      return known;
    },
  };
}
