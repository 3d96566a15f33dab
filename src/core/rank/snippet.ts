/** The few lines of a passage that show why it was found. */
import type { Snippet } from '../model/hit.ts';
import type { ParsedQuery } from '../model/query.ts';
import { type InlineSpan, inlineSpans } from '../text/inline-spans.ts';
import { type Stretch, trimSpan } from '../text/lines.ts';
import { showsText } from '../text/plain-markdown.ts';
import type { Tokenizer } from '../text/token.ts';
import { densestMatch, fullestParagraph } from './best-stretch.ts';
import { cutWindow } from './cut-window.ts';
import { findMatches, type Match } from './find-matches.ts';
import type { CodeStretch } from './matching-code.ts';

export interface SnippetOptions {
  /** Weight of a matched term, such as its idf; above 0. @default 1 for every term */
  readonly weigh?: (term: string) => number;
  /** The code to stay within, in UTF-16 offsets; the snippet is then code, not Markdown. */
  readonly code?: Stretch | undefined;
  /** The code in the text, in order; a snippet lies within one or begins outside. @default none */
  readonly codeBlocks?: readonly CodeStretch[];
  /** As the text was indexed. @default `analyze` */
  readonly tokenize?: Tokenizer;
  /** Most UTF-16 units, but for a link or character that is longer. @default 260, two to four lines of 80 columns */
  readonly length?: number;
}

const DEFAULT_LENGTH = 260;
/** Share of the length within which the matched words are gathered; the rest lets the snippet begin with their sentence. */
const FOCUS_SHARE = 2 / 3;

/** A snippet, and where in the text it begins. */
export type CutSnippet = Omit<Snippet, 'startLine'> & { readonly start: number };

/** Headings at the beginning: the heading path is shown anyway. */
const HEADINGS = /^(?:\s*(?:#{1,6}[ \t][^\n]*|[^\n]+\n(?:={2,}|-{2,})[ \t]*)(?:\n|$))+/;

/**
 * Cuts out the window whose distinct words weigh most; when none matched, one from the first full paragraph.
 * It begins at a sentence or line where one is near, and cuts no grapheme, link, image, wikilink or code span in half.
 * @returns a stretch of `text`, with the ranges of the matched words inside it
 */
export function snippet(text: string, query: ParsedQuery, options: SnippetOptions = {}): CutSnippet {
  const { weigh = () => 1, length = DEFAULT_LENGTH, code: within, codeBlocks = [] } = options;
  const whole = trimSpan(text, ...(within ?? withoutHeadings(text)));
  const matches = matchesIn(text, whole, query, options.tokenize);
  if (whole[1] - whole[0] <= length) return marked(text, whole, matches, within !== undefined);

  const focus =
    densestMatch(matches, length * FOCUS_SHARE, weigh) ?? nowhere(text, whole, length, within, codeBlocks);
  const code = within
    ? whole
    : codeBlocks.find(({ start, end }) => focus[0] >= start && focus[0] < end)?.content;
  const room = code ?? proseAround(focus, whole, codeBlocks);
  const spans = code ? spansIn(text, code, true) : spansBetween(text, room, codeBlocks);
  return marked(
    text,
    cutWindow(text, trimSpan(text, ...room), focus, length, { spans, isCode: code !== undefined }),
    matches,
    code !== undefined,
  );
}

/** Where to begin when no word matched. */
function nowhere(
  text: string,
  whole: Stretch,
  length: number,
  within: Stretch | undefined,
  codeBlocks: readonly CodeStretch[],
): Stretch {
  const start = within ? whole[0] : fullestParagraph(text, whole, length / 2, codeBlocks);
  return [start, start];
}

function withoutHeadings(text: string): Stretch {
  const start = HEADINGS.exec(text)?.[0].length ?? 0;
  return [showsText(text.slice(start)) ? start : 0, text.length];
}

function matchesIn(
  text: string,
  [from, to]: Stretch,
  query: ParsedQuery,
  tokenize: Tokenizer | undefined,
): Match[] {
  return findMatches(text.slice(from, to), query, tokenize).map(({ terms, start, end }) => {
    return { terms, start: from + start, end: from + end };
  });
}

/** Starts after the code before the focus, so that no snippet begins inside code; it may end in some. */
function proseAround([at]: Stretch, [from, to]: Stretch, codeBlocks: readonly CodeStretch[]): Stretch {
  return [Math.max(from, ...codeBlocks.filter(({ end }) => end <= at).map(({ end }) => end)), to];
}

/** The spans of a stretch, each pair of marks on one side of all code; in code, tags alone. */
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
