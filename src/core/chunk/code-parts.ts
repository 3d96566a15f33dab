/** Reads the code inside a chunk: whole blocks, and parts of blocks that were cut. */
import type { CodeBlock, ParsedDocument } from '../model/document.ts';
import { type LineIndex, trimSpan } from '../text/lines.ts';

/**
 * Makes a function that returns the code blocks of a stretch. A block that was cut is returned in parts, each with its own lines.
 * Calls must be for adjacent stretches of the document, in order.
 */
export function codeReader(
  document: ParsedDocument,
  lines: LineIndex,
): (start: number, end: number) => readonly CodeBlock[] {
  const { codeBlocks, firstLine } = document;
  let next = 0;
  /** Reads parts of `codeBlocks[next]`; undefined until the first part of this block is read. */
  let partOf: ReturnType<typeof partReader> | undefined;
  return (start, end) => {
    const parts: CodeBlock[] = [];
    while (next < codeBlocks.length) {
      const block = codeBlocks[next]!;
      const blockStart = lines.startOf(block.startLine - firstLine);
      const blockEnd = lines.startOf(block.endLine - firstLine + 1);
      if (blockStart >= end) break;
      if (blockStart < start || blockEnd > end) {
        partOf ??= partReader(block, firstLine, lines);
        const part = partOf(...trimSpan(document.text, Math.max(start, blockStart), Math.min(end, blockEnd)));
        if (part.text.trim() !== '') parts.push(part);
      } else {
        parts.push(block);
      }
      if (blockEnd > end) break;
      partOf = undefined;
      next++;
    }
    return parts;
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
