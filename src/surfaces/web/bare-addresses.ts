/** Rule for markdown-it: `https://…` in running text is a link, as on GitHub. `linkify-it` would add 4 kB to what an export loads first. */
import type { MarkdownIt, Token } from 'markdown-it';

const ADDRESS = /\bhttps?:\/\/[^\s<>"，。、；：！？）」』】》]{1,1000}/g;
/** Punctuation. At the end of an address, it belongs to the sentence. */
const ENDS = ".,:;!?'*_~";

export function bareAddresses(markdown: MarkdownIt): void {
  markdown.core.ruler.push('bare-address', ({ tokens, Token }) => {
    for (const inline of tokens) {
      if (!inline.children?.some(({ type, content }) => type === 'text' && content.includes('://'))) continue;
      let depth = 0;
      inline.children = inline.children.flatMap((child) => {
        const isHtml = child.type === 'html_inline';
        if (child.type === 'link_open' || (isHtml && /^<a\s/i.test(child.content))) depth++;
        if (child.type === 'link_close' || (isHtml && /^<\/a/i.test(child.content))) depth--;
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
    const address = trimmed(found);
    const open = new Make('link_open', 'a', 1);
    open.attrSet('href', address);
    tokens.push(push(text.slice(at, index)), open, push(address), new Make('link_close', 'a', -1));
    at = index + address.length;
  }
  return [...tokens, push(text.slice(at))];
}

/** Removes punctuation and unopened closing brackets from the end of an address. */
function trimmed(address: string): string {
  let unopened = address.split(')').length - address.split('(').length;
  let end = address.length;
  for (; end > 0; end--) {
    const last = address[end - 1]!;
    if (last === ')' ? unopened-- <= 0 : !ENDS.includes(last)) break;
  }
  return address.slice(0, end);
}
