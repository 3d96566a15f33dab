/** Splits a document into chunks and parents, with ids, heading paths and exact lines. */

import { type Chunk, type ChunkedDocument, ID_DIGITS, type Parent, type Span } from '../model/chunk.ts';
import type { CodeBlock, ContextPrefix, ParsedDocument } from '../model/document.ts';
import { lastGraphemeBoundary, wordBoundaries } from '../text/boundaries.ts';
import { type Digest, plainDigest } from '../text/digest.ts';
import { lazyConstant } from '../text/lazy-constant.ts';
import { firstIndex, indexLines, type LineIndex, trimSpan } from '../text/lines.ts';
import { showsText } from '../text/plain-markdown.ts';
import { byHeadings } from './by-headings.ts';
import { fixed } from './fixed.ts';
import { groupParents, outlineOf } from './outline.ts';
import type { ChunkingSettings } from './settings.ts';
import type { Piece } from './split.ts';

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
  const prefixOf = contextPrefixReader(document);
  const chunks: Chunk[] = [];
  for (const [index, piece] of pieces.entries()) {
    const { start, newStart, end } = piece;
    const headingPath = isFixed
      ? outline.pathOfSection(outline.sectionAt(newStart))
      : outline.pathOf(newStart, end);
    const chunkText = text.slice(start, end);
    const parentId = parentIdOfPiece[index];
    const contextPrefix = prefixOf(piece);
    chunks.push({
      id: identify(headingPath, chunkText),
      headingPath,
      text: chunkText,
      overlap: newStart - start,
      ...(contextPrefix !== undefined && { contextPrefix }),
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

/**
 * Makes a function that returns ids of chunks or parents of one document; each id is unique in the document. An id depends on the
 * document id, the heading path, the text, and the number of equal texts before it under the same heading path. It does not
 * depend on an offset, so an edit elsewhere in the document does not change it. Blank space around the text is ignored.
 */
function identifier(kind: 'chunk' | 'parent', documentId: string, digest: Digest) {
  const occurrences = new Map<string, number>();
  const given = new Set<string>();
  return (headingPath: readonly string[], text: string): string => {
    const identity = JSON.stringify([kind, documentId, headingPath, text.trim()]);
    let occurrence = occurrences.get(identity) ?? 0;
    let id: string;
    do {
      id = digest(`${identity}${occurrence++}`).slice(0, ID_DIGITS);
    } while (given.has(id));
    occurrences.set(identity, occurrence);
    given.add(id);
    return id;
  };
}

/** Max UTF-16 units of a prefix. Most of the embedded text should be the piece itself. */
const MAX_CHARS = 200;

/**
 * Makes a function that returns the context prefix of a piece: one line for each list and table around it, outermost first.
 * Leaves out a line that the piece itself contains. The innermost line is cut to fit. If another line does not fit, it is left
 * out, and so are all lines outside it. Calls must be for the pieces in order.
 */
function contextPrefixReader({
  text,
  contextPrefixes: prefixes,
}: Pick<ParsedDocument, 'text' | 'contextPrefixes'>) {
  let next = 0;
  /** Prefixes that apply at the current place, outermost first. */
  let open: readonly ContextPrefix[] = [];
  return ({ start, newStart, end }: Piece): string | undefined => {
    const [place] = trimSpan(text, newStart, end);
    const begun: ContextPrefix[] = [];
    while (next < prefixes.length && prefixes[next]!.from <= place) begun.push(prefixes[next++]!);
    open = [...open, ...begun].filter(({ to }) => to > place);
    const parts: string[] = [];
    let room = MAX_CHARS;
    for (const prefix of open.toReversed()) {
      if (prefix.end > start) continue;
      const part = text
        .slice(prefix.start, parts.length === 0 ? clippedEnd(text, prefix) : prefix.end)
        .trimEnd();
      if (part.length > room) break;
      if (parts.includes(part) || !showsText(part.replaceAll('|', ''))) continue;
      parts.unshift(part);
      room -= part.length;
    }
    return parts.length === 0 ? undefined : parts.join('\n');
  };
}

function clippedEnd(text: string, { start, end }: ContextPrefix): number {
  const limit = start + MAX_CHARS;
  if (end <= limit) return end;
  // Extend the range by one character, because `wordBoundaries` excludes its end.
  const words = [...wordBoundaries(text, start + MAX_CHARS / 2, limit + 1)];
  return words.at(-1) ?? lastGraphemeBoundary(text, start, limit);
}

/** Makes a function that returns the code blocks of a stretch. A block that was cut is returned in parts, each with its own lines. */
function codeReader(
  document: ParsedDocument,
  lines: LineIndex,
): (start: number, end: number) => readonly CodeBlock[] {
  const { text, codeBlocks, firstLine } = document;
  const placed = codeBlocks.map((block) => ({
    block,
    blockStart: lines.startOf(block.startLine - firstLine),
    blockEnd: lines.startOf(block.endLine - firstLine + 1),
    partOf: lazyConstant(() => partReader(block, firstLine, lines)),
  }));
  return (start, end) => {
    const first = firstIndex(placed.length, (index) => placed[index]!.blockEnd > start);
    const next = firstIndex(placed.length, (index) => placed[index]!.blockStart >= end);
    return placed.slice(first, next).flatMap(({ block, blockStart, blockEnd, partOf }): CodeBlock[] => {
      if (blockStart >= start && blockEnd <= end) return [block];
      const part = partOf()(...trimSpan(text, Math.max(start, blockStart), Math.min(end, blockEnd)));
      return part.text.trim() === '' ? [] : [part];
    });
  };
}

/** Makes a function that reads the part of a block between two offsets. The lines of the block are split only once. */
function partReader(block: CodeBlock, firstLine: number, lines: LineIndex) {
  const content = block.text.split('\n');
  const isFenced = block.endLine - block.startLine + 1 > content.length;
  const contentLine = block.startLine + (isFenced ? 1 : 0);
  return (start: number, end: number): CodeBlock => {
    const startLine = firstLine + lines.lineAt(start);
    const endLine = firstLine + lines.lineAt(Math.max(start, end - 1));
    const texts: string[] = [];
    for (let line = Math.max(startLine, contentLine); line <= endLine; line++) {
      const text = content[line - contentLine];
      if (text === undefined) break;
      // In a list or a quote, `text` is the line without the marks at its start. So measure its place from the end of the line.
      const lineStart = lines.startOf(line - firstLine);
      const lineEnd = Math.max(lineStart, lines.startOf(line - firstLine + 1) - 1);
      const contentStart = lineEnd - text.length;
      texts.push(text.slice(Math.max(0, start - contentStart), Math.max(0, end - contentStart)));
    }
    return { language: block.language, text: texts.join('\n'), startLine, endLine };
  };
}
