/** Links and tags in running text: one pass over each paragraph that steps around code, HTML and URLs. */
import type { LinkKind } from '../model/document.ts';
import type { Steps } from '../steps.ts';
import { type CodeSpanFinder, codeSpanFinder } from '../text/code-spans.ts';
import { commentFinder } from '../text/comments.ts';
import type { InlineRegion } from './blocks.ts';
import { type LinkTarget, parseRelative, parseWikilink } from './link-targets.ts';
import { markdown, type ReferenceEnvironment } from './markdown-it.ts';
import { readTag } from './tags.ts';

export type FoundLink = LinkTarget & {
  readonly kind: LinkKind;
  /** Offset into the text. */
  readonly at: number;
};

export interface InlineMarks {
  readonly links: readonly FoundLink[];
  readonly tags: readonly string[];
}

/** Regions that are read in one step. */
const STEP = 1024;

/** Longest link label, destination or wikilink that is read; it keeps hostile input linear. */
const LONGEST_PART = 1000;
const HTML_TAG =
  /<\/?[a-z][a-z0-9-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>/iy;
const REST_OF_URL = /[^\s<>)\]]*/y;

/** Reads every region; the order of what is found is the order of the text. */
export function* readInlineMarks(
  text: string,
  regions: readonly InlineRegion[],
  environment: ReferenceEnvironment,
): Steps<InlineMarks> {
  const links: FoundLink[] = [];
  const tags: string[] = [];
  for (const [index, { start, end }] of regions.entries()) {
    if (index % STEP === 0) yield;
    scanRegion(text.slice(start, end), start, environment, links, tags);
  }
  return { links, tags };
}

interface Opener {
  readonly at: number;
  readonly isImage: boolean;
}

function scanRegion(
  source: string,
  base: number,
  environment: ReferenceEnvironment,
  links: FoundLink[],
  tags: string[],
): void {
  const marks = /[`[\]#<\\]|:\/\//g;
  let openers: Opener[] = [];
  let spans: CodeSpanFinder | undefined;
  let lastBracket = -1;
  const wikilinks = wikilinkFinder(source);
  const comments = commentFinder(source);

  for (let mark = marks.exec(source); mark; mark = marks.exec(source)) {
    const at = mark.index;
    switch (mark[0]) {
      case '\\':
        marks.lastIndex = at + 2;
        break;
      case '`': {
        let end = at;
        while (source[end] === '`') end++;
        spans ??= codeSpanFinder(source);
        marks.lastIndex = spans(at, end - at) ?? end;
        break;
      }
      case '<':
        marks.lastIndex = comments(at) ?? matchEnd(HTML_TAG, source, at) ?? at + 1;
        break;
      case '://':
        marks.lastIndex = matchEnd(REST_OF_URL, source, at + 3) ?? at + 3;
        break;
      case '#': {
        const found = readTag(source, at);
        if (found) tags.push(found.tag);
        marks.lastIndex = found?.end ?? at + 1;
        break;
      }
      case '[': {
        const inner = wikilinks(at);
        if (inner !== undefined) {
          const target = parseWikilink(inner);
          const kind = source[at - 1] === '!' ? 'transclusion' : 'wikilink';
          if (target) links.push({ ...target, kind, at: base + at });
          marks.lastIndex = at + inner.length + 4;
        } else {
          openers.push({ at, isImage: source[at - 1] === '!' });
          lastBracket = at;
        }
        break;
      }
      case ']': {
        const opener = openers.pop();
        const isPlainLabel = opener?.at === lastBracket;
        lastBracket = at;
        if (!opener) break;
        const label = source.slice(opener.at + 1, Math.min(at, opener.at + 1 + LONGEST_PART));
        const link =
          destinationAfter(source, at + 1) ??
          referenceAfter(source, at + 1, isPlainLabel ? label : '', environment);
        if (!link) break;
        marks.lastIndex = link.end;
        if (opener.isImage) break;
        // A link holds no other link, so brackets still open around it are text.
        openers = [];
        const target = parseRelative(link.destination, label.replaceAll(/\s+/g, ' ').trim());
        if (target) links.push({ ...target, kind: 'relative', at: base + opener.at });
        break;
      }
    }
  }
}

interface Destination {
  readonly destination: string;
  /** Offset after the link. */
  readonly end: number;
}

/** `(destination "title")` at an offset. */
function destinationAfter(source: string, at: number): Destination | undefined {
  if (source[at] !== '(') return undefined;
  const limit = Math.min(source.length, at + LONGEST_PART);
  let position = skipSpace(source, at + 1, limit);
  const parsed = markdown.helpers.parseLinkDestination(source, position, limit);
  if (!parsed.ok) return undefined;
  position = skipSpace(source, parsed.pos, limit);
  if (position > parsed.pos) {
    const title = markdown.helpers.parseLinkTitle(source, position, limit);
    if (title.ok) position = skipSpace(source, title.pos, limit);
  }
  return source[position] === ')' ? { destination: parsed.str, end: position + 1 } : undefined;
}

/** `[name]` or `[]` at an offset, or nothing there and the label itself is the name of a definition. */
function referenceAfter(
  source: string,
  at: number,
  label: string,
  environment: ReferenceEnvironment,
): Destination | undefined {
  const close = source[at] === '[' ? source.slice(at, at + LONGEST_PART).indexOf(']') : -1;
  const name = close > 1 ? source.slice(at + 1, at + close) : label;
  if (name === '' || name.startsWith('^')) return undefined;
  const definition = environment.references[markdown.utils.normalizeReference(name)];
  return definition && { destination: definition.href, end: close === -1 ? at : at + close + 1 };
}

/** Answers, for ever later offsets of `[`, the inside of the wikilink that begins there. */
function wikilinkFinder(source: string): (at: number) => string | undefined {
  let close = -1;
  let open = -1;
  return (at) => {
    if (source[at + 1] !== '[') return undefined;
    if (close < at + 2) {
      const found = source.indexOf(']]', at + 2);
      close = found === -1 ? Number.POSITIVE_INFINITY : found;
      open = found === -1 ? -1 : source.lastIndexOf('[[', found);
    }
    if (open !== at || close - at > LONGEST_PART) return undefined;
    const inner = source.slice(at + 2, close);
    return /[[\]\n]/.test(inner) ? undefined : inner;
  };
}

function matchEnd(sticky: RegExp, source: string, at: number): number | undefined {
  sticky.lastIndex = at;
  return sticky.test(source) ? sticky.lastIndex : undefined;
}

function skipSpace(source: string, from: number, limit: number): number {
  while (from < limit && /\s/.test(source[from]!)) from++;
  return from;
}
