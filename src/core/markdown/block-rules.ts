/** Two block rules that replace markdown-it's own: quotes in time that grows with their length, tables without the tokens of their cells. */
import type { StateBlock, Token } from 'markdown-it';
import MarkdownIt from 'markdown-it';

type BlockRule = (state: StateBlock, startLine: number, endLine: number, silent: boolean) => boolean;

/**
 * A quoted paragraph continues in lines without a mark. markdown-it reads all lines up to a blank one as its
 * continuation before it finds that the quote has ended, and repeats that for every quote among them:
 * quadratic time. After this many lines without a mark, the next marked line begins another quote.
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

/** Replaces the rule `table`: nothing uses the tokens of cells, and a table of 10 MiB takes a quarter of the time and memory without them. */
export function tableRule(): BlockRule {
  const rule = ownRule('table');
  return (state, startLine, endLine, silent) => {
    const push = state.push;
    let cell: Token | undefined;
    // Allocated late: the rule is tried at each line, and few lines have cells.
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

/** markdown-it's own rule: the first of a parser that has this one and `paragraph`. */
function ownRule(name: string): BlockRule {
  return (new MarkdownIt('zero').enable(name).block.ruler.getRules('') as BlockRule[])[0]!;
}
