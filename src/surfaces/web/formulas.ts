/** Rule for markdown-it: formulas, `$x$` and `$$x$$`, keep their backslashes. Amounts and names of variables are no formulas. */
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
