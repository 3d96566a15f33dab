/** Links, images, code spans and tags in running text: what must not be cut in half, and what of it a reader sees. */
import { codeSpanFinder } from './code-spans.ts';
import { commentFinder } from './comments.ts';
import type { Stretch } from './lines.ts';

/** Offsets into the text: start inclusive, end exclusive. */
export interface InlineSpan {
  readonly start: number;
  readonly end: number;
  /** The stretch a reader sees: label, alternative text, code; empty for a tag. It may hold further spans. */
  readonly shown: Stretch;
  /** Code and URLs: what is shown holds no marks. */
  readonly verbatim: boolean;
}

/** Longest destination or tag that is read; it keeps hostile input linear. */
const LONGEST_PART = 1000;
const HTML_TAG =
  /<\/?(?:a|abbr|b|br|center|cite|code|dd|del|details|dfn|div|dl|dt|em|figcaption|figure|font|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|picture|pre|q|s|samp|section|small|source|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul|var|video)(?:\s[^<>]{0,500})?\/?>/iy;
const AUTOLINK = /<[a-z][a-z0-9+.-]{1,31}:[^\s<>]{0,1000}>/iy;
/** `(destination "title")`, the destination in angle brackets or with parentheses two deep. */
const DESTINATION =
  /\(\s{0,99}(?:<[^<>\n]{0,1000}>|(?:[^\s()]|\((?:[^\s()]|\([^\s()]{0,200}\)){0,300}\)){0,1000})(?:\s{1,99}(?:"[^"]{0,300}"|'[^']{0,300}'|\([^()]{0,300}\)))?\s{0,99}\)/y;
const REFERENCE = /\[[^[\]\n]{0,200}\]/y;
const WIKILINK = /\[\[([^[\]|\n]{0,500})(?:\\?\|([^[\]\n]{0,500}))?\]\]/y;
const MARK = /[`[\]<\\]/g;

/** The spans of a text in order of their start, an outer one before those inside it; takes time linear in the text. */
export function inlineSpans(text: string): readonly InlineSpan[] {
  const spans: InlineSpan[] = [];
  const openers: number[] = [];
  const codeEnd = codeSpanFinder(text);
  const comments = commentFinder(text);
  const at = (pattern: RegExp, index: number): RegExpExecArray | null => {
    pattern.lastIndex = index;
    return pattern.exec(text);
  };
  const marks = new RegExp(MARK);
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    const start = mark.index;
    switch (mark[0]) {
      case '\\':
        marks.lastIndex = start + 2;
        break;
      case '`': {
        let run = start;
        while (text[run] === '`') run++;
        const end = codeEnd(start, run - start);
        // What lies between two runs that are no pair is looked at, too.
        const isCode = end !== undefined && !crossesHeading(text, { start, end });
        if (isCode) spans.push({ start, end, shown: [run, end - (run - start)], verbatim: true });
        marks.lastIndex = isCode ? end : run;
        break;
      }
      case '<': {
        const link = at(AUTOLINK, start);
        const end = link
          ? start + link[0].length
          : (commentEnd(start, comments(start)) ?? endOf(at(HTML_TAG, start)));
        if (end === undefined) break;
        spans.push({ start, end, shown: link ? [start + 1, end - 1] : [end, end], verbatim: true });
        marks.lastIndex = end;
        break;
      }
      case '[': {
        const wikilink = at(WIKILINK, start);
        if (wikilink?.[1]?.trim()) {
          const end = start + wikilink[0].length;
          const shownStart = wikilink[2]?.trim() ? end - 2 - wikilink[2].length : start + 2;
          const shownEnd = wikilink[2]?.trim() ? end - 2 : start + 2 + wikilink[1].length;
          spans.push({ start: imageStart(text, start), end, shown: [shownStart, shownEnd], verbatim: true });
          marks.lastIndex = end;
        } else openers.push(start);
        break;
      }
      case ']': {
        const opener = openers.pop();
        if (opener === undefined) break;
        const end = endOf(at(DESTINATION, start + 1)) ?? endOf(at(REFERENCE, start + 1));
        if (end === undefined || start - opener > LONGEST_PART) break;
        if (text.slice(opener, start).includes('\n\n')) break;
        const spanStart = imageStart(text, opener);
        spans.push({ start: spanStart, end, shown: [opener + 1, start], verbatim: false });
        // A link holds no other link, so brackets still open around it are text.
        if (spanStart === opener) openers.length = 0;
        marks.lastIndex = end;
        break;
      }
    }
  }
  return spans
    .filter((span) => !crossesHeading(text, span))
    .sort((a, b) => a.start - b.start || b.end - a.end);
}

/** With marks in front of the text or a line of them under it. */
const HEADING_LINE = /^ {0,3}#{1,6}[ \t][^\n]*\n|\n {0,3}(?:#{1,6}[ \t]|(?:=+|-+)[ \t]*\n)/;

/** A heading ends with its line and ends what runs before it: marks on either side are no pair. */
function crossesHeading(text: string, { start, end }: Pick<InlineSpan, 'start' | 'end'>): boolean {
  if (!text.slice(start, end).includes('\n')) return false;
  return HEADING_LINE.test(text.slice(text.lastIndexOf('\n', start - 1) + 1, end));
}

function imageStart(text: string, bracket: number): number {
  return text[bracket - 1] === '!' ? bracket - 1 : bracket;
}

function endOf(match: RegExpExecArray | null): number | undefined {
  return match ? match.index + match[0].length : undefined;
}

/** The offset after a comment that is not too long. */
function commentEnd(start: number, end: number | undefined): number | undefined {
  return end !== undefined && end - COMMENT_CLOSE.length - start <= LONGEST_PART ? end : undefined;
}

const COMMENT_CLOSE = '-->';
