/** Reads the structure of a document: blocks to keep together, headings, code, context prefixes, regions of inline text. */
import type { Token } from 'markdown-it';
import type { Block, CodeBlock } from '../model/document.ts';
import { indexLines, type LineIndex, trimSpan } from '../text/lines.ts';
import { readContextPrefixes } from './context-prefixes.ts';
import { blockTokens } from './markdown-it.ts';

interface Heading {
  readonly level: number;
  /** Inline Markdown, as written. */
  readonly content: string;
  /** Offset at which the first line of the heading begins. */
  readonly start: number;
}

/** `text` is a paragraph or a table row; `code` is an indented code block. */
export type RegionKind = 'heading' | 'text' | 'html' | 'code';

/** A stretch of text; marks of inline Markdown can pair up only within one region. */
export interface Region {
  readonly kind: RegionKind;
  readonly start: number;
  readonly end: number;
}

/** Block kinds of tokens without nested blocks. Lists and quotes are split into blocks instead. */
const LEAF_KINDS: Readonly<Record<string, Block['kind']>> = {
  heading_open: 'heading',
  paragraph_open: 'paragraph',
  reference_definition: 'paragraph',
  fence: 'code',
  code_block: 'code',
  table_open: 'table',
  html_block: 'html',
  hr: 'rule',
};

const REGION_KINDS: Readonly<Record<string, RegionKind>> = {
  tr_open: 'text',
  html_block: 'html',
  code_block: 'code',
};

/**
 * Reads the block structure, in the order of the text. Returns top-level headings only: headings inside quotes and lists do not
 * begin a section.
 * @param firstLine line of the file where `text` begins
 */
export function readBlocks(text: string, firstLine: number) {
  const lines = indexLines(text);
  const { tokens, environment } = blockTokens(text);
  const blocks = blockCollector(text, lines);
  const headings: Heading[] = [];
  const codeBlocks: CodeBlock[] = [];
  const regions: Region[] = [];

  for (const [index, token] of tokens.entries()) {
    if (!token.map) continue;
    const [startLine, endLine] = token.map;
    blocks.take(token, startLine, endLine);
    if (token.type === 'heading_open' && token.level === 0) {
      const content = tokens[index + 1]?.content ?? '';
      headings.push({ level: Number(token.tag.slice(1)), content, start: lines.startOf(startLine) });
    }
    if (token.type === 'fence' || token.type === 'code_block') {
      const code = readCodeBlock(token, text, lines, firstLine);
      if (code) codeBlocks.push(code);
    }
    const kind = regionKind(token, tokens[index - 1]);
    if (kind) regions.push({ kind, start: lines.startOf(startLine), end: lines.startOf(endLine) });
  }
  const contextPrefixes = readContextPrefixes(tokens, text, lines);
  return { blocks: blocks.finish(), headings, codeBlocks, contextPrefixes, regions, environment };
}

/** Returns the kind of region that a token begins. A table row is one region, because its cells have no lines of their own. */
function regionKind(token: Token, before: Token | undefined): RegionKind | undefined {
  if (token.type === 'inline') return before?.type === 'heading_open' ? 'heading' : 'text';
  // markdown-it reads a footnote of one word as a reference definition.
  if (token.type === 'reference_definition' && String(token.meta?.label).startsWith('^')) return 'text';
  return REGION_KINDS[token.type];
}

/** The top-level list item or quote that the current tokens belong to. */
interface OpenContainer {
  readonly kind: 'list' | 'quote';
  readonly endLine: number;
  /** First line that is not yet part of a block. */
  nextLine: number;
}

/**
 * Makes blocks of top-level leaves, list items and quotes. Code and tables inside list items and quotes become separate blocks.
 */
function blockCollector(text: string, lines: LineIndex) {
  const blocks: Block[] = [];
  let container: OpenContainer | undefined;

  const push = (kind: Block['kind'], startLine: number, endLine: number) => {
    const [first, last] = trimSpan(text, lines.startOf(startLine), lines.startOf(endLine));
    if (first === last) return;
    const start = lines.startOf(lines.lineAt(first));
    blocks.push({ kind, start, end: lines.startOf(lines.lineAt(last - 1) + 1) });
  };
  const closeContainer = () => {
    if (container) push(container.kind, container.nextLine, container.endLine);
    container = undefined;
  };
  const take = (token: Token, startLine: number, endLine: number) => {
    const leaf = LEAF_KINDS[token.type];
    const isItem = token.type === 'list_item_open' && token.level === 1 && container?.kind !== 'quote';
    if (token.level === 0 || isItem) closeContainer();
    if (isItem || (token.level === 0 && token.type === 'blockquote_open')) {
      container = { kind: isItem ? 'list' : 'quote', endLine, nextLine: startLine };
    } else if (token.level === 0 && leaf) {
      push(leaf, startLine, endLine);
    } else if (container && (leaf === 'code' || leaf === 'table')) {
      push(container.kind, container.nextLine, startLine);
      push(leaf, startLine, endLine);
      container.nextLine = endLine;
    }
  };
  const finish = () => {
    closeContainer();
    return blocks;
  };
  return { take, finish };
}

/**
 * Reads a `fence` or `code_block` token.
 * @param firstLine line of the file where `text` begins
 * @returns undefined for an indented block of white space only
 */
function readCodeBlock(
  { type, info, content, map }: Token,
  text: string,
  lines: LineIndex,
  firstLine: number,
): CodeBlock | undefined {
  const [start, end] = map ?? [0, 0];
  // markdown-it reads a blank line as code if it has white space other than spaces and tabs. Skip such lines at the start.
  const blank = type === 'fence' ? '' : /^(?:\s*\n)?/.exec(content)![0];
  if (type !== 'fence' && blank === content) return undefined;
  let last = end - 1;
  // An unclosed fence includes the blank lines up to the end of its container. Leave them out.
  while (last > start && isBlankLine(text, lines, last)) last--;
  return {
    language: type === 'fence' ? languageOf(info) : '',
    text: withoutTrailingBlankLines(content.slice(blank.length)),
    startLine: firstLine + start + blank.split('\n').length - 1,
    endLine: firstLine + last,
  };
}

/**
 * Returns the first word of an info string in lower case. Supports these dialects: `ts {1,3}`, `ts{1,3}`, `rust,ignore`,
 * `python=`, `js:title`, `{.python .numbered}`, `{r, echo=FALSE}`, `{=html}`.
 */
function languageOf(info: string): string {
  const text = info.trimStart().slice(0, 200);
  const classed = /^\{[^}]*?(?<![^\s{])[.=]([^\s},]+)/.exec(text);
  const word = classed ?? /^\{?\s*([^\s{},:=]+)/.exec(text);
  return (word?.[1] ?? '').toLowerCase();
}

/** Whether a line is blank; the marks of a quote do not count as text. */
function isBlankLine(text: string, lines: LineIndex, line: number): boolean {
  return !/[^\s>]/.test(text.slice(lines.startOf(line), lines.startOf(line + 1)));
}

function withoutTrailingBlankLines(content: string): string {
  const end = content.trimEnd().length;
  const lineEnd = content.indexOf('\n', end);
  return end === 0 ? '' : content.slice(0, lineEnd === -1 ? content.length : lineEnd);
}
