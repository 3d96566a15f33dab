/** Rule for markdown-it: `$x$` and `$$x$$` are shown as typed, with their backslashes. `$5 and $6`, `$HOME` beside code and the like are none. */
import type { MarkdownIt } from 'markdown-it';

const FORMULA =
  /\$\$[^$]{1,2000}\$\$|\$(?!\s)(?:(?!\*\*|\[\[|\]\()[^$\n`]){1,500}(?<!\s)\$(?![\p{L}\p{N}])/uy;

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
