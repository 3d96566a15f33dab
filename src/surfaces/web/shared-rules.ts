/** Rules for markdown-it that documents and snippets share: tasks and wikilinks. */
import type { MarkdownIt, StateInline } from 'markdown-it';
import { wikilinkParts } from '../../core/text/wikilink-parts.ts';

/** Name of the attribute of an item that begins with a box. */
export const TASK = 'data-task';

/** `- [ ] text` and `- [x] text` show an empty and a ticked box. A box cannot be clicked: files are never written. */
export function tasks(markdown: MarkdownIt): void {
  markdown.core.ruler.push('task', ({ tokens }) => {
    for (const [at, { type, children }] of tokens.entries()) {
      const [item, paragraph, first] = [tokens[at - 2], tokens[at - 1], children?.[0]];
      if (type !== 'inline' || paragraph?.type !== 'paragraph_open' || item?.type !== 'list_item_open')
        continue;
      const [mark, sign] = /^\[([ xX])\] /.exec(first?.content ?? '') ?? [];
      if (mark === undefined || first?.type !== 'text') continue;
      first.content = `${sign === ' ' ? '☐' : '☑'} ${first.content.slice(mark.length)}`;
      item.attrSet(TASK, '');
    }
  });
}

/** Name of the attribute that holds what is between the brackets, without the shown text. */
export const WIKI = 'data-wiki';

/** The same syntax as in `core/text/inline-spans.ts`. A link such as `[[1]](https://…)` is not a wikilink. */
const LINK = /!?\[\[([^[\]|\n]{1,400})(?:\|([^[\]\n]{1,400}))?\]\](?!\((?:<|[^\s()]{0,100}[:/#.]))/y;

/** Embedded files with these extensions are pictures, not documents. */
const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp)\s*$/i;

/** `[[note]]`, `[[note#heading|shown text]]` and `![[note]]` become links to documents. */
export function wikilinks(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('link', 'wikilink', (state, silent) => {
    LINK.lastIndex = state.pos;
    const [whole, first = '', second] = LINK.exec(state.src) ?? [];
    if (whole === undefined) return false;
    const [target, shown] = wikilinkParts(first, second);
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
