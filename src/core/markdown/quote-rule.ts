/** Reads a quote without looking through all lines behind it, as markdown-it's own rule does. */
import type { StateBlock } from 'markdown-it';
import MarkdownIt from 'markdown-it';

export type BlockRule = (state: StateBlock, startLine: number, endLine: number, silent: boolean) => boolean;

/**
 * A paragraph in a quote goes on in lines without a mark. markdown-it takes all lines up to a blank one for such before it finds
 * that the quote has ended, and does so again for every quote among them: the square of their number. After more lines without a
 * mark than these, the next line with one begins another quote.
 */
const MOST_UNMARKED = 32;

const MARK = '>'.charCodeAt(0);

/** Takes the place of the rule `blockquote`. */
export function quoteRule(): BlockRule {
  // The only rule of a parser that knows quotes and paragraphs that is not tried last.
  const [rule] = new MarkdownIt('zero').enable('blockquote').block.ruler.getRules('') as BlockRule[];
  return (state, startLine, endLine, silent) =>
    rule!(state, startLine, silent ? endLine : lastLine(state, startLine, endLine), silent);
}

function lastLine(state: StateBlock, startLine: number, endLine: number): number {
  if (!isMarked(state, startLine)) return endLine;
  let unmarked = 0;
  for (let line = startLine; line < endLine && !state.isEmpty(line); line++) {
    if (!isMarked(state, line)) unmarked++;
    else if (unmarked > MOST_UNMARKED) return line;
  }
  return endLine;
}

function isMarked(state: StateBlock, line: number): boolean {
  return (
    state.src.charCodeAt(state.bMarks[line]! + state.tShift[line]!) === MARK &&
    state.sCount[line]! >= state.blkIndent
  );
}
