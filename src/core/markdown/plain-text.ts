/** Inline Markdown to the words a reader sees: for headings and titles. */
import type { Token } from 'markdown-it';
import { markdown, type ReferenceEnvironment } from './markdown-it.ts';

/** Longer headings are accidents: inline parsing is not linear, and every chunk carries its headings. */
const LONGEST = 500;
const MARKUP = /[*_`[\]<>&\\!~]/;
/** `{#id}` or `{ .class }` after a heading, as documentation generators read it. */
const ATTRIBUTES = /\{\s*[#.][^{}]*\}$/;
const WIKILINK = /\[\[([^[\]|]*)(?:\|([^[\]]*))?\]\]/g;

/** Strips emphasis, links, code marks, HTML, entities and trailing attributes. */
export function plainText(inline: string, environment: ReferenceEnvironment): string {
  const source = clip(inline.trim()).replace(ATTRIBUTES, '');
  const text = MARKUP.test(source) ? parsed(source, environment) : source;
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** The beginning of an overlong title or heading, cut between code points. */
export function clip(text: string): string {
  if (text.length <= LONGEST) return text;
  return text.slice(0, text.codePointAt(LONGEST - 1)! > 0xffff ? LONGEST - 1 : LONGEST);
}

function parsed(source: string, environment: ReferenceEnvironment): string {
  const labelled = source.replaceAll(WIKILINK, (_, target: string, label?: string) => label ?? target);
  // markdown-it may write to the environment it is given; a copy for each heading would take the square of their number.
  const [root] = markdown.parseInline(labelled, { references: Object.create(environment.references) });
  return (root?.children ?? []).map(visible).join('');
}

function visible(token: Token): string {
  if (token.type === 'softbreak' || token.type === 'hardbreak') return ' ';
  if (token.type === 'image') return (token.children ?? []).map(visible).join('');
  return token.type === 'html_inline' ? '' : token.content;
}
