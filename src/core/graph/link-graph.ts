/** The graph of links between documents. Links are resolved against the current names of documents. */
import type { Link, LinkKind } from '../model/document.ts';
import { memoize } from '../text/memoize.ts';
import { EDGE_WEIGHTS, type LinkingDocument, resolveLink } from './link-edges.ts';
import { createLinkResolver, handleOf, handlesOf, leadsOutside, spellings } from './link-resolver.ts';

export interface LinkedDocument extends LinkingDocument {
  readonly links: readonly Link[];
}

/** A link between two documents, seen from one of them. */
export interface ResolvedLink {
  /** Number of the document at the other end. */
  readonly other: number;
  readonly link: Link;
}

export type LinkGraph = ReturnType<typeof createLinkGraph>;

interface LinkEntry {
  /** Number of the document that contains the link. */
  readonly source: number;
  readonly link: Link;
  target?: number | undefined;
}

interface DocumentEntry {
  readonly document: LinkedDocument;
  readonly outgoing: readonly LinkEntry[];
}

/**
 * Starts an empty graph. Links are resolved when the graph is read: all at first, later only new links and links that may point
 * to an added or removed document. The result is the same as resolving all links again.
 */
export function createLinkGraph() {
  const entries = new Map<number, DocumentEntry>();
  const resolverOf = memoize((_collection: string) => createLinkResolver());
  /** All links, by the keys (`handleOf`) of their spellings. A link and the document that it points to have a key in common. */
  const waiting = new Map<string, Set<LinkEntry>>();
  const waitingFor = memoize((_handle: string) => new Set<LinkEntry>(), waiting);
  const incoming = new Map<number, Set<LinkEntry>>();
  const incomingTo = memoize((_number: number) => new Set<LinkEntry>(), incoming);
  const adjacent = new Map<number, ReadonlyMap<number, number>>();
  const unsettled = new Set<LinkEntry>();

  function unsettleLinksTo(document: LinkedDocument): void {
    for (const handle of handlesOf(document)) {
      for (const entry of waiting.get(handle) ?? []) {
        if (entries.get(entry.source)?.document.collection === document.collection) unsettled.add(entry);
      }
    }
  }

  function point(entry: LinkEntry, target: number | undefined): void {
    if (entry.target === target) return;
    for (const end of [entry.source, entry.target, target]) if (end !== undefined) adjacent.delete(end);
    if (entry.target !== undefined) incoming.get(entry.target)?.delete(entry);
    entry.target = target;
    if (target !== undefined) incomingTo(target).add(entry);
  }

  function settle(): void {
    for (const entry of unsettled) {
      const source = entries.get(entry.source);
      if (!source) continue;
      const { path, collection } = source.document;
      point(entry, resolveLink(resolverOf(collection), path, entry.link));
    }
    unsettled.clear();
  }

  function remove(number: number): void {
    const entry = entries.get(number);
    if (!entry) return;
    for (const link of entry.outgoing) {
      point(link, undefined);
      unsettled.delete(link);
      for (const handle of handles(link)) {
        waitingFor(handle).delete(link);
        if (waitingFor(handle).size === 0) waiting.delete(handle);
      }
    }
    entries.delete(number);
    resolverOf(entry.document.collection).remove(number);
    unsettleLinksTo(entry.document);
    adjacent.delete(number);
  }

  /**
   * Documents one link away in either direction, each with the weight of its strongest link. Links from a document to itself are
   * ignored. Valid until the next change of the graph.
   */
  function neighbours(number: number): ReadonlyMap<number, number> {
    settle();
    const known = adjacent.get(number);
    if (known) return known;
    const found = new Map<number, number>();
    const note = (other: number | undefined, kind: LinkKind) => {
      if (other === undefined || other === number) return;
      found.set(other, Math.max(found.get(other) ?? 0, EDGE_WEIGHTS[kind]));
    };
    for (const { target, link } of entries.get(number)?.outgoing ?? []) note(target, link.kind);
    for (const { source, link } of incoming.get(number) ?? []) note(source, link.kind);
    adjacent.set(number, found);
    return found;
  }

  return {
    /** Adds a document, or replaces the document with the same number. */
    put(document: LinkedDocument): void {
      remove(document.number);
      const outgoing = document.links.map((link): LinkEntry => ({ source: document.number, link }));
      entries.set(document.number, { document, outgoing });
      resolverOf(document.collection).add(document);
      unsettleLinksTo(document);
      for (const link of outgoing) {
        unsettled.add(link);
        for (const handle of handles(link)) waitingFor(handle).add(link);
      }
    },
    remove,
    neighbours,
    /** Links from a document to other documents, in the order of its text. */
    outgoing(number: number): readonly ResolvedLink[] {
      settle();
      return (entries.get(number)?.outgoing ?? []).flatMap(({ target, link }) =>
        target === undefined || target === number ? [] : { other: target, link },
      );
    },
    /** Links from other documents to a document, ordered by the numbers of the other documents. */
    incoming(number: number): readonly ResolvedLink[] {
      settle();
      return [...(incoming.get(number) ?? [])]
        .filter(({ source }) => source !== number)
        .map(({ source, link }) => ({ other: source, link }))
        .sort((a, b) => a.other - b.other || a.link.line - b.link.line);
    },
    /** Every pair of linked documents once, in no particular order. */
    *edges(): Iterable<readonly [a: number, b: number, weight: number]> {
      for (const number of entries.keys()) {
        for (const [other, weight] of neighbours(number)) if (number < other) yield [number, other, weight];
      }
    },
    /** Broken links, ordered by document number. Links that mean something other than a document are left out (`leadsOutside`). */
    unresolved(): readonly Pick<LinkEntry, 'source' | 'link'>[] {
      settle();
      return [...entries.values()]
        .flatMap(({ outgoing }) => outgoing)
        .filter(({ target, link }) => target === undefined && !leadsOutside(link))
        .map(({ source, link }) => ({ source, link }))
        .sort((a, b) => a.source - b.source);
    },
  };
}

function handles({ link }: LinkEntry): ReadonlySet<string> {
  return new Set(spellings(link).map(handleOf));
}
