/** The only instance of markdown-it: CommonMark with tables and HTML. It reads the structure and never renders. */
import type { Token } from 'markdown-it';
import MarkdownIt from 'markdown-it';
import { quoteRule, tableRule } from './block-rules.ts';

/**
 * Max nesting of containers; deeper containers are read as plain text.
 * markdown-it reads a line once per level, so this limits the time for hostile input.
 */
const MAX_NESTING = 32;

/** Link reference definitions, collected while blocks are parsed. */
export interface ReferenceEnvironment {
  readonly references: Record<string, { readonly href: string; readonly title: string }>;
}

export const markdown = new MarkdownIt('commonmark', { maxNesting: MAX_NESTING }).enable('table');
markdown.block.ruler.at('table', tableRule(), { alt: ['paragraph', 'reference'] });
markdown.block.ruler.at('blockquote', quoteRule(), {
  alt: ['paragraph', 'reference', 'blockquote', 'list'],
});

/** Parses blocks only. Inline content is not parsed, which is four times faster and takes linear time for any input. */
export function blockTokens(text: string) {
  const tokens: Token[] = [];
  const environment = { references: Object.create(null) as ReferenceEnvironment['references'] };
  markdown.block.parse(text, markdown, environment, tokens);
  return { tokens, environment };
}
