/** Makes ids of chunks and parents from their content and place: equal files have equal ids. */
import type { Digest } from '../text/digest.ts';

/** 52 bits: in an index of ten million chunks, the chance that two of them share an id is about 1 in 100. */
const DIGITS = 13;

/**
 * Makes a function for the ids of one document's chunks or parents, unique within the document. An id depends on the text, the
 * heading path, and the number of equal texts before it under this path. It does not depend on an offset: an edit elsewhere in
 * the document changes no other id. Blank space around the text is ignored.
 */
export function identifier(kind: 'chunk' | 'parent', documentId: string, digest: Digest) {
  const occurrences = new Map<string, number>();
  const given = new Set<string>();
  return (headingPath: readonly string[], text: string): string => {
    const identity = JSON.stringify([kind, documentId, headingPath, text.trim()]);
    let occurrence = occurrences.get(identity) ?? 0;
    let id: string;
    do {
      id = digest(`${identity}${occurrence++}`).slice(0, DIGITS);
    } while (given.has(id));
    occurrences.set(identity, occurrence);
    given.add(id);
    return id;
  };
}
