/** The one markdown-it instance: CommonMark with tables and HTML, used for structure, never for output. */
import type { Token } from 'markdown-it';
import MarkdownIt from 'markdown-it';
import { quoteRule, tableRule } from './block-rules.ts';

/**
 * Containers nested deeper than this are read as one stretch of text.
 * Each level of nesting costs a pass over its lines, so this bounds the work on hostile input.
 */
const DEEPEST_NESTING = 32;

/** What reference definitions are collected into while blocks are read. */
export interface ReferenceEnvironment {
  readonly references: Record<string, { readonly href: string; readonly title: string }>;
}

export const markdown = new MarkdownIt('commonmark', { maxNesting: DEEPEST_NESTING }).enable('table');
markdown.block.ruler.at('table', tableRule(), { alt: ['paragraph', 'reference'] });
markdown.block.ruler.at('blockquote', quoteRule(), {
  alt: ['paragraph', 'reference', 'blockquote', 'list'],
});

/** Reads blocks only: inline content stays unparsed, which is four times faster and linear on any input. */
export function blockTokens(text: string) {
  const tokens: Token[] = [];
  const environment = { references: Object.create(null) as ReferenceEnvironment['references'] };
  markdown.block.parse(text, markdown, environment, tokens);
  return { tokens, environment };
}
