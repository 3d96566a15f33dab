/** Keeps edges up to date while documents change. Changes are applied when somebody asks for the edges. */
import type { LinkEdges } from '../model/saved-state.ts';
import { type ChangedDocument, type DocumentsNow, updateEdges } from './update-edges.ts';

export type EdgeFollower = ReturnType<typeof followEdges>;

/** @param edges the edges before any change */
export function followEdges(edges: LinkEdges, now: () => DocumentsNow) {
  const [removed, added] = [new Map<number, ChangedDocument>(), new Map<number, ChangedDocument>()];
  let isSame = true;
  return {
    /** Adds a document. Its number must be new: a document that changes is removed first. */
    put: (one: ChangedDocument) => void added.set(one.document.number, one),
    remove(one: ChangedDocument): void {
      if (!added.delete(one.document.number)) removed.set(one.document.number, one);
    },
    /** Number of removed documents that are kept until `edges` is called. */
    kept: () => removed.size,
    edges(): LinkEdges {
      if (removed.size + added.size === 0) return edges;
      const updated = updateEdges(edges, { removed, added }, now());
      edges = updated.edges;
      isSame &&= updated.isSame;
      removed.clear();
      added.clear();
      return edges;
    },
    /** Whether each change so far left the same documents linked, with the same weights. */
    isSame: () => isSame,
  };
}
