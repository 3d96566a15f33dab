/** Cuts a window out of a text at sentences, lines or words, and never inside a link, tag or grapheme. */
import {
  firstGraphemeBoundary,
  isGraphemeBoundary,
  lastGraphemeBoundary,
  lineBoundaries,
  sentenceBoundaries,
} from '../text/boundaries.ts';
import type { InlineSpan } from '../text/inline-spans.ts';
import { type Stretch, trimSpan } from '../text/lines.ts';

/** Usual max share of a window that lies before `focus`. It can be larger near the end of the text or in a long sentence. */
const SHARE_BEFORE = 1 / 3;
/** A window ends at a sentence only after this share of its length, and at a word only after half of its length. */
const FILLED_SHARE = 0.6;

/** Parts of a text that a window must not cut. */
export interface WindowText {
  /** Links, images, tags and similar, the outer ones first. A window never cuts one in half. */
  readonly spans: readonly InlineSpan[];
  /** Whether the text is code. Every line of code is a good start of a window; a line of prose may continue a sentence. */
  readonly isCode: boolean;
}

/**
 * Returns a window around `focus`. The window is longer than `length` only if it would otherwise cut a span or grapheme.
 * @param room the stretch that the window must not leave; its ends cut no span or grapheme
 * @param focus the stretch to show, such as matched words; shorter than `length`. If a long span begins before the focus,
 *   the window may end before the focus does
 * @param length UTF-16 units
 */
export function cutWindow(
  text: string,
  room: Stretch,
  focus: Stretch,
  length: number,
  within: WindowText,
): Stretch {
  const [from, to] = room;
  if (to - from <= length) return room;
  const start = beginning(text, room, focus, length, within);
  return offBlanks(text, start, ending(text, start, to, focus[1], length, within));
}

function beginning(
  text: string,
  [from, to]: Stretch,
  [focusStart, focusEnd]: Stretch,
  length: number,
  { spans, isCode }: WindowText,
): number {
  const spare = Math.max(0, length - (focusEnd - focusStart));
  const earliest = Math.min(focusStart - Math.min(spare, length * SHARE_BEFORE), to - length);
  if (earliest <= from) return from;
  // Near the end of the room, use all space before the focus. Elsewhere the text after the focus is more useful.
  const isNearEnd = to - length < focusStart;
  const boundaries = beginnings(text, Math.floor(earliest), focusStart + 1, isCode);
  // In a long sentence, use all space before the focus to reach the beginning of the sentence.
  const back = Math.max(from, Math.ceil(focusStart - spare));
  const boundary =
    (isNearEnd ? boundaries[0] : boundaries.at(-1)) ??
    beginnings(text, back, Math.floor(earliest) + 1, isCode).at(-1) ??
    (back === from ? from : undefined);
  const start = boundary ?? wordStart(text, Math.ceil(earliest), focusStart) ?? focusStart;
  const span = spans.find((each) => each.start < start && start < each.end);
  return graphemeStart(text, from, Math.max(from, span?.start ?? start), to);
}

function ending(
  text: string,
  start: number,
  to: number,
  focusEnd: number,
  length: number,
  { spans, isCode }: WindowText,
): number {
  const limit = start + length;
  if (limit >= to) return to;
  const least = Math.max(focusEnd, start + Math.ceil(length * FILLED_SHARE));
  const end =
    readingBoundaries(text, least, limit, isCode).at(-1) ??
    wordEnd(text, least, limit) ??
    partEnd(text, least, limit) ??
    wordEnd(text, start + Math.ceil(length / 2), limit) ??
    partEnd(text, start + Math.ceil(length / 2), limit) ??
    firstGraphemeBoundary(text, start, lastGraphemeBoundary(text, start, limit), to);
  const span = spans.find((each) => each.start < end && end < each.end);
  if (!span) return end;
  const isDispensable = span.start >= focusEnd && span.start > start + length / 2;
  return isDispensable ? span.start : afterGrapheme(text, Math.min(to, span.end), to);
}

/** Returns the `readingBoundaries` except those before a line without letters and digits, such as `},` or `-`. */
function beginnings(text: string, start: number, end: number, isCode: boolean): number[] {
  return readingBoundaries(text, start, end, isCode).filter(
    (at) => !PUNCTUATION_LINE.test(text.slice(at, at + LINE_HEAD)),
  );
}

const PUNCTUATION_LINE = /^\s*(?=\S)[^\p{L}\p{N}\n]*(?:\n|$)/u;

/**
 * Returns the offsets between `start` and `end`, both excluded, where a sentence or line begins. Leaves out lines of prose that
 * continue a sentence.
 */
function readingBoundaries(text: string, start: number, end: number, isCode: boolean): number[] {
  const boundaries = [...sentenceBoundaries(text, start, end)].filter(
    (boundary) => !isListNumber(text, boundary),
  );
  for (const at of lineBoundaries(text, start, end)) if (isCode || !isWrapped(text, at)) boundaries.push(at);
  return boundaries.sort((a, b) => a - b);
}

/** A line of prose that ends within a sentence. Does not match headings and table rows. */
const OPEN_LINE = /^(?![ \t>]*(?:#{1,6}[ \t]|\|))[^\n]*[\p{L}\p{N},;)\]`"'”’*_-]\n$/u;
/** A line of prose that is not the start of a list, heading, quote or table. */
const PROSE_LINE = /^[ \t]*[\p{L}(["'“‘`*_]+[^\s.)]/u;
/** Number of leading characters that decide the kind of a line. */
const LINE_HEAD = 40;
/** A wrapped line is longer than this, counted with the first word of the next line. Shorter lines are often names. */
const MIN_WRAPPED = 40;

/** Whether the line at `at` continues a sentence of the line before. */
function isWrapped(text: string, at: number): boolean {
  const head = text.slice(at, at + LINE_HEAD);
  if (!PROSE_LINE.test(head)) return false;
  const before = text.slice(text.lastIndexOf('\n', at - 2) + 1, at);
  return before.length + head.search(/\s|$/) > MIN_WRAPPED && OPEN_LINE.test(before);
}

/** A list number with its indentation and quote marks, and the line feed before it. */
const LIST_NUMBER = /(?:^|\n)[ \t>]*\d{1,9}[.)]\s+$/;
const MAX_NUMBER_LENGTH = 32;

/** Whether the text before a boundary is a list number, not a sentence. */
function isListNumber(text: string, boundary: number): boolean {
  const before = text.slice(Math.max(0, boundary - MAX_NUMBER_LENGTH), boundary);
  return LIST_NUMBER.test(boundary < MAX_NUMBER_LENGTH ? before : `.${before}`);
}

/** Returns the offset of the first word that begins between two offsets. */
function wordStart(text: string, start: number, end: number): number | undefined {
  const space = text.slice(start, end).search(/\s\S/u);
  return space >= 0 && isGraphemeBoundary(text, start + space + 1) ? start + space + 1 : undefined;
}

/** Returns the offset of the last white space between two offsets, both included. */
function wordEnd(text: string, start: number, end: number): number | undefined {
  for (let at = end; at >= start; at--) if (/\s/.test(text[at] ?? '')) return at;
  return undefined;
}

/** Returns the last offset between two offsets, both included, where a part of a long name or path ends. */
function partEnd(text: string, start: number, end: number): number | undefined {
  for (let at = end; at >= start; at--) {
    const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
    if (before >= FIRST_MARK || after >= FIRST_MARK) continue;
    if (!(WORD.test(text[at - 1]!) && WORD.test(text[at]!))) return at;
  }
  return undefined;
}

const WORD = /[\p{L}\p{N}_]/u;

/** Returns the last offset from `from` to `at` that cuts no grapheme. The caller ensures that `from` cuts none. */
function graphemeStart(text: string, from: number, at: number, to: number): number {
  if (text.charCodeAt(at) < FIRST_MARK && text.charCodeAt(at - 1) < FIRST_MARK) return at;
  const boundary = lastGraphemeBoundary(text, from, at);
  return firstGraphemeBoundary(text, from, boundary, to) === boundary ? boundary : from;
}

/** Code of the first combining mark. Characters with lower codes do not combine with the character before them. */
const FIRST_MARK = 0x300;

/** Returns the first offset at or after `at` that cuts no grapheme: combining marks may follow the closing bracket of a link. */
function afterGrapheme(text: string, at: number, to: number): number {
  let end = at;
  while (end < to && !isGraphemeBoundary(text, end)) end++;
  return end;
}

/** Removes white space at both ends, but keeps a space that carries a combining mark. */
function offBlanks(text: string, start: number, end: number): Stretch {
  const [first, last] = trimSpan(text, start, end);
  return [isGraphemeBoundary(text, first) ? first : first - 1, last];
}
