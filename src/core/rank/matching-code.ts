/** Finds the code block of a passage that matches a query, and its place in the text. */
import type { Chunk } from '../model/chunk.ts';
import type { CodeBlock } from '../model/document.ts';
import type { QueryTerm } from '../model/query.ts';
import { analyzeCode } from '../text/identifiers.ts';
import { indexLines, type Stretch } from '../text/lines.ts';

/** Returns the block with the most distinct terms, or the first of several such blocks; undefined if no block has any term. */
export function matchingCode(
  blocks: readonly CodeBlock[],
  terms: readonly Pick<QueryTerm, 'term'>[],
): CodeBlock | undefined {
  const wanted = new Set(terms.map(({ term }) => term));
  let best: { readonly block: CodeBlock; readonly count: number } | undefined;
  for (const block of blocks) {
    const found = new Set<string>();
    analyzeCode(block.text, (term) => {
      if (wanted.has(term)) found.add(term);
    });
    if (found.size > (best?.count ?? 0)) best = { block, count: found.size };
  }
  return best?.block;
}

const FENCE_LINE = /^\s*(?:>\s?)*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:`{3,}|~{3,})/;

/** The place of a code block in the text of a passage, in UTF-16 offsets from the end of the overlap. */
export interface CodeStretch {
  readonly block: CodeBlock;
  /** Start of the first line of the block; a fence belongs to the block. */
  readonly start: number;
  /** End of the last line of the block. */
  readonly end: number;
  /** The code between the fences; undefined if it is blank. */
  readonly content: Stretch | undefined;
}

/** Finds the places of a passage's code blocks, in order. */
export function codeStretches({
  text,
  overlap,
  startLine,
  codeBlocks,
}: Pick<Chunk, 'text' | 'overlap' | 'startLine' | 'codeBlocks'>): readonly CodeStretch[] {
  if (codeBlocks.length === 0) return [];
  const lines = indexLines(text);
  // `startLine` is the line of the first character that is not white space.
  const offset = startLine - lines.lineAt(text.length - text.trimStart().length);
  const isFence = (line: number) => FENCE_LINE.test(text.slice(lines.startOf(line), lines.startOf(line + 1)));
  const placeOf = (line: number) => Math.max(0, lines.startOf(line) - overlap);
  return codeBlocks.map((block) => {
    const first = Math.max(0, block.startLine - offset);
    const last = block.endLine - offset;
    const contentStart = placeOf(isFence(first) ? first + 1 : first);
    const contentEnd = placeOf(last > first && isFence(last) ? last : last + 1);
    const isBlank = text.slice(overlap + contentStart, overlap + contentEnd).trim() === '';
    return {
      block,
      start: placeOf(first),
      end: placeOf(last + 1),
      content: isBlank ? undefined : [contentStart, contentEnd],
    };
  });
}
