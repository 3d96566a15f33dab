/** Reads fenced and indented code blocks at any level of nesting: language, content, exact lines. */
import type { Token } from 'markdown-it';
import type { CodeBlock } from '../model/document.ts';
import type { LineIndex } from '../text/lines.ts';

/**
 * Reads a `fence` or `code_block` token.
 * @param firstLine line of the file where `text` begins
 * @returns undefined for an indented block of white space only
 */
export function readCodeBlock(
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
