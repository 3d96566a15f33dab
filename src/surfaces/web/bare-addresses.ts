/** Rule for markdown-it: `https://…` in running text is a link, as on GitHub. `linkify-it` knows more kinds and weighs 10 kB. */
import type { MarkdownIt, Token } from 'markdown-it';

/** Up to the last sign that does not end a sentence; a closing bracket counts if the address has an opening one. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"]{1,1000}/g;
const AFTER = /(?:[.,:;!?'*_~]|(?<!\([^)]*)\))+$/;

export function bareAddresses(markdown: MarkdownIt): void {
  markdown.core.ruler.push('bare-address', ({ tokens, Token }) => {
    for (const inline of tokens) {
      if (!inline.children?.some(({ type, content }) => type === 'text' && content.includes('://'))) continue;
      let depth = 0;
      inline.children = inline.children.flatMap((child) => {
        if (child.type === 'link_open') depth++;
        if (child.type === 'link_close') depth--;
        return child.type === 'text' && depth === 0 ? linked(child.content, Token) : [child];
      });
    }
  });
}

function linked(text: string, Make: typeof Token): Token[] {
  const tokens: Token[] = [];
  const push = (content: string) => Object.assign(new Make('text', '', 0), { content });
  let at = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = found.replace(AFTER, '');
    const open = new Make('link_open', 'a', 1);
    open.attrSet('href', address);
    tokens.push(push(text.slice(at, index)), open, push(address), new Make('link_close', 'a', -1));
    at = index + address.length;
  }
  return [...tokens, push(text.slice(at))];
}
