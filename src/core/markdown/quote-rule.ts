/** Reads a quote without looking through all lines behind it, as markdown-it's own rule does. */
import type { StateBlock } from 'markdown-it';
import MarkdownIt from 'markdown-it';

export type BlockRule = (state: StateBlock, startLine: number, endLine: number, silent: boolean) => boolean;

/**
 * A quoted paragraph continues in lines without a mark. markdown-it reads all lines up to a blank one as its
 * continuation before it finds that the quote has ended, and repeats that for every quote among them:
 * quadratic time. After this many lines without a mark, the next marked line begins another quote.
 */
const MAX_UNMARKED = 32;

const MARK = '>'.charCodeAt(0);

/** Takes the place of the rule `blockquote`. */
export function quoteRule(): BlockRule {
  // This parser has two rules: `blockquote`, then `paragraph`.
  const [rule] = new MarkdownIt('zero').enable('blockquote').block.ruler.getRules('') as BlockRule[];
  return (state, startLine, endLine, silent) =>
    rule!(state, startLine, silent ? endLine : lastLine(state, startLine, endLine), silent);
}

function lastLine(state: StateBlock, startLine: number, endLine: number): number {
  if (!isMarked(state, startLine)) return endLine;
  let unmarked = 0;
  for (let line = startLine; line < endLine && !state.isEmpty(line); line++) {
    if (!isMarked(state, line)) unmarked++;
    else if (unmarked > MAX_UNMARKED) return line;
  }
  return endLine;
}

function isMarked(state: StateBlock, line: number): boolean {
  return (
    state.src.charCodeAt(state.bMarks[line]! + state.tShift[line]!) === MARK &&
    state.sCount[line]! >= state.blkIndent
  );
}
