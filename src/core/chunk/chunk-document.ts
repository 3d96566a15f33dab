/** Splits a document into chunks and parents, with ids, heading paths and exact lines. */
import type { Chunk, ChunkedDocument, Parent, Span } from '../model/chunk.ts';
import type { ParsedDocument } from '../model/document.ts';
import { type Digest, plainDigest } from '../text/digest.ts';
import { indexLines, type LineIndex, trimSpan } from '../text/lines.ts';
import { byHeadings } from './by-headings.ts';
import { codeReader } from './code-parts.ts';
import { fixed } from './fixed.ts';
import { leadReader } from './lead.ts';
import { groupParents, outlineOf } from './outline.ts';
import type { ChunkingSettings } from './settings.ts';

export { type ChunkingSettings, DEFAULT_CHUNKING } from './settings.ts';

/**
 * Splits a document by the settings. Every document has at least one chunk, even an empty document. If the overlaps are removed
 * and the chunks are joined in order, the result is exactly the text of the document. Line numbers refer to the first and last
 * character that is not blank.
 * @param documentId `<collection>/<path>`
 */
export function chunkDocument(
  documentId: string,
  document: ParsedDocument,
  settings: ChunkingSettings,
  digest = plainDigest,
): ChunkedDocument {
  const { text } = document;
  const outline = outlineOf(document);
  const lines = indexLines(text);
  const isFixed = settings.strategy === 'fixed';
  const pieces = isFixed ? fixed(text, settings) : byHeadings(document, outline, settings);

  const parentIdOfPiece: string[] = [];
  const parents: Parent[] = [];
  if (settings.parentRetrievalEnabled) {
    const identify = identifier('parent', documentId, digest);
    for (const parent of groupParents(document, outline, pieces, settings)) {
      const headingPath = outline.pathOf(parent.start, parent.end);
      const id = identify(headingPath, text.slice(parent.start, parent.end));
      parents.push({ id, headingPath, ...spanOf(document, lines, parent.start, parent.end) });
      for (let count = parent.pieces; count > 0; count--) parentIdOfPiece.push(id);
    }
  }

  const identify = identifier('chunk', documentId, digest);
  const codeIn = codeReader(document, lines);
  const leadTo = leadReader(document);
  const chunks: Chunk[] = [];
  for (const [index, piece] of pieces.entries()) {
    const { start, newStart, end } = piece;
    const headingPath = isFixed
      ? outline.pathOfSection(outline.sectionAt(newStart))
      : outline.pathOf(newStart, end);
    const chunkText = text.slice(start, end);
    const parentId = parentIdOfPiece[index];
    const lead = leadTo(piece);
    chunks.push({
      id: identify(headingPath, chunkText),
      headingPath,
      text: chunkText,
      overlap: newStart - start,
      ...(lead !== undefined && { lead }),
      codeBlocks: codeIn(newStart, end),
      ...spanOf(document, lines, start, end),
      ...(parentId !== undefined && { parentId }),
    });
  }
  return { chunks, parents };
}

function spanOf({ text, firstLine }: ParsedDocument, lines: LineIndex, start: number, end: number): Span {
  const [first, last] = trimSpan(text, start, end);
  const startLine = firstLine + lines.lineAt(first);
  const endLine = last > first ? firstLine + lines.lineAt(last - 1) : startLine;
  return { start, end, startLine, endLine };
}

/** 52 bits: in an index of ten million chunks, the chance that two of them share an id is about 1 in 100. */
const DIGITS = 13;

/**
 * Makes a function that returns ids of chunks or parents of one document; each id is unique in the document. An id depends on the
 * document id, the heading path, the text, and the number of equal texts before it under the same heading path. It does not
 * depend on an offset: an edit elsewhere in the document changes no other id. Blank space around the text is ignored.
 */
function identifier(kind: 'chunk' | 'parent', documentId: string, digest: Digest) {
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
