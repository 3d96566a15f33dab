/** The links of documents that are kept in memory and may change at any time. */
import type { Link } from '../model/document.ts';
import { followEdges } from './follow-edges.ts';
import type { LinkingDocument } from './link-edges.ts';
import { createLinkGraph, type LinkGraph } from './link-graph.ts';
import type { ChangedDocument, DocumentsNow } from './update-edges.ts';

/** After a change, the next `graph` takes time in proportion to all links: some 15 ms for 10,000 of them. */
export function createLiveLinks() {
  const documents = new Map<number, ChangedDocument>();
  const now: DocumentsNow = {
    document: (number) => documents.get(number)?.document,
    all: () => [...documents.values()].map(({ document }) => document),
    linksOf: (number) => documents.get(number)?.links ?? [],
    links: () => [...documents].flatMap(([document, { links }]) => links.map((link) => ({ document, link }))),
  };
  const followed = followEdges({ linked: [], broken: [] }, () => now);
  let known: LinkGraph | undefined;

  return {
    put(document: LinkingDocument, links: readonly Link[]): void {
      known = undefined;
      documents.set(document.number, { document, links });
      followed.put({ document, links });
    },
    remove(number: number): void {
      const former = documents.get(number);
      if (!former) return;
      known = undefined;
      documents.delete(number);
      followed.remove(former);
    },
    graph(): LinkGraph {
      known ??= createLinkGraph(followed.edges(), now);
      return known;
    },
  };
}
