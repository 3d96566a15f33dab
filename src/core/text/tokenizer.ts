/** Splits text into index terms; rules decide what joins words into a compound and how a word becomes a term. */
import { fold } from './fold.ts';
import { classAt, MARK, UNSPACED, WORD, widthAt } from './scripts.ts';
import type { Tokenizer, TokenizerRules, VisitRoleToken } from './token.ts';
import {
  clipTerm,
  endOfWord,
  humps,
  isIndexed,
  isUpper,
  isWord,
  MAX_TERM_LENGTH,
  nameSuffixWidth,
  skipPossessive,
  termOf,
} from './words.ts';

/** Makes a tokenizer; its time is linear in the text. */
export function createTokenizer(rules: TokenizerRules): Tokenizer {
  const termAt = createTermCache((text, start, end) => termOf(text, start, end, rules));
  const reading = { ...rules, termAt };
  return (text, visit) => {
    let position = 0;
    let index = 0;
    while (index < text.length) {
      const kind = classAt(text, index);
      if (kind === WORD) {
        index += rules.elisionWidth(text, index);
        const end = endOfWord(text, index);
        if (isPlain(text, index, end, rules)) {
          const term = termAt(text, index, end);
          if (isIndexed(term)) visit(term, position, index, end, 'word');
          position += 1;
          index = skipPossessive(text, end);
        } else {
          [index, position] = visitCompound(text, index, position, reading, visit);
          index = skipPossessive(text, index);
        }
      } else if (kind === UNSPACED) {
        [index, position] = visitUnspaced(text, index, position, visit);
      } else {
        index += widthAt(text, index);
      }
    }
    return position;
  };
}

/** Visits each pair of neighbouring characters, and each single character, so that a query of one character matches too. */
function visitUnspaced(
  text: string,
  start: number,
  position: number,
  visit: VisitRoleToken,
): [index: number, position: number] {
  let from = start;
  let end = endOfCharacter(text, from);
  let character = clipTerm(fold(text.slice(from, end)));
  while (classAt(text, end) === UNSPACED) {
    const nextEnd = endOfCharacter(text, end);
    const next = clipTerm(fold(text.slice(end, nextEnd)));
    visit(character + next, position, from, nextEnd, 'word');
    visit(character, position, from, end, 'character');
    position += 1;
    from = end;
    end = nextEnd;
    character = next;
  }
  visit(character, position, from, end, from === start ? 'word' : 'character');
  return [end, position + 1];
}

function endOfCharacter(text: string, start: number): number {
  let end = start + widthAt(text, start);
  while (classAt(text, end) === MARK) end += widthAt(text, end);
  return end;
}

/** Whether a word is alone and whole: no joiner, no suffix as in `C++`, no camelCase. This common case allocates nothing. */
function isPlain(text: string, start: number, end: number, rules: TokenizerRules): boolean {
  if (rules.joinerWidth(text, end) > 0 || nameSuffixWidth(text, start, end) > 0) return false;
  if (rules.wholeStart(text, start) < start || rules.wholeEnd(text, end) > end) return false;
  for (let index = start + 1; index < end; index++) {
    const unit = text.charCodeAt(index);
    const isLowerAscii = unit >= 97 && unit <= 122;
    if (!isLowerAscii && (isUpper(text, index) || (rules.splitDigits && unit < 58))) return false;
  }
  return !(rules.splitDigits && text.charCodeAt(start) < 58);
}

/** Max number of humps: `getUser` has two. A word with more humps is noise (base64, generated names) and is not split. */
const MAX_HUMPS = 12;

interface ReadingRules extends TokenizerRules {
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
function visitCompound(
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
 * Reads the segments in groups. A tight joiner, such as `_`, continues a group; another joiner, such as `::`, begins a group:
 * `std::string_view` has the groups `std` and `string_view`.
 */
function readGroups(text: string, start: number, rules: ReadingRules): readonly (readonly Segment[])[] {
  const groups: Segment[][] = [[]];
  let from = start;
  for (let count = 1; ; count++) {
    const wordEnd = endOfWord(text, from);
    const end = wordEnd + nameSuffixWidth(text, from, wordEnd);
    groups.at(-1)!.push(readSegment(text, from, end, rules));
    const width = rules.joinerWidth(text, end);
    // After `C++`, the compound `C++20` continues without a joiner. A very long compound is read as several.
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

type TermLookup = (text: string, start: number, end: number) => string;

/** Number of words kept, a power of two; they take about 1 MB. */
const SIZE = 1 << 13;

/** Max length of a cached word. V8 copies slices up to this length; a longer slice would keep its whole text in memory. */
const MAX_LENGTH = 12;

/**
 * Caches the terms of recent words: most words of a text soon occur again, and a look-up is faster than stemming. Each word has
 * one place, and a new word replaces the word there. A hit allocates nothing.
 * @param make its result must depend only on the characters of the word
 */
export function createTermCache(make: TermLookup): TermLookup {
  const words: string[] = new Array(SIZE).fill('');
  const terms: string[] = new Array(SIZE).fill('');
  return (text, start, end) => {
    if (end - start > MAX_LENGTH) return make(text, start, end);
    let hash = end - start;
    for (let index = start; index < end; index++) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
    const place = (hash ^ (hash >>> 13)) & (SIZE - 1);
    if (isAt(words[place]!, text, start, end)) return terms[place]!;
    const term = make(text, start, end);
    words[place] = text.slice(start, end);
    terms[place] = term;
    return term;
  };
}

function isAt(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let index = start; index < end; index++) {
    if (word.charCodeAt(index - start) !== text.charCodeAt(index)) return false;
  }
  return true;
}
