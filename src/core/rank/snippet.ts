/** The few lines of a passage that show why it was found. */
import type { Snippet } from '../model/hit.ts';
import { headingLines } from '../text/heading-lines.ts';
import { type InlineSpan, inlineSpans } from '../text/inline-spans.ts';
import { type Stretch, stretchFinder, trimSpan } from '../text/lines.ts';
import { linkDefinitions } from '../text/link-definitions.ts';
import { showsText } from '../text/plain-markdown.ts';
import { cutWindow } from './cut-window.ts';
import { byWeight, densestWindow, longest, type Window, weightOf } from './densest-window.ts';
import type { FindMatches, Match } from './find-matches.ts';
import type { CodeStretch } from './matching-code.ts';

/** In the order of the text. */
type CodeBlocks = readonly CodeStretch[];

export interface SnippetOptions {
  /** Weight of a matched term, such as its idf; above 0. @default 1 for every term */
  readonly weigh?: (term: string) => number;
  /** Offsets of the code to cut the snippet from; the snippet is then code, not Markdown. @default none */
  readonly code?: Stretch | undefined;
  /** The code blocks in the text. A snippet lies within one block, or begins outside of all blocks. @default none */
  readonly codeBlocks?: CodeBlocks;
  /** Maximum UTF-16 units; only a longer link or character may exceed it. @default 260, two to four lines of 80 columns */
  readonly length?: number;
}

const DEFAULT_LENGTH = 260;
/** Share of the length in which the matched words must lie; the rest is for the beginning of their sentence. */
const FOCUS_SHARE = 2 / 3;

export interface CutSnippet extends Omit<Snippet, 'startLine'> {
  /** Offset of the snippet in the text. */
  readonly start: number;
  /** Offset in the text of the longest match for which the snippet was chosen; without such a match, of its first letter. */
  readonly best: number;
}

/**
 * Cuts out the window whose distinct matched words weigh most. Without matches, the window starts at the first long paragraph. The
 * window begins at a sentence or line if one is near, and never cuts a grapheme, link, image, wikilink or code span in half. It
 * begins below the same heading as its words: what another section says would be read as said of this one.
 * @param find finds the words of the query
 * @returns a stretch of `text`, with the ranges of the matched words inside it
 */
export function snippet(text: string, find: FindMatches, options: SnippetOptions = {}): CutSnippet {
  const { weigh = () => 1, length = DEFAULT_LENGTH, code: within, codeBlocks = [] } = options;
  const whole = trimSpan(text, ...(within ?? withoutHeadings(text)));
  const parts = within ? [whole] : betweenDefinitions(text, whole, codeBlocks);
  const partAt = stretchFinder(parts);
  const matches = matchesIn(text, whole, find).filter(({ start }) => partAt(start));
  const sections = sectionsOf(within ? '' : text, whole, codeBlocks);
  const isSingle = sections.length === 1;
  const codeAt = stretchFinder(codeBlocks.map(({ start, end }) => [start, end]));
  const inSections = matchesBySection(matches, sections).flatMap((inside, index): Window[] => {
    const best = densestWindow(inside, codeAt, length * FOCUS_SHARE, weigh);
    if (isSingle) return best ? [best] : [];
    const { start, heading } = sections[index]!;
    // The headings are shown beside the snippet, so their words count, too.
    const named = find(heading);
    if (!best && named.length === 0) return [];
    const { stretch, count } = best ?? { stretch: emptyAt(start), count: 0 };
    const said = inside.filter((match) => match.start >= stretch[0] && match.start < stretch[1]);
    return [{ stretch, count, weight: weightOf([...named, ...said], weigh), name: longest(named) }];
  });
  if (parts.length === 1 && sizeOf(parts[0]!) <= length && (isSingle || inSections.length === 0))
    return marked(text, parts[0]!, matches, within !== undefined);

  // If no word matched, code is shown from its beginning.
  const begin = () => (within ? whole[0] : fullestParagraph(text, whole, length / 2, codeBlocks));
  const found = inSections.sort(byWeight)[0]?.stretch ?? emptyAt(begin());
  const part = parts.find(([, end]) => found[0] < end) ?? parts.at(-1)!;
  const focus: Stretch = [Math.max(found[0], part[0]), Math.min(found[1], part[1])];
  const code = within
    ? whole
    : codeBlocks.find(({ start, end }) => focus[0] >= start && focus[0] < end)?.content;
  const section = sections.findLast(({ start }) => start <= focus[0])?.start ?? whole[0];
  const room = code ?? proseAround(focus, part, section, codeBlocks);
  const spans = code ? spansIn(text, code, true) : spansBetween(text, room, codeBlocks);
  return marked(
    text,
    cutWindow(text, trimSpan(text, ...room), focus, length, { spans, isCode: code !== undefined }),
    matches,
    code !== undefined,
    focus,
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
function betweenDefinitions(text: string, whole: Stretch, codeBlocks: CodeBlocks): readonly Stretch[] {
  const [from, to] = whole;
  const all = linkDefinitions(text);
  if (all.length === 0) return [whole];
  const isOutside = outsideTest(text, whole, codeBlocks);
  const definitions = all.filter(
    ([start, end]) => start >= from && end <= to && isOutside(start) && isOutside(end),
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

/** Shortens a stretch to begin in `section`, after the last code block before the focus: a snippet may end in code, but not begin in it. */
function proseAround([at]: Stretch, [from, to]: Stretch, section: number, codeBlocks: CodeBlocks): Stretch {
  return [Math.max(from, section, ...codeBlocks.filter(({ end }) => end <= at).map(({ end }) => end)), to];
}

interface Section {
  readonly start: number;
  /** The lines of the headings above the section, from the outermost in the text down. */
  readonly heading: string;
}

/** Returns the sections of a passage. The first begins with `whole`, below the headings that are left out. */
function sectionsOf(text: string, whole: Stretch, codeBlocks: CodeBlocks): readonly Section[] {
  const headings = [...headingLines(text)];
  const sections: Section[] = [{ start: whole[0], heading: '' }];
  if (headings.every(({ start }) => start <= whole[0])) return sections;
  const isOutside = outsideTest(text, whole, codeBlocks);
  let open: readonly { readonly level: number; readonly line: string }[] = [];
  for (const { start, level, line } of headings) {
    const isAbove = start <= whole[0];
    if (!isAbove && !isOutside(start)) continue;
    open = [...open.filter((each) => each.level < level), { level, line }];
    const heading = open.map((each) => each.line).join('\n');
    if (isAbove) sections[0] = { start: whole[0], heading };
    else sections.push({ start, heading });
  }
  return sections;
}

/** Returns the matches of each section, both in the order of the text. Takes time linear in both. */
function matchesBySection(matches: readonly Match[], sections: readonly Section[]): Match[][] {
  const inside: Match[][] = sections.map(() => []);
  let at = 0;
  for (const match of matches) {
    while (at + 1 < sections.length && sections[at + 1]!.start <= match.start) at++;
    inside[at]!.push(match);
  }
  return inside;
}

/** Returns a test whether an offset is neither in a code block nor inside an inline span. Call it in ascending order. */
function outsideTest(text: string, whole: Stretch, codeBlocks: CodeBlocks) {
  const codeAt = stretchFinder(codeBlocks.map(({ start, end }) => [start, end]));
  const spanAt = stretchFinder(spansBetween(text, whole, codeBlocks).map(({ start, end }) => [start, end]));
  return (at: number): boolean => !codeAt(at) && (spanAt(at)?.[0] ?? at) >= at;
}

/** Returns the inline spans of a stretch. No span crosses the border of a code block; inside code, only tags are spans. */
function spansBetween(text: string, [from, to]: Stretch, codeBlocks: CodeBlocks): InlineSpan[] {
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

function marked(
  text: string,
  [start, end]: Stretch,
  matches: readonly Match[],
  isCode: boolean,
  focus: Stretch = [start, end],
): CutSnippet {
  const shown = matches.filter((match) => match.start >= start && match.end <= end);
  const [best] = shown
    .filter((match) => match.start >= focus[0] && match.end <= focus[1])
    .sort((a, b) => b.end - b.start - (a.end - a.start));
  return {
    text: text.slice(start, end),
    start,
    best: best?.start ?? start + text.slice(start, end).search(/\S|$/),
    matches: shown.map((match) => [match.start - start, match.end - start] as const),
    ...(isCode ? { code: true } : {}),
  };
}

const PARAGRAPH_GAP = /\n[ \t]*\n/g;
const NO_PROSE = /^\s*(?:#{1,6}\s|\||<!--|\[[^\]]*\]:|[-=_*\s]+$)/;
const LETTER = /[\p{L}\p{N}]/gu;

/**
 * Returns the start of the snippet if no word matched: the first paragraph of prose with `enough` letters, else the
 * paragraph with the most letters. Chooses headings, tables, code and comments only if there is no prose.
 */
function fullestParagraph(text: string, [from, to]: Stretch, enough: number, code: CodeBlocks): number {
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
  let start = from;
  for (const { index, 0: gap } of text.slice(from, to).matchAll(PARAGRAPH_GAP)) {
    if (from + index > start) yield [start, from + index];
    start = from + index + gap.length;
  }
  if (start < to) yield [start, to];
}
