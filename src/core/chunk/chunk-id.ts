/** Identifiers of chunks and parents: from content and place, so that equal files give equal ids. */
import type { Digest } from '../text/digest.ts';

/** 52 bits: two of ten million chunks share an id with a chance of about one in a hundred. */
const DIGITS = 13;

/**
 * Makes the ids of one document's chunks or parents, each unique within the document.
 * The place is the heading path and how often the same text stood there before, not an offset: an edit elsewhere
 * in the document changes no other id. Blank space around the text does not count.
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
