/** Finds what may need care in the documents: broken links, copies and very long documents. */
import type { CatalogDocument } from '../../core/model/document.ts';
import { compareText } from '../../core/text/compare-text.ts';
import type { Applied } from '../filters.ts';
import type { ReadableWorkspace } from '../workspace/workspace.ts';
import { documentName } from './document-facts.ts';
import type { AuditOptions, DocumentAudit, DocumentSizes } from './documents-api.ts';
import { passingDocuments } from './list-documents.ts';

/** Default number of entries of each list. */
export const USUAL_LIMIT = 20;

/** Returns broken links, copies and sizes of the documents that pass the filters. Copies are searched only among these. */
export function auditDocuments(
  workspace: ReadableWorkspace,
  { filters = {}, limit = USUAL_LIMIT, signal }: Applied<AuditOptions>,
): DocumentAudit {
  signal?.throwIfAborted();
  const documents = passingDocuments(workspace, filters).sort((a, b) => compareText(a.id, b.id));
  const broken = brokenLinks(workspace, new Set(documents.map(({ number }) => number)));
  const copies = copiedDocuments(workspace, documents);
  return {
    brokenLinks: { count: broken.length, shown: broken.slice(0, limit) },
    duplicates: {
      count: copies.length,
      documents: copies.reduce((sum, { copyCount }) => sum + copyCount, 0),
      shown: copies.slice(0, limit).map((group) => ({ ...group, copies: group.copies.slice(0, limit) })),
    },
    sizes: documentSizes(workspace, documents, limit),
  };
}

function brokenLinks({ links, catalog }: ReadableWorkspace, passing: ReadonlySet<number>) {
  return [...links().graph().broken()]
    .filter(({ source }) => passing.has(source))
    .map(({ source, link: { line, target } }) => ({
      ...documentName(catalog().document(source)!),
      line,
      target,
    }))
    .sort((a, b) => compareText(a.documentId, b.documentId) || a.line - b.line);
}

function copiedDocuments({ catalog }: ReadableWorkspace, documents: readonly CatalogDocument[]) {
  const { slotsOf, contentOf } = catalog();
  const hashed = documents
    .map((document) => ({ document, hashes: new Set(slotsOf(document.number).map(contentOf)) }))
    // Documents without visible text do not count as copies of each other.
    .filter(({ hashes }) => hashes.size > 1 || !hashes.has(0));
  return groupAlike(hashed)
    .map(({ first, others }) => ({
      ...documentName(first),
      copyCount: others.length,
      copies: others.map(({ document, share }) => ({ ...documentName(document), share })),
    }))
    .sort((a, b) => b.copyCount - a.copyCount || compareText(a.documentId, b.documentId));
}

function documentSizes(
  { catalog, store }: ReadableWorkspace,
  documents: readonly CatalogDocument[],
  limit: number,
): DocumentSizes {
  const sized = documents.map((document) => ({
    document,
    chunks: catalog().slotsOf(document.number).length,
  }));
  const bySize = Map.groupBy(sized, ({ chunks }) => 2 ** Math.ceil(Math.log2(Math.max(1, chunks))));
  return {
    largest: sized
      .sort((a, b) => b.chunks - a.chunks)
      .slice(0, limit)
      .map(({ document, chunks }) => ({
        ...documentName(document),
        chunks,
        bytes: store.document(document.number)?.size ?? 0,
      })),
    spread: [...bySize]
      .map(([upTo, { length }]) => ({ upTo, documents: length }))
      .sort((a, b) => a.upTo - b.upTo),
  };
}

export interface HashedDocument<Document> {
  readonly document: Document;
  readonly hashes: ReadonlySet<number>;
}

/** Min share of equal passages: the number of passages in both documents, divided by the number in the longer document. */
const MIN_SHARE = 0.8;

/**
 * Compares each document with the first document of each earlier group. Only documents that share a rare passage are compared
 * (prefix filtering: Chaudhuri, Ganti and Kaushik 2006). If two documents share at least t of n passages, they share one of the
 * n − t + 1 rarest passages.
 * @param documents in the order in which groups are formed
 * @returns groups: `first`, and later documents with a `share` of equal passages of at least `MIN_SHARE`
 */
export function groupAlike<Document>(documents: readonly HashedDocument<Document>[]) {
  const holders = countHolders(documents);
  const firsts = new Map<number, number[]>();
  const groups = new Map<number, { readonly document: Document; readonly share: number }[]>();
  for (const [place, { document, hashes }] of documents.entries()) {
    const rare = rarest(hashes, holders);
    const candidates = new Set(rare.flatMap((hash) => firsts.get(hash) ?? []));
    const [best] = [...candidates]
      .map((first) => {
        const other = documents[first]!.hashes;
        return { first, share: other.intersection(hashes).size / Math.max(other.size, hashes.size) };
      })
      .filter(({ share }) => share >= MIN_SHARE)
      .sort((a, b) => b.share - a.share || a.first - b.first);
    if (best) {
      addTo(groups, best.first, { document, share: best.share });
      continue;
    }
    for (const hash of rare) addTo(firsts, hash, place);
  }
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([first, others]) => ({ first: documents[first]!.document, others }));
}

function countHolders(documents: readonly HashedDocument<unknown>[]): ReadonlyMap<number, number> {
  const holders = new Map<number, number>();
  for (const { hashes } of documents)
    for (const hash of hashes) holders.set(hash, (holders.get(hash) ?? 0) + 1);
  return holders;
}

function addTo<T>(lists: Map<number, T[]>, key: number, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function rarest(hashes: ReadonlySet<number>, holders: ReadonlyMap<number, number>): readonly number[] {
  const count = hashes.size - Math.ceil(hashes.size * MIN_SHARE) + 1;
  return [...hashes].sort((a, b) => holders.get(a)! - holders.get(b)! || a - b).slice(0, count);
}
