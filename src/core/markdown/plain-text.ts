/** Converts inline Markdown of headings and titles to its visible words. */
import type { Token } from 'markdown-it';
import { clip } from '../text/boundaries.ts';
import type { Page } from './hidden-markup.ts';
import { markdown, type ReferenceEnvironment } from './markdown-it.ts';
import { visibleHeading } from './visible-text.ts';

/** Max UTF-16 units of a heading. Inline parsing does not take linear time, and every chunk repeats its headings. */
const MAX_LENGTH = 500;
const MARKUP = /[*_`[\]<>&\\!~]/;
const WIKILINK = /\[\[([^[\]|]*)(?:\|([^[\]]*))?\]\]/g;

/** Removes emphasis, links, code marks, HTML, entities, template tags and attributes. */
export function plainText(inline: string, environment: ReferenceEnvironment, page: Page): string {
  const source = visibleHeading(clipTitle(inline.trim()), page);
  const text = MARKUP.test(source) ? parsed(source, environment) : source;
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Cuts a title or heading that is too long. */
export function clipTitle(text: string): string {
  return clip(text, MAX_LENGTH);
}

function parsed(source: string, environment: ReferenceEnvironment): string {
  const labelled = source.replaceAll(WIKILINK, (_, target: string, label?: string) => label ?? target);
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
