/** Finds context prefixes. Each introduces other text: a list, the rest of a list item, or the rows of a table. */
import type { Token } from 'markdown-it';
import type { ContextPrefix } from '../model/document.ts';
import { sentenceBoundaries } from '../text/boundaries.ts';
import { type LineIndex, type Stretch, trimSpan } from '../text/lines.ts';

/** An open container: the document, a quote or a list item whose end is not reached yet. */
interface Container {
  readonly isItem: boolean;
  readonly endLine: number;
  isEmpty: boolean;
  /** The last paragraph, if no other block follows it so far. */
  paragraph: Stretch | undefined;
}

const LISTS = new Set(['bullet_list_open', 'ordered_list_open']);
const CONTAINERS = new Set(['list_item_open', 'blockquote_open']);
const CONTAINER_ENDS = new Set(['list_item_close', 'blockquote_close']);

/**
 * Returns the context prefixes of a document. For a list: the last sentence of the paragraph right before it. For the text after
 * the first paragraph of a list item: the first sentence of the item. For the rows of a table: its header.
 */
export function readContextPrefixes(
  tokens: readonly Token[],
  text: string,
  lines: LineIndex,
): readonly ContextPrefix[] {
  const prefixes: ContextPrefix[] = [];
  const open: Container[] = [newContainer('document', lines.count)];
  let header: Stretch = [0, 0];

  const add = (startLine: number, endLine: number, [start, end]: Stretch) => {
    const [from, to] = [lines.startOf(startLine), lines.startOf(endLine)];
    if (from < to) prefixes.push({ from, to, start, end });
  };
  for (const [index, token] of tokens.entries()) {
    if (CONTAINER_ENDS.has(token.type)) open.pop();
    if (!token.map || token.type === 'inline') continue;
    const [startLine, endLine] = token.map;
    const container = open.at(-1)!;
    const { isItem, isEmpty, paragraph } = container;
    container.isEmpty = false;
    container.paragraph = undefined;
    if (token.type === 'paragraph_open') {
      const content = tokens[index + 1]!.content;
      const span = paragraphSpan(text, content, lines.startOf(startLine), lines.startOf(endLine));
      container.paragraph = span;
      if (isItem && isEmpty) add(endLine, container.endLine, firstSentence(text, span));
    } else if (LISTS.has(token.type) && paragraph) {
      add(startLine, endLine, lastSentence(text, paragraph));
    } else if (token.type === 'thead_open') {
      header = trimSpan(text, lines.startOf(startLine), lines.startOf(endLine));
    } else if (token.type === 'tbody_open') {
      add(startLine, endLine, header);
    } else if (CONTAINERS.has(token.type)) {
      open.push(newContainer(token.type, endLine));
    }
  }
  return prefixes;
}

function newContainer(type: string, endLine: number): Container {
  return { isItem: type === 'list_item_open', endLine, isEmpty: true, paragraph: undefined };
}

/** Returns the stretch of a paragraph, without quote and list marks before its first line. */
function paragraphSpan(text: string, content: string, lineStart: number, end: number): Stretch {
  const lineEnd = text.indexOf('\n', lineStart);
  const line = text.slice(lineStart, lineEnd === -1 ? end : lineEnd);
  const mark = line.lastIndexOf(content.split('\n', 1)[0]!.trimEnd());
  return trimSpan(text, lineStart + Math.max(0, mark), end);
}

function firstSentence(text: string, [start, end]: Stretch): Stretch {
  for (const boundary of sentenceBoundaries(text, start, end)) return trimSpan(text, start, boundary);
  return [start, end];
}

function lastSentence(text: string, [start, end]: Stretch): Stretch {
  return [[...sentenceBoundaries(text, start, end)].at(-1) ?? start, end];
}
