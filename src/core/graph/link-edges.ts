/** Finds the edges between documents, and the broken links, from the links of documents. */
import type { Link, LinkKind } from '../model/document.ts';
import type { LinkEdges } from '../model/saved-state.ts';
import { memoize } from '../text/memoize.ts';
import { createLinkResolver, leadsOutside, type NamedDocument, spellings } from './link-resolver.ts';

/** Weight of a link between two documents, by kind, 0–1. */
const EDGE_WEIGHTS: Readonly<Record<LinkKind, number>> = {
  transclusion: 1,
  wikilink: 1,
  relative: 0.85,
  related: 0.7,
};

export interface LinkingDocument extends NamedDocument {
  /** Links are resolved within this collection. */
  readonly collection: string;
}

type FindTarget = ReturnType<typeof createLinkFinder>;

/**
 * Prepares to resolve links against the names of all documents.
 * @returns a function that returns the number of the document that a link of a document leads to
 */
export function createLinkFinder(documents: Iterable<LinkingDocument>) {
  const resolverOf = memoize((_collection: string) => createLinkResolver());
  for (const document of documents) resolverOf(document.collection).add(document);
  return ({ collection, path }: LinkingDocument, link: Link): number | undefined => {
    const { resolve } = resolverOf(collection);
    for (const spelling of spellings(link)) {
      const found = resolve(path, spelling);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** Returns the edges from one document. A link to the document itself is no edge. */
export function edgesFrom(document: LinkingDocument, links: readonly Link[], find: FindTarget): LinkEdges {
  const found = new Map<number, { weight: number; count: number }>();
  const broken: number[] = [];
  for (const [place, link] of links.entries()) {
    const target = find(document, link);
    if (target === undefined) {
      if (!leadsOutside(link)) broken.push(document.number, place);
    } else if (target !== document.number) {
      const { weight = 0, count = 0 } = found.get(target) ?? {};
      found.set(target, { weight: Math.max(weight, EDGE_WEIGHTS[link.kind]), count: count + 1 });
    }
  }
  return {
    linked: [...found].flatMap(([target, { weight, count }]) => [document.number, target, weight, count]),
    broken,
  };
}

/** Returns the edges between all documents. */
export function findEdges(
  documents: Iterable<LinkingDocument>,
  linksOf: (document: number) => readonly Link[],
): LinkEdges {
  const all = [...documents];
  const find = createLinkFinder(all);
  return joinEdges(all.map((document) => edgesFrom(document, linksOf(document.number), find)));
}

export function joinEdges(parts: readonly LinkEdges[]): LinkEdges {
  return { linked: parts.flatMap(({ linked }) => linked), broken: parts.flatMap(({ broken }) => broken) };
}
