/** Rule for markdown-it: `[[note]]`, `[[note#heading|shown text]]` and `![[note]]` become links to documents. */
import type { MarkdownIt, StateInline } from 'markdown-it';

/** Name of the attribute that holds what is between the brackets, without the shown text. */
export const WIKI = 'data-wiki';

/** The same syntax as in `core/text/inline-spans.ts`. A link such as `[[1]](https://…)` is not a wikilink. */
const LINK = /!?\[\[([^[\]|\n]{1,400})(?:\|([^[\]\n]{1,400}))?\]\](?!\((?:<|[^\s()]{0,100}[:/#.]))/y;

/** Embedded files with these extensions are pictures, not documents. */
const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp)\s*$/i;

export function wikilinks(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('link', 'wikilink', (state, silent) => {
    LINK.lastIndex = state.pos;
    const [whole, target = '', shown] = LINK.exec(state.src) ?? [];
    if (whole === undefined) return false;
    if (whole.startsWith('!') && PICTURE.test(target)) {
      if (!silent) pushPicture(state, target.trim(), shown ?? target);
    } else if (!silent) {
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

function pushPicture(state: StateInline, address: string, name: string): void {
  const picture = state.push('image', 'img', 0);
  picture.attrs = [
    ['src', address],
    ['alt', ''],
  ];
  const text = new state.Token('text', '', 0);
  text.content = name;
  picture.children = [text];
}
