/** Takes apart what is more than one word: joined (`std::string_view`) or written in humps (`getUser`). */
import { humps, isWord, nameSuffixWidth } from './names.ts';
import type { TermLookup } from './term-cache.ts';
import type { TokenizerRules, VisitRoleToken } from './token.ts';
import { endOfWord, isIndexed, MAX_TERM_LENGTH } from './words.ts';

/** More humps than this are noise (base64, generated names), not words. */
const MAX_HUMPS = 12;

/** Rules with the lookup of terms that one tokenizer keeps. */
export interface ReadingRules extends TokenizerRules {
  readonly termAt: TermLookup;
}

interface Piece {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

/** A stretch between joiners, with its humps (`getUser` has two). */
type Segment = Piece & { readonly parts: readonly Piece[] };

/** Segments under tight joiners: `string_view` within `std::string_view`. */
interface Group {
  readonly whole?: Piece;
  readonly segments: readonly Segment[];
}

/** Words that belong together, as deep as they nest: whole, groups, segments, parts. */
export interface Compound {
  readonly whole?: Piece;
  readonly groups: readonly Group[];
  /** End of the last word: what `wholeEnd` adds is no part of it. */
  readonly end: number;
}

/** Reads the compound whose first word begins at `start`. */
export function readCompound(text: string, start: number, rules: ReadingRules): Compound {
  const groups: Segment[][] = [[]];
  let from = start;
  for (let count = 1; ; count++) {
    const wordEnd = endOfWord(text, from);
    const end = wordEnd + nameSuffixWidth(text, from, wordEnd);
    groups.at(-1)!.push(readSegment(text, from, end, rules));
    const width = rules.joinerWidth(text, end);
    // `C++20` goes on without a joiner; an endless chain is read in stretches.
    const goesOn = width > 0 || (end > wordEnd && isWord(text, end));
    if (!goesOn || count === MAX_TERM_LENGTH) return joinGroups(text, start, end, groups, rules);
    if (width > 0 && !rules.isTight(text, end)) groups.push([]);
    from = end + width;
  }
}

function joinGroups(
  text: string,
  start: number,
  end: number,
  groups: readonly (readonly Segment[])[],
  rules: ReadingRules,
): Compound {
  const wholeStart = rules.wholeStart(text, start);
  const wholeEnd = rules.wholeEnd(text, end);
  const isOneSegment = groups.length === 1 && groups[0]!.length === 1;
  const isWhole = !isOneSegment || wholeStart < start || wholeEnd > end;
  return {
    ...readWhole(text, wholeStart, wholeEnd, isWhole, rules),
    groups: groups.map((segments) => ({
      ...readWhole(
        text,
        segments[0]!.start,
        segments.at(-1)!.end,
        groups.length > 1 && segments.length > 1,
        rules,
      ),
      segments,
    })),
    end,
  };
}

function readWhole(
  text: string,
  start: number,
  end: number,
  isWhole: boolean,
  rules: ReadingRules,
): { readonly whole?: Piece } {
  return isWhole && end - start <= MAX_TERM_LENGTH ? { whole: readPiece(text, start, end, rules) } : {};
}

function readSegment(text: string, start: number, end: number, rules: ReadingRules): Segment {
  const piece = readPiece(text, start, end, rules);
  const bounds = end - start > MAX_TERM_LENGTH ? [] : humps(text, start, end, rules.splitDigits);
  if (bounds.length === 0 || bounds.length >= MAX_HUMPS) return { ...piece, parts: [piece] };
  const starts = [start, ...bounds];
  return {
    ...piece,
    parts: starts.map((from, hump) => readPiece(text, from, starts[hump + 1] ?? end, rules)),
  };
}

function readPiece(text: string, start: number, end: number, rules: ReadingRules): Piece {
  return { term: rules.termAt(text, start, end), start, end };
}

/** Visits wholes and parts; every part has a position, indexed or not, so that distances stay true. */
export function visitCompound({ whole, groups }: Compound, position: number, visit: VisitRoleToken): number {
  const visitWhole = ({ term, start, end }: Piece, isComplete: boolean) =>
    visit(term, position, start, end, isComplete ? 'compound' : 'word');
  if (whole) visitWhole(whole, groups.every(isGroupComplete));
  for (const group of groups) {
    if (group.whole) visitWhole(group.whole, isGroupComplete(group));
    for (const segment of group.segments) {
      if (segment.parts.length > 1) visitWhole(segment, isSegmentComplete(segment));
      for (const part of segment.parts) {
        if (isIndexed(part.term)) visit(part.term, position, part.start, part.end, 'word');
        position += 1;
      }
    }
  }
  return position;
}

function isGroupComplete({ segments }: Group): boolean {
  return segments.every(isSegmentComplete);
}

/** Whether all its parts are visited. */
function isSegmentComplete({ parts }: Segment): boolean {
  return parts.every(({ term }) => isIndexed(term));
}
