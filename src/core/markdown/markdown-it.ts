/** The only instance of markdown-it: CommonMark with tables and HTML, for structure only. Two rules are replaced, one is added. */
import MarkdownIt, { type StateBlock, type Token } from 'markdown-it';
import { tagEnd } from '../text/inline-spans.ts';

/**
 * Max nesting of containers; deeper containers are read as plain text.
 * markdown-it reads a line once per level, so this limits the time for hostile input.
 */
const MAX_NESTING = 32;

/** Link reference definitions, collected while blocks are parsed. */
export interface ReferenceEnvironment {
  readonly references: Record<string, { readonly href: string; readonly title: string }>;
}

export const markdown = new MarkdownIt('commonmark', { maxNesting: MAX_NESTING }).enable('table');
markdown.block.ruler.at('table', tableRule(), { alt: ['paragraph', 'reference'] });
markdown.block.ruler.at('blockquote', quoteRule(), {
  alt: ['paragraph', 'reference', 'blockquote', 'list'],
});
markdown.block.ruler.before('html_block', 'component', readComponent, {
  alt: ['paragraph', 'reference', 'blockquote'],
});

/** Parses blocks only. Inline content is not parsed, which is four times faster and takes linear time for any input. */
export function blockTokens(text: string) {
  const tokens: Token[] = [];
  const environment = { references: Object.create(null) as ReferenceEnvironment['references'] };
  markdown.block.parse(text, markdown, environment, tokens);
  return { tokens, environment };
}

type BlockRule = (state: StateBlock, startLine: number, endLine: number, silent: boolean) => boolean;

/**
 * A quoted paragraph may continue in lines without a quote mark. markdown-it reads all lines up to a blank line before it finds
 * the end of the quote, and repeats this for each quote among these lines, which takes quadratic time. After this many lines
 * without a mark, the next marked line begins a new quote.
 */
const MAX_UNMARKED = 32;

const MARK = '>'.charCodeAt(0);

function quoteRule(): BlockRule {
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

/** Max UTF-16 units of a tag or comment over several lines. */
const MAX_COMPONENT = 3000;
const COMMENT = /^\{\/\*.*?\*\/\}/s;

/**
 * Reads a tag of a component over several lines, or a comment of MDX, as one block of HTML. CommonMark would read lines such as
 * `>` and `- a` in it as a quote and a list.
 */
function readComponent(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  const start = state.bMarks[line]! + state.tShift[line]!;
  if (!/[<{]/.test(state.src[start] ?? '') || state.sCount[line]! - state.blkIndent > 3) return false;
  const text = state.src.slice(start, Math.min(start + MAX_COMPONENT, state.eMarks[endLine - 1]!));
  const end = /^<[A-Z]/.test(text) ? tagEnd(text, 0) : COMMENT.exec(text)?.[0].length;
  if (end === undefined) return false;
  const lines = text.slice(0, end).split('\n');
  if (lines.length === 1) return false;
  // Other tags stay part of their paragraph.
  if (lines.at(-1)!.trim() !== '>' && !/^[ \t]*(?:\n|$)/.test(text.slice(end))) return false;
  if (silent) return true;
  state.line = line + lines.length;
  const token = state.push('html_block', '', 0);
  token.map = [line, state.line];
  token.content = state.getLines(line, state.line, state.blkIndent, true);
  return true;
}

const OF_CELLS: ReadonlySet<string> = new Set(['th_open', 'th_close', 'td_open', 'td_close', 'inline']);

/**
 * Replaces the rule `table`. Does not create the tokens of cells, because they are not used: a table of 10 MiB then takes a
 * quarter of the time and memory.
 */
function tableRule(): BlockRule {
  const rule = ownRule('table');
  return (state, startLine, endLine, silent) => {
    const push = state.push;
    let cell: Token | undefined;
    // Create `cell` only when needed: the rule is tried at each line, and few lines have cells.
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

/** Returns the original rule of markdown-it. It is the first rule of a parser that has only this rule and `paragraph`. */
function ownRule(name: string): BlockRule {
  return (new MarkdownIt('zero').enable(name).block.ruler.getRules('') as BlockRule[])[0]!;
}
