/** Which code block of a passage a query is about, and where it stands in the text. */
import type { Chunk } from '../model/chunk.ts';
import type { CodeBlock } from '../model/document.ts';
import type { QueryTerm } from '../model/query.ts';
import { analyzeCode } from '../text/identifiers.ts';
import { indexLines, type Stretch } from '../text/lines.ts';

/** The block with the most distinct terms, the first of equal ones; undefined when none holds any. */
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

/** The lines of a block in `chunk.text`, without its fences; undefined when there are none. */
export function codeStretch(chunk: Pick<Chunk, 'text' | 'startLine'>, block: CodeBlock): Stretch | undefined {
  const { text, startLine } = chunk;
  const lines = indexLines(text);
  // `startLine` is that of the first character that is not blank.
  const offset = startLine - lines.lineAt(text.length - text.trimStart().length);
  const lineText = (line: number) => text.slice(lines.startOf(line), lines.startOf(line + 1));
  let first = Math.max(0, block.startLine - offset);
  let last = block.endLine - offset;
  if (FENCE_LINE.test(lineText(first))) first++;
  if (last > first && FENCE_LINE.test(lineText(last))) last--;
  const [start, end] = [lines.startOf(first), lines.startOf(last + 1)];
  return text.slice(start, end).trim() === '' ? undefined : [start, end];
}
