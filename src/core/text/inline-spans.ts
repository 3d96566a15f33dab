/**
 * Finds links, images, code, tags and addresses in running text, with their offsets, which markdown-it does not report. The text
 * may be a part of a document. Takes time linear in the text.
 */
import type { Stretch } from './lines.ts';
import { wikilinkParts } from './wikilink-parts.ts';

/** Offsets into the text: start inclusive, end exclusive. */
export interface InlineSpan {
  /** `link` is a link or an image, and may contain other spans; `html` is a tag or a comment. */
  readonly kind: 'code' | 'html' | 'address' | 'wikilink' | 'link';
  readonly start: number;
  readonly end: number;
  /** The visible stretch: label, alternative text or code; empty for a tag. */
  readonly shown: Stretch;
}

export interface Tag {
  readonly name: string;
  readonly attributes: string;
  readonly isClosing: boolean;
  readonly isSelfClosing: boolean;
}

export interface InlineReading {
  /**
   * Whether a link definition with this name exists.
   * @default true for `[label][name]` and `[label][]`, false for `[label]` alone
   */
  readonly isDefined?: (name: string) => boolean;
  /** Whether text that looks like a tag is a tag. @default true for HTML tags of running text */
  readonly isTag?: (tag: Tag, start: number) => boolean;
  /** Whether the text is HTML. If so, a span may cross a heading and a comment may have any length. @default false */
  readonly isHtml?: boolean;
  /** Called for every `#` in running text; returns the offset where reading continues. */
  readonly readHash?: (text: string, at: number) => number;
}

/** Max length of a label, comment or destination. It keeps the time linear for hostile input. */
const MAX_PART_LENGTH = 1000;
/** Value of a JSX attribute, with braces up to four levels deep. */
const BRACES = [1, 2, 3].reduce(
  (inner) => String.raw`\{(?:[^{}]|${inner}){0,1000}\}`,
  String.raw`\{[^{}]{0,1000}\}`,
);
const VALUE = String.raw`(?:(?!\{)[^\s"'=<>\x60]+|'[^']*'|"[^"]*"|${BRACES})`;
const TAG = new RegExp(
  String.raw`<(\/?)([a-z][\w.:-]*)((?:\s+(?:[a-z_:@][\w.:@-]*(?:\s*=\s*${VALUE})?|\{\.\.\.[^{}]{0,300}\}))*)\s*(\/?)>`,
  'iy',
);
/** HTML tags of running text. Any other name in angle brackets is more often a type or a placeholder, so it stays visible. */
const TAG_NAME =
  /^(?:a|abbr|article|aside|b|br|caption|center|cite|code|col|colgroup|dd|del|details|dfn|div|dl|dt|em|figcaption|figure|font|footer|h[1-6]|header|hr|i|iframe|img|ins|kbd|li|mark|ol|p|picture|pre|q|s|samp|section|small|source|span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|u|ul|var|video|wbr)$/i;
const AUTOLINK = /<[a-z][a-z0-9+.-]{1,31}:[^\s<>]{0,1000}>/iy;
const REST_OF_URL = /[^\s<>)[\]]*/y;
/** `(destination "title")`. The destination is in angle brackets, or has parentheses up to two levels deep. */
const DESTINATION =
  /\(\s{0,99}(?:<[^<>\n]{0,1000}>|(?:\\\S|[^\s()\\]|\((?:\\\S|[^\s()\\]|\((?:\\\S|[^\s()\\]){0,200}\)){0,300}\)){0,1000})(?:\s{1,99}(?:"(?:\\.|[^"\\]){0,300}"|'(?:\\.|[^'\\]){0,300}'|\((?:\\.|[^()\\]){0,300}\)))?\s{0,99}\)/sy;
const REFERENCE = /\[([^[\]]{0,999})\]/y;
/** `[[name]]`, unless an address follows: `[[1]](https://…)` is a link whose label has brackets. */
const WIKILINK = /\[\[([^[\]|\n]{0,500})(?:\\?\|([^[\]\n]{0,500}))?\]\](?!\((?:<|[^\s()]{0,100}[:/#.]))/y;
const MARK = /[`[\]<\\#]|:\/\//g;

/** Returns the spans of a text, sorted by start; an outer span comes before the spans inside it. */
export function inlineSpans(
  text: string,
  { isDefined, isTag = ({ name }) => isHtmlName(name), isHtml = false, readHash }: InlineReading = {},
): readonly InlineSpan[] {
  const marks = new RegExp(MARK);
  let mark = marks.exec(text);
  if (!mark) return [];
  const spans: InlineSpan[] = [];
  const openers: number[] = [];
  let lastBracket = -1;
  const codeEnd = codeSpanFinder(text);
  const commentEnd = commentFinder(text);
  const push = (kind: InlineSpan['kind'], start: number, end: number, shown: Stretch) => {
    const span = { kind, start, end, shown };
    if (isHtml || !crossesHeading(text, span)) spans.push(span);
    marks.lastIndex = end;
  };
  for (; mark; mark = marks.exec(text)) {
    const start = mark.index;
    switch (mark[0]) {
      case '\\':
        marks.lastIndex = start + 2;
        break;
      case '#':
        if (readHash) marks.lastIndex = readHash(text, start);
        break;
      case '://':
        marks.lastIndex = endOf(REST_OF_URL, text, start + 3)!;
        break;
      case '`': {
        let run = start;
        while (text[run] === '`') run++;
        const end = codeEnd(start, run - start);
        // If the run is not closed, the text after it is read as usual.
        if (end === undefined || crossesHeading(text, { start, end })) marks.lastIndex = run;
        else push('code', start, end, [run, end - (run - start)]);
        break;
      }
      case '<': {
        const address = endOf(AUTOLINK, text, start);
        if (address !== undefined) {
          push('address', start, address, [start + 1, address - 1]);
          break;
        }
        const comment = commentEnd(start);
        const tag = comment === undefined ? execAt(TAG, text, start) : null;
        const end = tag ? start + tag[0].length : comment;
        if (end === undefined) break;
        const isHidden = tag ? isTag(tagOf(tag), start) : isHtml || end - start <= MAX_PART_LENGTH;
        if (isHidden) push('html', start, end, [end, end]);
        marks.lastIndex = end;
        break;
      }
      case '[': {
        const wikilink = execAt(WIKILINK, text, start);
        if (wikilink?.[1]?.trim()) {
          const end = start + wikilink[0].length;
          const [, first, second = ''] = wikilink;
          const [target, label] = wikilinkParts(first, second.trim() ? second : undefined);
          const hidden = label === undefined ? first.length - target.length : 0;
          const shown: Stretch =
            label === second
              ? [end - 2 - second.length, end - 2]
              : [start + 2 + hidden, start + 2 + first.replace(/\\$/, '').length];
          push('wikilink', imageStart(text, start), end, shown);
        } else {
          openers.push(start);
          lastBracket = start;
        }
        break;
      }
      case ']': {
        const opener = openers.pop();
        const isPlainLabel = opener === lastBracket;
        lastBracket = start;
        if (opener === undefined || start - opener > MAX_PART_LENGTH) break;
        const label = text.slice(opener + 1, start);
        const end =
          endOf(DESTINATION, text, start + 1) ??
          referenceEnd(text, start + 1, isPlainLabel ? label : '', isDefined);
        if (end === undefined || label.includes('\n\n')) break;
        const spanStart = imageStart(text, opener);
        push('link', spanStart, end, [opener + 1, start]);
        // A link cannot contain a link, so brackets that are still open around this link are text.
        if (spanStart === opener) openers.length = 0;
        break;
      }
    }
  }
  return spans.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Whether a name is that of an HTML tag of running text. */
export function isHtmlName(name: string): boolean {
  return TAG_NAME.test(name);
}

/** Returns the end of the tag that begins at an offset; undefined if none begins there. */
export function tagEnd(text: string, at: number): number | undefined {
  return endOf(TAG, text, at);
}

function tagOf([, slash, name, attributes, end]: RegExpExecArray): Tag {
  return { name: name!, attributes: attributes!, isClosing: slash !== '', isSelfClosing: end !== '' };
}

/**
 * Returns the end of a reference link. `[label][name]` and `[label][]` end after the second brackets; `[label]` ends at `at`.
 * Returns undefined if the link has no definition.
 */
function referenceEnd(
  text: string,
  at: number,
  label: string,
  isDefined: InlineReading['isDefined'],
): number | undefined {
  const written = execAt(REFERENCE, text, at);
  const name = written?.[1] || label;
  const isReference = isDefined ? name !== '' && isDefined(name) : written !== null;
  return isReference ? at + (written?.[0].length ?? 0) : undefined;
}

/** A heading with `#` before its text, or with a line of `=` or `-` below it. */
const HEADING_LINE = /^ {0,3}#{1,6}[ \t][^\n]*\n|\n {0,3}(?:#{1,6}[ \t]|(?:=+|-+)[ \t]*\n)/;

/** Whether a heading begins or ends inside the span. A mark inside a heading cannot form a pair with a mark outside. */
function crossesHeading(text: string, { start, end }: Pick<InlineSpan, 'start' | 'end'>): boolean {
  if (!text.slice(start, end).includes('\n')) return false;
  return HEADING_LINE.test(text.slice(text.lastIndexOf('\n', start - 1) + 1, end));
}

/**
 * Makes a function that returns the end of the code span opened by a run of backticks (CommonMark 6.1), if it is closed. Calls
 * must be in ascending order. The runs are collected once, so an unclosed run costs no search.
 */
function codeSpanFinder(text: string): (open: number, length: number) => number | undefined {
  /** Runs by length, the last first. */
  const runs = Map.groupBy([...text.matchAll(/`+/g)].reverse(), ([run]) => run.length);
  return (open, length) => {
    const later = runs.get(length) ?? [];
    while (later.length > 0 && later.at(-1)!.index < open + length) later.pop();
    return later.length === 0 ? undefined : later.at(-1)!.index + length;
  };
}

/** Makes a function that returns the end of the comment that begins at a `<`, if it is closed. Calls must be in ascending order. */
function commentFinder(text: string): (at: number) => number | undefined {
  let close = 0;
  return (at) => {
    if (close === -1 || !text.startsWith('<!--', at)) return undefined;
    if (close < at + 4) close = text.indexOf('-->', at + 4);
    return close === -1 ? undefined : close + 3;
  };
}

function imageStart(text: string, bracket: number): number {
  return text[bracket - 1] === '!' ? bracket - 1 : bracket;
}

function execAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(text);
}

function endOf(sticky: RegExp, text: string, at: number): number | undefined {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : undefined;
}
