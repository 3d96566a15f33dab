/** Finds places where text may be cut: after sentences, after words, between graphemes. */
import { lazyConstant } from './lazy-constant.ts';

/** Abbreviations with a full stop that does not end a sentence. */
const ABBREVIATION = String.raw`(?:[Ii]\.e|[Ee]\.g|vs|[Cc]f|[Aa]pprox|Mrs?|Ms|Dr)\.|etc\.(?=["')\]]*\s+[a-z])|No\.(?=\s+\d)`;
/**
 * End of a sentence: marks such as a full stop, closing quotes, then white space; or a CJK full stop. A match must start at the
 * first of several marks, so a long run of marks takes linear time.
 */
const SENTENCE_END = new RegExp(
  String.raw`(?<![.!?…])[.!?…]+(?<!\b(?:${ABBREVIATION}))["'”’)\]*_]*\s+|[。！？｡]+["'”’」』）]*\s*`,
  'g',
);
/** End of a word: white space, or a CJK comma, colon or semicolon. */
const WORD_END = /\s+|[，、；：]+\s*/g;
const segmenter = lazyConstant(() => new Intl.Segmenter('und', { granularity: 'grapheme' }));

/** Yields the offsets between `start` and `end`, both exclusive, where a sentence begins, in order. */
export const sentenceBoundaries = boundariesAfter(SENTENCE_END);

/** Yields the offsets between `start` and `end`, both exclusive, where a word begins, in order. */
export const wordBoundaries = boundariesAfter(WORD_END);

/** Yields the offsets between `start` and `end`, both exclusive, where a line begins, in order. */
export function* lineBoundaries(text: string, start: number, end: number): Generator<number> {
  for (let at = text.indexOf('\n', start); at !== -1 && at + 1 < end; at = text.indexOf('\n', at + 1))
    yield at + 1;
}

/**
 * Returns the last grapheme boundary at or before `limit`. `from` must be a grapheme boundary.
 * If the first grapheme ends after `limit`, it is cut between code points.
 */
export function lastGraphemeBoundary(text: string, from: number, limit: number): number {
  if (limit >= text.length) return text.length;
  if (isPlain(text.charCodeAt(limit - 1)) && isPlain(text.charCodeAt(limit))) return limit;
  let boundary = from;
  // Read two units past `limit`: they decide whether `limit` is a boundary.
  for (const { index } of segmenter().segment(text.slice(from, limit + 2))) {
    if (from + index > limit) break;
    boundary = from + index;
  }
  if (boundary > from) return boundary;
  if (!splitsPair(text, limit)) return limit;
  return limit - 1 > from ? limit - 1 : limit + 1;
}

/** Returns the first grapheme boundary at or after `earliest`, else `end`. `from` and `end` must be grapheme boundaries. */
export function firstGraphemeBoundary(text: string, from: number, earliest: number, end: number): number {
  for (const { index } of segmenter().segment(text.slice(from, end)))
    if (from + index >= earliest) return from + index;
  return end;
}

/** Whether a place after white space or punctuation is a grapheme boundary. False if a combining character follows. */
export function isGraphemeBoundary(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length || isPlain(text.charCodeAt(at))) return true;
  const [first] = segmenter().segment(text.slice(at - 1, at + 2));
  return first?.segment.length === 1;
}

/** Cuts a text to at most `maxLength` UTF-16 units, between code points. */
export function clip(text: string, maxLength: number): string {
  return text.length <= maxLength
    ? text
    : text.slice(0, splitsPair(text, maxLength) ? maxLength - 1 : maxLength);
}

function boundariesAfter(ending: RegExp) {
  return function* (text: string, start: number, end: number): Generator<number> {
    for (const match of text.slice(start, end).matchAll(ending)) {
      const boundary = start + match.index + match[0].length;
      if (boundary < end && isGraphemeBoundary(text, boundary)) yield boundary;
    }
  };
}

/**
 * Whether a unit is Latin up to U+02FF, kana or Han. Two of these next to each other never form one grapheme, except CR LF, which
 * documents do not contain.
 */
function isPlain(unit: number): boolean {
  return (
    unit < 0x300 ||
    (unit >= 0x3041 && unit <= 0x3096) ||
    (unit >= 0x30a1 && unit <= 0x30fa) ||
    (unit >= 0x3400 && unit <= 0x9fff)
  );
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
