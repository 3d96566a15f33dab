/** The graph of links between documents, over edges that were found before. Links are resolved only when they are asked for. */
import type { Link } from '../model/document.ts';
import type { LinkEdges } from '../model/saved-state.ts';
import { keepLatest } from '../text/keep-latest.ts';
import { lazyConstant } from '../text/lazy-constant.ts';
import { memoize } from '../text/memoize.ts';
import { createLinkFinder, type LinkingDocument } from './link-edges.ts';

/** The documents whose links make a graph. */
export interface LinkedDocuments {
  readonly document: (number: number) => LinkingDocument | undefined;
  readonly all: () => Iterable<LinkingDocument>;
  /** Links of a document, in the order of its text. */
  readonly linksOf: (document: number) => readonly Link[];
}

/** A link that leads to no document. */
export interface BrokenLink {
  readonly source: number;
  readonly link: Link;
}

export type LinkGraph = ReturnType<typeof createLinkGraph>;

/** Max number of documents whose resolved links are kept. An export asks for the links of each document many times. */
const MAX_KEPT = 1_000;

/**
 * Makes a graph for reading. It is valid until a document changes. A killed run may leave edges of removed documents: these are
 * skipped.
 */
export function createLinkGraph({ linked, broken }: LinkEdges, documents: LinkedDocuments) {
  const isHere = (number: number) => documents.document(number) !== undefined;
  const adjacent = lazyConstant(() => adjacency(linked, isHere));
  const finder = lazyConstant(() => createLinkFinder(documents.all()));

  /**
   * Documents one link away in either direction, each with the weight of its strongest link. Links from a document to itself are
   * ignored.
   */
  function neighbours(number: number): ReadonlyMap<number, number> {
    return adjacent().get(number) ?? new Map();
  }

  const linksFrom = memoize((number: number): ReadonlyMap<number | undefined, readonly Link[]> => {
    const document = documents.document(number);
    return Map.groupBy(document ? documents.linksOf(number) : [], (link) => finder()(document!, link));
  }, keepLatest(MAX_KEPT));

  const counts = memoize((way: 'out' | 'in') => {
    const counted = new Map<number, number>();
    for (let at = 0; at < linked.length; at += 4) {
      const [from, to, count] = [linked[at]!, linked[at + 1]!, linked[at + 3]!];
      if (!isHere(from) || !isHere(to)) continue;
      const end = way === 'out' ? from : to;
      counted.set(end, (counted.get(end) ?? 0) + count);
    }
    return counted;
  });

  const places = lazyConstant(() => {
    const places: (readonly [document: number, place: number])[] = [];
    for (let at = 0; at < broken.length; at += 2)
      if (isHere(broken[at]!)) places.push([broken[at]!, broken[at + 1]!]);
    return places.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  });

  return {
    neighbours,
    /** Every pair of linked documents once, in no particular order. */
    *pairs(): Iterable<readonly [a: number, b: number, weight: number]> {
      for (const [a, others] of adjacent()) for (const [b, weight] of others) if (a < b) yield [a, b, weight];
    },
    /** Number of links from a document to others, or from others to it. */
    count: (number: number, way: 'out' | 'in') => counts(way).get(number) ?? 0,
    /** Returns the links from a document to others, by the number of the other. Each group has the order of the text. */
    outgoing(number: number): ReadonlyMap<number, readonly Link[]> {
      const others = [...linksFrom(number)].filter(([to]) => to !== undefined && to !== number);
      return new Map(others as [number, readonly Link[]][]);
    },
    /** Returns the links from other documents to a document, by the number of the other. Each group has the order of the text. */
    incoming(number: number): ReadonlyMap<number, readonly Link[]> {
      const others = [...neighbours(number).keys()].sort((a, b) => a - b);
      const found = others.map((other) => [other, linksFrom(other).get(number) ?? []] as const);
      return new Map(found.filter(([, links]) => links.length > 0));
    },
    /** Number of broken links. Links that mean something other than a document do not count (`leadsOutside`). */
    countBroken: () => places().length,
    /** Yields the broken links, ordered by document number and place in the text. Reads the links of one document at a time. */
    *broken(): Generator<BrokenLink> {
      let [source, links]: [number, readonly Link[]] = [-1, []];
      for (const [number, place] of places()) {
        if (number !== source) [source, links] = [number, documents.linksOf(number)];
        const link = links[place];
        if (link) yield { source, link };
      }
    },
  };
}

/** Returns linked documents in both directions, each with the weight of the stronger direction. */
function adjacency(linked: readonly number[], isHere: (document: number) => boolean) {
  const adjacent = new Map<number, Map<number, number>>();
  const connect = (from: number, to: number, weight: number) => {
    const known = adjacent.get(from);
    if (known) known.set(to, Math.max(known.get(to) ?? 0, weight));
    else adjacent.set(from, new Map([[to, weight]]));
  };
  for (let at = 0; at < linked.length; at += 4) {
    const [a, b, weight] = [linked[at]!, linked[at + 1]!, linked[at + 2]!];
    if (!isHere(a) || !isHere(b)) continue;
    connect(a, b, weight);
    connect(b, a, weight);
  }
  return adjacent;
}
