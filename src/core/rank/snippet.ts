/** The few lines of a passage that show why it was found. */
import type { Snippet } from '../model/hit.ts';
import { headingLines } from '../text/heading-lines.ts';
import { type InlineSpan, inlineSpans } from '../text/inline-spans.ts';
import { type Stretch, stretchFinder, trimSpan } from '../text/lines.ts';
import { linkDefinitions } from '../text/link-definitions.ts';
import { showsText } from '../text/plain-markdown.ts';
import { cutWindow } from './cut-window.ts';
import type { FindMatches, Match } from './find-matches.ts';
import type { CodeStretch } from './matching-code.ts';

export interface SnippetOptions {
  /** Weight of a matched term, such as its idf; above 0. @default 1 for every term */
  readonly weigh?: (term: string) => number;
  /** Offsets of the code to cut the snippet from; the snippet is then code, not Markdown. @default none */
  readonly code?: Stretch | undefined;
  /** The code blocks in the text, in order. A snippet lies within one block, or begins outside of all blocks. @default none */
  readonly codeBlocks?: readonly CodeStretch[];
  /** Maximum UTF-16 units; only a longer link or character may exceed it. @default 260, two to four lines of 80 columns */
  readonly length?: number;
}

const DEFAULT_LENGTH = 260;
/** Share of the length in which the matched words must lie; the rest is for the beginning of their sentence. */
const FOCUS_SHARE = 2 / 3;

export type CutSnippet = Omit<Snippet, 'startLine'> & { readonly start: number };

/**
 * Cuts out the window whose distinct matched words weigh most. Without matches, the window starts at the first long paragraph. The
 * window begins at a sentence or line if one is near, and never cuts a grapheme, link, image, wikilink or code span in half.
 * @param find finds the words of the query
 * @returns a stretch of `text`, with the ranges of the matched words inside it
 */
export function snippet(text: string, find: FindMatches, options: SnippetOptions = {}): CutSnippet {
  const { weigh = () => 1, length = DEFAULT_LENGTH, code: within, codeBlocks = [] } = options;
  const whole = trimSpan(text, ...(within ?? withoutHeadings(text)));
  const parts = within ? [whole] : betweenDefinitions(text, whole, codeBlocks);
  const partAt = stretchFinder(parts);
  const matches = matchesIn(text, whole, find).filter(({ start }) => partAt(start));
  if (parts.length === 1 && sizeOf(parts[0]!) <= length)
    return marked(text, parts[0]!, matches, within !== undefined);

  // If no word matched, code is shown from its beginning.
  const begin = () => (within ? whole[0] : fullestParagraph(text, whole, length / 2, codeBlocks));
  const found = bestWindow(matches, codeBlocks, length * FOCUS_SHARE, weigh) ?? emptyAt(begin());
  const part = parts.find(([, end]) => found[0] < end) ?? parts.at(-1)!;
  const focus: Stretch = [Math.max(found[0], part[0]), Math.min(found[1], part[1])];
  const code = within
    ? whole
    : codeBlocks.find(({ start, end }) => focus[0] >= start && focus[0] < end)?.content;
  const room = code ?? proseAround(focus, part, codeBlocks);
  const spans = code ? spansIn(text, code, true) : spansBetween(text, room, codeBlocks);
  return marked(
    text,
    cutWindow(text, trimSpan(text, ...room), focus, length, { spans, isCode: code !== undefined }),
    matches,
    code !== undefined,
  );
}

function emptyAt(place: number): Stretch {
  return [place, place];
}

/** Leaves out the headings at the start of a passage, because the heading path is shown anyway. */
function withoutHeadings(text: string): Stretch {
  let begin = 0;
  for (const { start, end } of headingLines(text)) {
    if (text.slice(begin, start).trim() !== '') break;
    begin = end;
  }
  return [showsText(text.slice(begin)) ? begin : 0, text.length];
}

/**
 * Returns the stretches of text between link definitions, or `whole` if there is no such text. Lines of code and lines inside a
 * span are not definitions.
 */
function betweenDefinitions(
  text: string,
  whole: Stretch,
  codeBlocks: readonly CodeStretch[],
): readonly Stretch[] {
  const [from, to] = whole;
  const all = linkDefinitions(text);
  if (all.length === 0) return [whole];
  const codeAt = stretchFinder(codeBlocks.map(({ start, end }) => [start, end]));
  const spanAt = stretchFinder(spansBetween(text, whole, codeBlocks).map(({ start, end }) => [start, end]));
  const isInSpan = (at: number) => (spanAt(at)?.[0] ?? at) < at;
  const definitions = all.filter(
    ([start, end]) => start >= from && end <= to && !codeAt(start) && !isInSpan(start) && !isInSpan(end),
  );
  const starts = [from, ...definitions.map(([, end]) => end)];
  const ends = [...definitions.map(([start]) => start), to];
  const parts = starts
    .map((start, index) => trimSpan(text, start, ends[index]!))
    .filter((part) => sizeOf(part) > 0);
  return parts.length > 0 ? parts : [whole];
}

function sizeOf([start, end]: Stretch): number {
  return end - start;
}

function matchesIn(text: string, [from, to]: Stretch, find: FindMatches): Match[] {
  return find(text.slice(from, to)).map(({ terms, start, end }) => {
    return { terms, start: from + start, end: from + end };
  });
}

/** Shortens a stretch to begin after the last code block before the focus: a snippet may end in code, but not begin in it. */
function proseAround([at]: Stretch, [from, to]: Stretch, codeBlocks: readonly CodeStretch[]): Stretch {
  return [Math.max(from, ...codeBlocks.filter(({ end }) => end <= at).map(({ end }) => end)), to];
}

/** Returns the inline spans of a stretch. No span crosses the border of a code block; inside code, only tags are spans. */
function spansBetween(text: string, [from, to]: Stretch, codeBlocks: readonly CodeStretch[]): InlineSpan[] {
  const inside = codeBlocks.filter(({ start }) => start >= from && start < to);
  const starts = [from, ...inside.map(({ end }) => end)];
  const ends = [...inside.map(({ start }) => start), to];
  return [
    ...starts.flatMap((start, index) => spansIn(text, [start, ends[index]!], false)),
    ...inside.flatMap(({ content }) => (content ? spansIn(text, content, true) : [])),
  ];
}

function spansIn(text: string, [from, to]: Stretch, isCode: boolean): InlineSpan[] {
  const spans = inlineSpans(text.slice(from, to)).map((span) => {
    return { ...span, start: from + span.start, end: from + span.end };
  });
  return isCode ? spans.filter(({ kind, start }) => kind === 'html' && text[start + 1] !== '!') : spans;
}

function marked(text: string, [start, end]: Stretch, matches: readonly Match[], isCode: boolean): CutSnippet {
  return {
    text: text.slice(start, end),
    start,
    matches: matches
      .filter((match) => match.start >= start && match.end <= end)
      .map((match) => [match.start - start, match.end - start] as const),
    ...(isCode ? { code: true } : {}),
  };
}

interface Window {
  readonly stretch: Stretch;
  readonly weight: number;
  readonly count: number;
}

/**
 * Finds the window with the greatest sum of `weigh` over its distinct terms. If windows are equal, the one with most matches
 * wins, then the earliest. A window that begins in a code block ends in it, as the snippet does.
 * @param length length of the window in UTF-16 units
 * @returns the stretch from the first match in the window to the last; undefined without matches
 */
function bestWindow(
  matches: readonly Match[],
  codeBlocks: readonly CodeStretch[],
  length: number,
  weigh: (term: string) => number,
): Stretch | undefined {
  const codeAt = stretchFinder(codeBlocks.map(({ start, end }) => [start, end]));
  const blockOf = matches.map(({ start }) => codeAt(start));
  const densest = [...new Set(blockOf)].map((block) =>
    block
      ? densestWindow(
          matches.filter((_, index) => blockOf[index] === block),
          length,
          weigh,
        )
      : densestWindow(matches, length, weigh, (first) => blockOf[first] === undefined),
  );
  return densest.filter((each) => each !== undefined).sort(byWeight)[0]?.stretch;
}

function byWeight(a: Window, b: Window): number {
  return b.weight - a.weight || b.count - a.count || a.stretch[0] - b.stretch[0];
}

/**
 * A match of a whole name also adds the parts of the name. Takes time linear in the matches.
 * @param mayBegin whether a window may begin with the match of this index. @default with any
 */
function densestWindow(
  matches: readonly Match[],
  length: number,
  weigh: (term: string) => number,
  mayBegin: (first: number) => boolean = () => true,
): Window | undefined {
  const inside = new Map<string, number>();
  let best: Window | undefined;
  let end = 0;
  for (const [index, first] of matches.entries()) {
    while (end < matches.length && (end <= index || matches[end]!.end <= first.start + length)) {
      for (const term of matches[end++]!.terms) inside.set(term, (inside.get(term) ?? 0) + 1);
    }
    // Each sum is computed from zero: in a running sum, rounding errors would decide between equal windows.
    let weight = 0;
    for (const term of inside.keys()) weight += weigh(term);
    const found: Window = { stretch: [first.start, matches[end - 1]!.end], weight, count: end - index };
    if (mayBegin(index) && (!best || byWeight(found, best) < 0)) best = found;
    for (const term of first.terms) {
      const left = inside.get(term)! - 1;
      if (left > 0) inside.set(term, left);
      else inside.delete(term);
    }
  }
  return best;
}

const PARAGRAPH_GAP = /\n[ \t]*\n/g;
const NO_PROSE = /^\s*(?:#{1,6}\s|\||<!--|\[[^\]]*\]:|[-=_*\s]+$)/;
const LETTER = /[\p{L}\p{N}]/gu;

/**
 * Returns the start of the snippet if no word matched: the first paragraph of prose with `enough` letters, else the
 * paragraph with the most letters. Chooses headings, tables, code and comments only if there is no prose.
 */
function fullestParagraph(
  text: string,
  [from, to]: Stretch,
  enough: number,
  code: readonly CodeStretch[],
): number {
  let best = { start: from, letters: -1 };
  let next = 0;
  for (const [start, end] of paragraphs(text, from, to)) {
    while (next < code.length && code[next]!.end <= start) next++;
    const isCode = (code[next]?.start ?? Number.POSITIVE_INFINITY) <= start;
    const head = text.slice(start, Math.min(end, start + 2 * enough));
    const letters = isCode || NO_PROSE.test(head) ? 0 : (head.match(LETTER)?.length ?? 0);
    if (letters >= enough) return start;
    if (letters > best.letters) best = { start, letters };
  }
  return best.start;
}

function* paragraphs(text: string, from: number, to: number): Generator<Stretch> {
  const gap = new RegExp(PARAGRAPH_GAP);
  gap.lastIndex = from;
  let start = from;
  for (let match = gap.exec(text); match && match.index < to; match = gap.exec(text)) {
    if (match.index > start) yield [start, match.index];
    start = match.index + match[0].length;
    gap.lastIndex = start;
  }
  if (start < to) yield [start, to];
}
