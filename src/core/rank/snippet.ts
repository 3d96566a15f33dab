/** The few lines of a passage that show why it was found. */
import type { Snippet } from '../model/hit.ts';
import type { ParsedQuery } from '../model/query.ts';
import { analyze } from '../text/analyze.ts';

/** Two to four lines on a terminal. */
const DEFAULT_LENGTH = 260;

interface Match {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The window of `text` with the most distinct query words, then the most matches, then the earliest.
 * @param length greatest size of the window in UTF-16 units; it ends at white space where there is some
 * @returns ranges of the matched words inside the snippet
 */
export function snippet(text: string, query: ParsedQuery, length = DEFAULT_LENGTH): Snippet {
  const matches = findMatches(text, query);
  const [start, end] = trim(text, ...bestWindow(text, matches, length));
  return {
    text: text.slice(start, end),
    matches: matches
      .filter((match) => match.start >= start && match.end <= end)
      .map((match) => [match.start - start, match.end - start] as const),
  };
}

/** Matched words in text order; of nested ones (`getUser`, `user`) only the widest. */
function findMatches(text: string, query: ParsedQuery): Match[] {
  const exact = new Set(query.terms.filter((term) => !term.prefix).map((term) => term.term));
  const prefixes = query.terms.filter((term) => term.prefix).map((term) => term.term);
  const matches: Match[] = [];
  analyze(text, (term, _position, start, end) => {
    if (!exact.has(term) && !prefixes.some((prefix) => term.startsWith(prefix))) return;
    const last = matches.at(-1);
    if (last && start < last.end) {
      if (end > last.end) matches[matches.length - 1] = { term, start: Math.min(start, last.start), end };
      return;
    }
    matches.push({ term, start, end });
  });
  return matches;
}

function bestWindow(text: string, matches: readonly Match[], length: number): [number, number] {
  let best = { start: 0, distinct: 0, count: 0 };
  const inside = new Map<string, number>();
  let last = 0;
  for (let first = 0; first < matches.length; first++) {
    const from = matches[first]!.start;
    while (last < matches.length && matches[last]!.end <= from + length) {
      const { term } = matches[last++]!;
      inside.set(term, (inside.get(term) ?? 0) + 1);
    }
    const candidate = { start: from, distinct: inside.size, count: last - first };
    if (
      candidate.distinct > best.distinct ||
      (candidate.distinct === best.distinct && candidate.count > best.count)
    ) {
      best = candidate;
    }
    if (last <= first) {
      last = first + 1; // a single match wider than the window
      continue;
    }
    const { term } = matches[first]!;
    const left = (inside.get(term) ?? 1) - 1;
    if (left > 0) inside.set(term, left);
    else inside.delete(term);
  }
  // The words before the first match give it context; a passage that fits is shown whole.
  const start =
    text.length <= length ? 0 : Math.max(0, Math.min(lineStart(text, best.start), text.length - length));
  return [start, Math.min(text.length, start + length)];
}

/** Start of the line, or of a sentence-sized lead-in when the line is long. */
function lineStart(text: string, at: number): number {
  const newline = text.lastIndexOf('\n', at - 1) + 1;
  return at - newline <= 80 ? newline : at - 80;
}

/** Moves both ends to word borders and off blank space. */
function trim(text: string, start: number, end: number): [number, number] {
  if (start > 0 && !isSpace(text[start - 1])) {
    const space = text.slice(start, start + 40).search(/\s/u);
    if (space >= 0) start += space;
    else if (isLowSurrogate(text, start)) start++;
  }
  if (end < text.length && !isSpace(text[end])) {
    const cut = text.slice(0, end).search(/\s\S*$/u);
    if (cut > start && end - cut <= 40) end = cut;
    else if (isLowSurrogate(text, end)) end--;
  }
  while (start < end && isSpace(text[start])) start++;
  while (end > start && isSpace(text[end - 1])) end--;
  return [start, end];
}

function isSpace(character: string | undefined): boolean {
  return character !== undefined && /\s/u.test(character);
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
