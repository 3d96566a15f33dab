/** Finds the marks of Markdown blocks: heading and quote marks, fences, rules, link definitions, table pipes, wrapped lines. */
import { type Edit, hide } from './edits.ts';
import type { Stretch } from './lines.ts';
import { isLinkDefinition } from './link-definitions.ts';

/** A fence, also inside a quote or at the start of a list item. */
const FENCE = /^\s*(?:>\s?)*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
const RULE = /^\s*(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,}|={3,}|:{3,}\s*|\/{3,}\s*)$/;
const TABLE_RULE = /^\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?$/;
const TABLE_ROW = /^\s*\|.*\|\s*$/;
/** A text that begins inside a table row. The row is the whole text, or another row follows it. */
const CUT_ROW = /^[^\n|][^\n]*(?:[ \t]\|[ \t]*$|\|[ \t]*\n[ \t]*\|)/;
/** Quote and heading marks at the start of a line. */
const LINE_MARKS = /^(?:\s*>)*\s*(?:#{1,6}(?=\s))?\s*/;
/** `{ #anchor .class }` at the end of a heading. */
const HEADING_ATTRIBUTES = /\s{0,9}\{\s{0,9}[#.][^{}]{0,300}\}\s*$/;
/** A line that starts a new block and does not continue a paragraph. */
const BLOCK_START =
  /^(?:\s*$|\s*(?:[-*+]|\d{1,9}[.)])\s|\s*#{1,6}\s|\s*[|>]|\s*(?:`{3,}|~{3,})|\s*[-=_*:/]{3,}\s*$| {4}|\t)/;
/** A Markdown hard line break: two spaces or a backslash at the end of a line. */
const HARD_BREAK = /(?: {2}|\\)$/;

/**
 * Finds the marks of blocks. Reads line by line, because the text may be a part of a document that begins inside a list or a
 * table.
 * @returns `edits` turn the blocks into plain lines; `code` lists the fenced code blocks, including their fences, whose content is
 *   not edited. An unclosed block reaches to the end of the text
 */
export function readBlockMarks(text: string) {
  const edits: Edit[] = [];
  const code: Stretch[] = [];
  /** Fence of the open code block, empty if no block is open, and the start of the block. */
  let open = '';
  let codeStart = 0;
  let joinable = false;
  let isInTable = CUT_ROW.test(text);
  let start = 0;
  for (const line of text.split('\n')) {
    const end = start + line.length;
    const after = fenceAfter(open, line);
    const closes = open !== '' && after === '';
    if (after !== open) {
      const gone = lineGone(text, start, end);
      edits.push(gone);
      if (closes) code.push([codeStart, gone.end]);
      else codeStart = start;
      open = after;
    } else if (open === '') {
      isInTable = TABLE_ROW.test(line) || (isInTable && line.includes('|'));
      edits.push(...lineEdits(text, line, start, joinable, isInTable));
    }
    joinable = open === '' && !closes && isParagraph(line);
    start = end + 1;
  }
  if (open !== '') code.push([codeStart, text.length]);
  return { edits, code };
}

/** Returns the fence of the code block that is open after `line`, empty if none. @param open the fence open before `line` */
function fenceAfter(open: string, line: string): string {
  const [, mark = '', info = ''] = FENCE.exec(line) ?? [];
  if (open === '') return mark;
  return mark.startsWith(open) && info.trim() === '' ? '' : open;
}

/** Returns the opening line of the code block that is still open after the last line; undefined if no block is open there. */
export function openFence(lines: readonly string[]): string | undefined {
  let open = '';
  let opening: string | undefined;
  for (const line of lines) {
    const after = fenceAfter(open, line);
    if (open === '' && after !== '') opening = line;
    open = after;
  }
  return open === '' ? undefined : opening;
}

/** Whether the line that begins at `at` continues the paragraph of the line before. */
export function continuesParagraph(text: string, at: number): boolean {
  return readBlockMarks(text).edits.some(({ end, shown }) => end === at && shown === JOINT);
}

/** Replaces the line break between two lines of a paragraph. */
const JOINT = ' ';

function lineEdits(text: string, line: string, start: number, joinable: boolean, isRow: boolean): Edit[] {
  const end = start + line.length;
  if (RULE.test(line) || isLinkDefinition(line) || (line.includes('|') && TABLE_RULE.test(line)))
    return [lineGone(text, start, end)];
  if (isRow) return rowEdits(line, start);
  if (joinable && !BLOCK_START.test(line)) return [{ start: start - 1, end: start, shown: JOINT }];
  const opening = LINE_MARKS.exec(line)![0];
  const marks = /[#>]/.test(opening) ? [hide(start, start + opening.length)] : [];
  const attributes = opening.includes('#') ? HEADING_ATTRIBUTES.exec(line) : null;
  return attributes ? [...marks, hide(start + attributes.index, end)] : marks;
}

/** Whether the next line may continue the paragraph of this line. */
function isParagraph(line: string): boolean {
  return (
    line.trim() !== '' &&
    !/^\s*(?:>|#{1,6}\s)/.test(line) &&
    !TABLE_ROW.test(line) &&
    !isLinkDefinition(line) &&
    !RULE.test(line) &&
    !HARD_BREAK.test(line)
  );
}

function lineGone(text: string, start: number, end: number): Edit {
  return hide(start, Math.min(text.length, end + 1));
}

/** Removes the outer pipes of a table row, and puts one space on each side of the inner pipes. An escaped pipe is text. */
function rowEdits(line: string, base: number): Edit[] {
  const pipes = [...line.matchAll(/(?<!\\)[ \t]{0,200}\|[ \t]*/g)];
  return pipes.map(({ index, 0: pipe }) => {
    const end = index + pipe.length;
    const isOuter = line.slice(0, index).trim() === '' || line.slice(end).trim() === '';
    return { start: base + index, end: base + end, shown: isOuter ? '' : ' | ' };
  });
}
