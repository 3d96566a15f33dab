/** Finds the edges between documents from their links, without a graph in memory. */
import type { Link, LinkKind } from '../model/document.ts';
import { memoize } from '../text/memoize.ts';
import { createLinkResolver, type LinkResolver, type NamedDocument, spellings } from './link-resolver.ts';

/** Weight of a link between two documents, by kind, 0–1. */
export const EDGE_WEIGHTS: Readonly<Record<LinkKind, number>> = {
  transclusion: 1,
  wikilink: 1,
  relative: 0.85,
  related: 0.7,
};

export interface LinkingDocument extends NamedDocument {
  /** Links are resolved within this collection. */
  readonly collection: string;
}

/**
 * Prepares to resolve links against the names of all documents.
 * @returns a function that returns the targets of a document's links, without the document itself. Each target has the weight of
 * the strongest link to it
 */
export function createEdgeFinder(documents: Iterable<LinkingDocument>) {
  const resolverOf = memoize((_collection: string) => createLinkResolver());
  for (const document of documents) resolverOf(document.collection).add(document);
  return ({ number, collection, path }: LinkingDocument, links: readonly Link[]) => {
    const targets = new Map<number, number>();
    for (const link of links) {
      const target = resolveLink(resolverOf(collection), path, link);
      if (target === undefined || target === number) continue;
      targets.set(target, Math.max(targets.get(target) ?? 0, EDGE_WEIGHTS[link.kind]));
    }
    return targets;
  };
}

/** Returns the number of the document that a link in the document at `path` leads to. */
export function resolveLink({ resolve }: LinkResolver, path: string, link: Link): number | undefined {
  for (const spelling of spellings(link)) {
    const found = resolve(path, spelling);
    if (found !== undefined) return found;
  }
  return undefined;
}
