/** Rules for markdown-it that only whole documents need: web addresses, footnotes and formulas. */
import type { MarkdownIt, Token } from 'markdown-it';
// @ts-expect-error The package has no types.
import plugin from 'markdown-it-footnote';

const ADDRESS = /\bhttps?:\/\/[^\s<>"，。、；：！？）」』】》]{1,1000}/g;
/** Punctuation. At the end of an address, it belongs to the sentence. */
const ENDS = ".,:;!?'*_~";

/** `https://…` in running text is a link, as on GitHub. `linkify-it` would add 4 kB to what an export loads first. */
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

/** Max number of footnotes and references to them. A hundred thousand would take minutes. */
const MOST = 2_000;
const RULES = ['footnote_def', 'footnote_inline', 'footnote_ref'];

/** The package needs time that grows with the square of the number of footnotes, so a text with too many shows them as typed. */
export function footnotes(markdown: MarkdownIt): void {
  markdown.use(plugin);
  markdown.core.ruler.before('block', 'many-footnotes', ({ src, md }) => {
    const count = src.match(/\[\^|\^\[/g)?.length ?? 0;
    const change = count > MOST ? 'disable' : 'enable';
    for (const { ruler } of [md.block, md.inline]) ruler[change](RULES, true);
  });
}

const FORMULA =
  /\$\$[^$]{1,2000}\$\$|\$(?!\s)(?:(?!\*\*|\[\[|\]\()[^$\n`]){1,500}(?<!\s)\$(?![\p{L}\p{N}])/uy;

/** Formulas, `$x$` and `$$x$$`, keep their backslashes. Amounts and names of variables are no formulas. */
export function formulas(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('escape', 'formula', (state, silent) => {
    FORMULA.lastIndex = state.pos;
    const [whole] = FORMULA.exec(state.src) ?? [];
    if (whole === undefined) return false;
    if (!silent) state.push('text', '', 0).content = whole;
    state.pos += whole.length;
    return true;
  });
}
