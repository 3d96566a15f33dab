/** Converts the text of a page, and of its headings and titles, to the text visible on the rendered page. */
import type { Token } from 'markdown-it';
import { clip } from '../text/boundaries.ts';
import { applyEdits, type Edit, hide, inOrder, shifted } from '../text/edits.ts';
import { wikilinkParts } from '../text/wikilink-parts.ts';
import type { Region } from './blocks.ts';
import { hiddenMarkup, type Page } from './hidden-markup.ts';
import { markdown, type ReferenceEnvironment } from './markdown-it.ts';

const CLOSING_TAG = /<\/([\w.:-]{1,100})\s*>/g;
/** Characters of Markdown marks. If an edit brought two equal characters together, they would form another mark. */
const MARK = /[`*_~$]/;

/** Removes invisible markup and decodes entities. Line feeds stay, so that lines keep their numbers. Code stays unchanged. */
export function visibleText(text: string, regions: readonly Region[], page: Page) {
  const edits: Edit[] = [];
  const codeOf = hiddenCode(text);
  /** End of the last script or style. It may contain blank lines and therefore reach into later regions. */
  let hiddenUpTo = 0;
  for (const { start, end, kind } of regions) {
    if (start < hiddenUpTo) edits.push(hide(start, Math.min(end, hiddenUpTo)));
    if (end <= hiddenUpTo || kind === 'code') continue;
    const from = Math.max(start, hiddenUpTo);
    for (const edit of shifted(hiddenMarkup(text.slice(from, end), kind, page), from)) edits.push(edit);
    if (kind !== 'html') continue;
    for (const [first, last] of codeOf(from, end)) {
      edits.push(hide(first, Math.min(last, end)));
      hiddenUpTo = last;
    }
  }
  return applyEdits(text, tidy(text, inOrder(edits)));
}

/** Collects the facts about a page that are needed to find its hidden markup. @param path ends in `.mdx` for MDX */
export function pageOf(path: string, text: string): Page {
  const closed = text.includes('</') ? [...text.matchAll(CLOSING_TAG)].map(([, name]) => name!) : [];
  return { isMdx: /\.mdx$/i.test(path), closed: new Set(closed) };
}

/**
 * Makes a function that yields the scripts and styles that begin in a stretch. Calls must be in ascending order. A script or
 * style without a closing tag is text.
 */
function hiddenCode(text: string): (start: number, end: number) => Generator<readonly [number, number]> {
  const opening = /<(script|style)(?=[\s>])/gi;
  const ends = new Map<string, number>();
  const closeAfter = (name: string, at: number) => {
    const known = ends.get(name) ?? -1;
    if (known > at) return known;
    const closing = name === 'script' ? /<\/script\s*>/gi : /<\/style\s*>/gi;
    closing.lastIndex = at;
    const end = closing.test(text) ? closing.lastIndex : Number.POSITIVE_INFINITY;
    ends.set(name, end);
    return end;
  };
  return function* (start, end) {
    opening.lastIndex = start;
    for (let match = opening.exec(text); match && match.index < end; match = opening.exec(text)) {
      const close = closeAfter(match[1]!.toLowerCase(), match.index);
      if (close === Number.POSITIVE_INFINITY) continue;
      yield [match.index, close];
      opening.lastIndex = close;
    }
  };
}

/**
 * Adjusts edits: keeps line feeds, merges adjacent edits, avoids double spaces and spaces at the ends of lines, and keeps words
 * separate.
 */
function tidy(text: string, edits: readonly Edit[]): Edit[] {
  const tidied: Edit[] = [];
  for (const edit of edits.flatMap((each) => perLine(text, each))) {
    const last = tidied.at(-1);
    if (last && edit.start <= last.end) {
      const shown = isText(last) || isText(edit) ? last.shown + edit.shown : last.shown || edit.shown;
      tidied[tidied.length - 1] = { start: last.start, end: edit.end, shown };
    } else tidied.push(edit);
  }
  let end = 0;
  return tidied.map((edit, index) => {
    if (isText(edit)) {
      end = edit.end;
      return edit;
    }
    const start = spacesBefore(text, edit, end);
    end = spacesAfter(text, start, edit.end, tidied[index + 1]?.start ?? text.length);
    return { start, end, shown: between(text[start - 1], text[end], edit.shown) };
  });
}

/** Whether an edit shows a decoded character in its place. */
function isText({ shown }: Edit): boolean {
  return shown.trim() !== '';
}

function perLine(text: string, { start, end, shown }: Edit): Edit[] {
  const lines = text.slice(start, end).matchAll(/[^\n]+/g);
  return Array.from(lines, ({ 0: line, index }) => {
    return { start: start + index, end: start + index + line.length, shown };
  });
}

function between(before = '\n', after = '\n', shown: string): string {
  if (before.trim() === '' || after.trim() === '') return '';
  return before === after && MARK.test(before) ? ' ' : shown;
}

/** If an edit ends at the end of a line, moves its start before the spaces on its left. */
function spacesBefore(text: string, { start, end }: Edit, from: number): number {
  if ((text[end] ?? '\n') !== '\n') return start;
  while (start > from && isSpace(text[start - 1])) start--;
  return start;
}

/** If an edit follows a space or begins a line, moves its end after the spaces on its right. */
function spacesAfter(text: string, start: number, end: number, to: number): number {
  if (start > 0 && text[start - 1] !== '\n' && !isSpace(text[start - 1])) return end;
  while (end < to && isSpace(text[end])) end++;
  return end;
}

function isSpace(unit: string | undefined): boolean {
  return unit === ' ' || unit === '\t';
}

/** Max UTF-16 units of a heading. Inline parsing does not take linear time, and every chunk repeats its headings. */
const MAX_LENGTH = 500;
const MARKUP = /[*_`[\]<>&\\!~]/;
const WIKILINK = /\[\[([^[\]|]*)(?:\|([^[\]]*))?\]\]/g;

/** Removes emphasis, links, code marks, HTML, entities, template tags and attributes. */
export function plainText(inline: string, environment: ReferenceEnvironment, page: Page): string {
  const heading = clipTitle(inline.trim());
  const edits = inOrder(hiddenMarkup(heading, 'heading', page));
  const source = applyEdits(heading, tidy(heading, edits)).text;
  const text = MARKUP.test(source) ? parsed(source, environment) : source;
  return text.replaceAll(/\s+/g, ' ').trim();
}

export function clipTitle(text: string): string {
  return clip(text, MAX_LENGTH);
}

function parsed(source: string, environment: ReferenceEnvironment): string {
  const labelled = source.replaceAll(WIKILINK, (_, first: string, second?: string) => {
    const [target, label] = wikilinkParts(first, second);
    return label ?? target;
  });
  // markdown-it may write to its environment. Copying the environment for each heading would take quadratic time.
  const [root] = markdown.parseInline(labelled, { references: Object.create(environment.references) });
  return (root?.children ?? []).map(visible).join('');
}

function visible(token: Token): string {
  if (token.type === 'softbreak' || token.type === 'hardbreak') return ' ';
  if (token.type === 'image') return (token.children ?? []).map(visible).join('');
  // Tags are already removed. Text that still looks like a tag is a type, as in `Vec<T>`, or a placeholder.
  return token.content;
}
