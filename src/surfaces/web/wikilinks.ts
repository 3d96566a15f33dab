/** Rule for markdown-it: `[[note]]`, `[[note#heading|shown text]]` and `![[note]]` become links to documents. */
import type { MarkdownIt } from 'markdown-it';

/** Name of the attribute that holds what is between the brackets, without the shown text. */
export const WIKI = 'data-wiki';

const LINK = /!?\[\[([^[\]|\n]{1,400})(?:\|([^[\]\n]{1,400}))?\]\]/y;

export function wikilinks(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('link', 'wikilink', (state, silent) => {
    LINK.lastIndex = state.pos;
    const [whole, target = '', shown] = LINK.exec(state.src) ?? [];
    if (whole === undefined) return false;
    if (!silent) {
      const link = state.push('link_open', 'a', 1);
      link.attrSet('href', '#');
      link.attrSet(WIKI, target.trim());
      state.push('text', '', 0).content = shown ?? target.replace(/\\$/, '');
      state.push('link_close', 'a', -1);
    }
    state.pos += whole.length;
    return true;
  });
}
