/** Finds the documents related to a document: linked documents, its community, and documents of similar meaning. */
import type { LinkGraph } from '../../core/graph/link-graph.ts';
import type { CatalogDocument } from '../../core/model/document.ts';
import { parseQuery } from '../../core/query/parse.ts';
import { centroid } from '../../core/rank/likeness.ts';
import { compareText } from '../../core/text/compare-text.ts';
import { isEmbeddingUnavailable } from '../workspace/semantic-index.ts';
import type { ReadableWorkspace } from '../workspace/workspace.ts';
import { bestLinked, documentFacts, documentName } from './document-facts.ts';
import type { LinkDirection, LinkedDocument, RelatedDocuments, RelatedOptions } from './documents-api.ts';
import { type FoundDocument, findDocument } from './find-document.ts';

/** Max linked documents of a document that are listed. */
export const LINKED_SHOWN = 100;
const MEMBERS_SHOWN = 10;

/** @throws DocfuseError `not_found` with the three nearest names */
export async function relatedDocuments(
  workspace: ReadableWorkspace,
  name: string,
  { depth = 1, direction = 'both', paths, signal }: RelatedOptions,
  cwd: string,
): Promise<RelatedDocuments> {
  signal?.throwIfAborted();
  const found = await findDocument(workspace, name, { paths }, cwd);
  const { document } = found;
  const linked = linkedDocuments(workspace, document.number, depth, direction);
  const community = communityOf(workspace, document.number);
  const answer = {
    document: documentFacts(workspace, document),
    linked: linked.slice(0, LINKED_SHOWN),
    linkedCount: linked.length,
    ...(community ? { community } : {}),
  };
  const similar = await similarDocuments(workspace, found);
  signal?.throwIfAborted();
  return { ...answer, ...similar };
}

/** Searches breadth first: each document is found at its smallest distance, with all links to documents one step nearer. */
export function linkedDocuments(
  workspace: Pick<ReadableWorkspace, 'links' | 'catalog'>,
  start: number,
  depth: number,
  direction: LinkDirection,
): LinkedDocument[] {
  const graph = workspace.links().graph();
  const catalog = workspace.catalog();
  const seen = new Set([start]);
  const found: LinkedDocument[] = [];
  let frontier = [start];
  for (let distance = 1; distance <= depth; distance += 1) {
    const steps = frontier.flatMap((number) => stepsFrom(graph, number, direction));
    const unseen = steps.filter(({ other }) => !seen.has(other));
    const reached = Map.groupBy(unseen, ({ other }) => other);
    for (const [number, links] of reached) {
      seen.add(number);
      found.push({
        ...documentName(catalog.document(number)!),
        distance,
        links: links
          .map(({ way, link, source }) => ({
            direction: way,
            kind: link.kind,
            source: catalog.document(source)!.id,
            line: link.line,
          }))
          .sort(bySource),
      });
    }
    frontier = [...reached.keys()];
  }
  return found.sort(
    (a, b) =>
      a.distance - b.distance || b.links.length - a.links.length || (a.documentId < b.documentId ? -1 : 1),
  );
}

type LinkPlace = LinkedDocument['links'][number];

/** Sorts `out` links first, then by document, line and kind. The order does not depend on the order of indexing. */
function bySource(a: LinkPlace, b: LinkPlace): number {
  if (a.direction !== b.direction) return a.direction === 'out' ? -1 : 1;
  return compareText(a.source, b.source) || a.line - b.line || compareText(a.kind, b.kind);
}

/** Returns the links of a document. `other` is the number of the document at the other end, `source` of the one that holds the link. */
function stepsFrom(graph: LinkGraph, number: number, direction: LinkDirection) {
  const out = direction === 'in' ? [] : [...graph.outgoing(number)];
  const back = direction === 'out' ? [] : [...graph.incoming(number)];
  return [
    ...out.flatMap(([other, links]) =>
      links.map((link) => ({ other, link, way: 'out' as const, source: number })),
    ),
    ...back.flatMap(([other, links]) =>
      links.map((link) => ({ other, link, way: 'in' as const, source: other })),
    ),
  ];
}

function communityOf(workspace: ReadableWorkspace, number: number): RelatedDocuments['community'] {
  const links = workspace.links();
  const place = links.communityOf(number);
  const members = place === undefined ? undefined : links.communities()[place];
  if (!members) return undefined;
  const others = members
    .filter((member) => member !== number)
    .map((member) => workspace.catalog().document(member)!);
  const best = bestLinked(others, links.graph().neighbours).slice(0, MEMBERS_SHOWN);
  return { documents: members.length, members: best.map(({ document }) => documentName(document)) };
}

/** Number of similar passages to search. Each document keeps its best passage. */
const DEPTH = 200;
const SIMILAR_SHOWN = 5;

/**
 * Finds documents of similar meaning. Compares their passages with the mean vector of this document's passages. If lines were
 * named, only the passages on these lines count.
 */
async function similarDocuments(
  workspace: ReadableWorkspace,
  { document, startLine, endLine = startLine }: FoundDocument,
): Promise<Pick<RelatedDocuments, 'similar' | 'notice'>> {
  const { store } = workspace;
  const catalog = workspace.catalog();
  if (workspace.facts().embedded === 0) return { similar: [], notice: 'No passage has a vector yet.' };
  try {
    const { semantic, vectorsOf } = await workspace.models.covering.semanticIndex();
    const all = catalog.slotsOf(document.number);
    const passages = startLine === undefined ? [] : await store.chunks(all);
    const named = all.filter((_, place) => {
      const passage = passages[place];
      return passage && passage.startLine <= endLine! && passage.endLine >= startLine!;
    });
    const slots = named.length > 0 ? named : all;
    const mean = centroid((await vectorsOf(slots)).filter((vector) => vector !== undefined));
    if (!mean) return { similar: [], notice: 'No passage of this document has a vector yet.' };
    const others = catalog.mask([(other) => other.number !== document.number], []);
    const length = Math.hypot(...mean) || 1;
    const query = { parsed: parseQuery(''), vector: mean.map((value) => value / length) };
    const { entries } = await semantic.search(query, DEPTH, others);
    const best = new Map<CatalogDocument, (typeof entries)[number]>();
    for (const entry of entries) {
      const other = catalog.documentOf(entry.slot);
      if (other && !best.has(other)) best.set(other, entry);
    }
    const shown = [...best].slice(0, SIMILAR_SHOWN);
    const nearest = await store.chunks(shown.map(([, { slot }]) => slot));
    return {
      similar: shown.map(([other, { score }], place) => {
        const { startLine: first, endLine: last, headingPath } = nearest[place]!;
        const passage = { startLine: first, endLine: last, headingPath };
        return { ...documentName(other), similarity: round(score), ...passage };
      }),
    };
  } catch (error) {
    if (!isEmbeddingUnavailable(error)) throw error;
    return { similar: [], notice: `${error.message} ${error.remedy}` };
  }
}

function round(similarity: number): number {
  return Math.round(similarity * 10_000) / 10_000;
}
