/** Two block rules that replace those of markdown-it: quotes in linear time, and tables without tokens for their cells. */
import type { StateBlock, Token } from 'markdown-it';
import MarkdownIt from 'markdown-it';

type BlockRule = (state: StateBlock, startLine: number, endLine: number, silent: boolean) => boolean;

/**
 * A quoted paragraph may continue in lines without a quote mark. markdown-it reads all lines up to a blank line before it finds
 * the end of the quote, and repeats this for each quote among these lines, which takes quadratic time. After this many lines
 * without a mark, the next marked line begins a new quote.
 */
const MAX_UNMARKED = 32;

const MARK = '>'.charCodeAt(0);

/** Replaces the rule `blockquote`. */
export function quoteRule(): BlockRule {
  const rule = ownRule('blockquote');
  return (state, startLine, endLine, silent) =>
    rule(state, startLine, silent ? endLine : lastLine(state, startLine, endLine), silent);
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

const OF_CELLS: ReadonlySet<string> = new Set(['th_open', 'th_close', 'td_open', 'td_close', 'inline']);

/**
 * Replaces the rule `table`. The tokens of cells are not used; without them, a table of 10 MiB takes a quarter of the time and
 * memory.
 */
export function tableRule(): BlockRule {
  const rule = ownRule('table');
  return (state, startLine, endLine, silent) => {
    const push = state.push;
    let cell: Token | undefined;
    // Created only when needed: the rule is tried at each line, and few lines have cells.
    state.push = (type, tag, nesting) => {
      if (!OF_CELLS.has(type)) return push.call(state, type, tag, nesting);
      cell ??= new state.Token('inline', '', 0);
      return cell;
    };
    try {
      return rule(state, startLine, endLine, silent);
    } finally {
      state.push = push;
    }
  };
}

/** Returns the original rule of markdown-it: the first rule of a parser with only this rule and `paragraph`. */
function ownRule(name: string): BlockRule {
  return (new MarkdownIt('zero').enable(name).block.ruler.getRules('') as BlockRule[])[0]!;
}
