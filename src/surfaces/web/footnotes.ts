/** Footnotes. The package needs time that grows with the square of their number, so a text with too many shows them as typed. */
import type { MarkdownIt } from 'markdown-it';
// @ts-expect-error The package has no types.
import plugin from 'markdown-it-footnote';

/** Max number of footnotes and references to them. A hundred thousand would take minutes. */
const MOST = 2_000;
const RULES = ['footnote_def', 'footnote_inline', 'footnote_ref'];

export function footnotes(markdown: MarkdownIt): void {
  markdown.use(plugin);
  markdown.core.ruler.before('block', 'many-footnotes', ({ src, md }) => {
    const count = src.match(/\[\^|\^\[/g)?.length ?? 0;
    const change = count > MOST ? 'disable' : 'enable';
    for (const { ruler } of [md.block, md.inline]) ruler[change](RULES, true);
  });
}
