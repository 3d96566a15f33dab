/**
 * Finds links, images, code, tags and addresses in running text, with their places, which markdown-it's inline tokens do not tell.
 * It also reads parts of a document. Its time is linear in the text.
 */
import type { Stretch } from './lines.ts';

/** Offsets into the text: start inclusive, end exclusive. */
export interface InlineSpan {
  /** `link` is an image, too, and may hold further spans; `html` is a tag or a comment. */
  readonly kind: 'code' | 'html' | 'address' | 'wikilink' | 'link';
  readonly start: number;
  readonly end: number;
  /** The stretch a reader sees: label, alternative text, code; empty for a tag. */
  readonly shown: Stretch;
}

/** What stands between angle brackets. */
export interface Tag {
  readonly name: string;
  readonly attributes: string;
  readonly isClosing: boolean;
  readonly isSelfClosing: boolean;
}

export interface InlineReading {
  /** Whether a link definition has this name. @default every `name` of `[label][name]`, and no label that stands alone */
  readonly isDefined?: (name: string) => boolean;
  /**
   * Whether what looks like a tag is one, and whether the text is HTML, in which headings and length bound nothing.
   * @default tags of HTML that stand in running text
   */
  readonly isTag?: (tag: Tag, start: number) => boolean;
  readonly isHtml?: boolean;
  /** Is asked about every `#` in running text, and answers the offset to go on at. */
  readonly readHash?: (text: string, at: number) => number;
}

/** Longest label, comment or destination that is read; it keeps hostile input linear. */
const MAX_PART_LENGTH = 1000;
/** The value of an attribute in JSX, with braces four deep. */
const BRACES = [1, 2, 3].reduce(
  (inner) => String.raw`\{(?:[^{}]|${inner}){0,1000}\}`,
  String.raw`\{[^{}]{0,1000}\}`,
);
const VALUE = String.raw`(?:(?!\{)[^\s"'=<>\x60]+|'[^']*'|"[^"]*"|${BRACES})`;
const TAG = new RegExp(
  String.raw`<(\/?)([a-z][\w.:-]*)((?:\s+(?:[a-z_:@][\w.:@-]*(?:\s*=\s*${VALUE})?|\{\.\.\.[^{}]{0,300}\}))*)\s*(\/?)>`,
  'iy',
);
/** Other names between angle brackets are more often a type or a placeholder, and shown. */
const TAG_NAME =
  /^(?:a|abbr|article|aside|b|br|caption|center|cite|code|col|colgroup|dd|del|details|dfn|div|dl|dt|em|figcaption|figure|font|footer|h[1-6]|header|hr|i|iframe|img|ins|kbd|li|mark|ol|p|picture|pre|q|s|samp|section|small|source|span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|u|ul|var|video|wbr)$/i;
const AUTOLINK = /<[a-z][a-z0-9+.-]{1,31}:[^\s<>]{0,1000}>/iy;
const REST_OF_URL = /[^\s<>)[\]]*/y;
/** `(destination "title")`, the destination in angle brackets or with parentheses two deep. */
const DESTINATION =
  /\(\s{0,99}(?:<[^<>\n]{0,1000}>|(?:\\\S|[^\s()\\]|\((?:\\\S|[^\s()\\]|\((?:\\\S|[^\s()\\]){0,200}\)){0,300}\)){0,1000})(?:\s{1,99}(?:"(?:\\.|[^"\\]){0,300}"|'(?:\\.|[^'\\]){0,300}'|\((?:\\.|[^()\\]){0,300}\)))?\s{0,99}\)/sy;
const REFERENCE = /\[([^[\]]{0,999})\]/y;
const WIKILINK = /\[\[([^[\]|\n]{0,500})(?:\\?\|([^[\]\n]{0,500}))?\]\]/y;
const MARK = /[`[\]<\\#]|:\/\//g;

/** The spans of a text in order of their start, an outer one before those inside it. */
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
        // Text between two runs that are no pair is read, too.
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
          const label = wikilink[2]?.trim() ? wikilink[2] : undefined;
          const shown: Stretch =
            label === undefined
              ? [start + 2, start + 2 + wikilink[1].length]
              : [end - 2 - label.length, end - 2];
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
        // A link holds no other link, so brackets still open around it are text.
        if (spanStart === opener) openers.length = 0;
        break;
      }
    }
  }
  return spans.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Whether a tag of HTML that stands in running text has this name. */
export function isHtmlName(name: string): boolean {
  return TAG_NAME.test(name);
}

function tagOf([, slash, name, attributes, end]: RegExpExecArray): Tag {
  return { name: name!, attributes: attributes!, isClosing: slash !== '', isSelfClosing: end !== '' };
}

/** After `[name]`, `[]` or nothing: the label itself is then the name. */
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

/** With marks in front of the text or a line of them under it. */
const HEADING_LINE = /^ {0,3}#{1,6}[ \t][^\n]*\n|\n {0,3}(?:#{1,6}[ \t]|(?:=+|-+)[ \t]*\n)/;

/** A heading ends with its line and ends what runs before it: marks on either side are no pair. */
function crossesHeading(text: string, { start, end }: Pick<InlineSpan, 'start' | 'end'>): boolean {
  if (!text.slice(start, end).includes('\n')) return false;
  return HEADING_LINE.test(text.slice(text.lastIndexOf('\n', start - 1) + 1, end));
}

/**
 * The offset after the run that closes a run of backticks, if any; runs must come in order
 * (CommonMark 6.1). Collects the runs once, so that unclosed ones cost no search.
 */
function codeSpanFinder(text: string): (open: number, length: number) => number | undefined {
  /** Starts by length, the last first. */
  const runs = new Map<number, number[]>();
  for (const { index, 0: run } of text.matchAll(/`+/g)) {
    const same = runs.get(run.length);
    if (same) same.push(index);
    else runs.set(run.length, [index]);
  }
  for (const starts of runs.values()) starts.reverse();
  return (open, length) => {
    const later = runs.get(length) ?? [];
    while (later.length > 0 && later.at(-1)! < open + length) later.pop();
    return later.length === 0 ? undefined : later.at(-1)! + length;
  };
}

/** The offset after the closed comment that begins at an offset of `<`, if any; offsets must ascend. */
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
