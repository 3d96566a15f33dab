/** Rule for markdown-it: `- [ ] text` and `- [x] text` show an empty and a ticked box. A box cannot be clicked: files are never written. */
import type { MarkdownIt } from 'markdown-it';

/** Name of the attribute of an item that begins with a box. */
export const TASK = 'data-task';

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
