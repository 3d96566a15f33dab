/** Splits compounds into parts: words with joiners (`std::string_view`) and camelCase words (`getUser`). */
import { humps, isWord, nameSuffixWidth } from './names.ts';
import type { TermLookup } from './term-cache.ts';
import type { TokenizerRules, VisitRoleToken } from './token.ts';
import { endOfWord, isIndexed, MAX_TERM_LENGTH } from './words.ts';

/** Max number of humps: `getUser` has two. A word with more humps is noise (base64, generated names) and is not split. */
const MAX_HUMPS = 12;

/** The rules of a tokenizer, with its cache of terms. */
export interface ReadingRules extends TokenizerRules {
  readonly termAt: TermLookup;
}

interface Part {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

/** A word between joiners, split into humps. */
type Segment = readonly Part[];

/**
 * Visits the compound whose first word begins at `start`: the whole, its groups (see `readGroups`), and its parts at consecutive
 * positions. Every part takes a position, even if it is not indexed, so that distances between words stay correct.
 * @returns the end of the last word, not moved by `wholeEnd`, and the next position
 */
export function visitCompound(
  text: string,
  start: number,
  firstPosition: number,
  rules: ReadingRules,
  visit: VisitRoleToken,
): [end: number, position: number] {
  const groups = readGroups(text, start, rules);
  const end = endOf(groups.at(-1)!);
  let position = firstPosition;
  const visitWhole = (from: number, to: number, segments: readonly Segment[]) => {
    if (to - from > MAX_TERM_LENGTH) return;
    const areAllVisited = segments.every((parts) => parts.every(({ term }) => isIndexed(term)));
    visit(rules.termAt(text, from, to), position, from, to, areAllVisited ? 'compound' : 'word');
  };

  const wholeStart = rules.wholeStart(text, start);
  const wholeEnd = rules.wholeEnd(text, end);
  const isJoined = groups.length > 1 || groups[0]!.length > 1;
  if (isJoined || wholeStart < start || wholeEnd > end) visitWhole(wholeStart, wholeEnd, groups.flat());
  for (const segments of groups) {
    if (groups.length > 1 && segments.length > 1)
      visitWhole(segments[0]![0]!.start, endOf(segments), segments);
    for (const parts of segments) {
      if (parts.length > 1) visitWhole(parts[0]!.start, endOf([parts]), [parts]);
      for (const { term, start, end } of parts) {
        if (isIndexed(term)) visit(term, position, start, end, 'word');
        position += 1;
      }
    }
  }
  return [end, position];
}

/**
 * Reads the segments in groups. A tight joiner keeps segments in one group: `std::string_view` has the groups `std` and
 * `string_view`.
 */
function readGroups(text: string, start: number, rules: ReadingRules): readonly (readonly Segment[])[] {
  const groups: Segment[][] = [[]];
  let from = start;
  for (let count = 1; ; count++) {
    const wordEnd = endOfWord(text, from);
    const end = wordEnd + nameSuffixWidth(text, from, wordEnd);
    groups.at(-1)!.push(readSegment(text, from, end, rules));
    const width = rules.joinerWidth(text, end);
    // `C++20` continues without a joiner. A very long chain is read in several compounds.
    const goesOn = width > 0 || (end > wordEnd && isWord(text, end));
    if (!goesOn || count === MAX_TERM_LENGTH) return groups;
    if (width > 0 && !rules.isTight(text, end)) groups.push([]);
    from = end + width;
  }
}

function readSegment(text: string, start: number, end: number, rules: ReadingRules): Segment {
  const bounds = end - start > MAX_TERM_LENGTH ? [] : humps(text, start, end, rules.splitDigits);
  const starts = bounds.length < MAX_HUMPS ? [start, ...bounds] : [start];
  return starts.map((from, hump) => {
    const to = starts[hump + 1] ?? end;
    return { term: rules.termAt(text, from, to), start: from, end: to };
  });
}

function endOf(segments: readonly Segment[]): number {
  return segments.at(-1)!.at(-1)!.end;
}
