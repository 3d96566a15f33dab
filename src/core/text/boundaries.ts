/** Places where text may be cut: after sentences, after words, between graphemes, at blanks. */

/** With its full stop, which ends no sentence. */
const ABBREVIATION = String.raw`(?:[Ii]\.e|[Ee]\.g|vs|[Cc]f|[Aa]pprox|Mrs?|Ms|Dr)\.|etc\.(?=["')\]]*\s+[a-z])|No\.(?=\s+\d)`;
/**
 * End of a sentence: a full stop and its quotes before white space, or a CJK full stop.
 * Matches start only at the head of a run of marks, which keeps long runs linear.
 */
const SENTENCE_END = new RegExp(
  String.raw`(?<![.!?…])[.!?…]+(?<!\b(?:${ABBREVIATION}))["'”’)\]*_]*\s+|[。！？｡]+["'”’」』）]*\s*`,
  'g',
);
/** White space, or the smaller marks of scripts written without it. */
const WORD_END = /\s+|[，、；：]+\s*/g;
const SEGMENTER = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Offsets in a stretch at which a sentence begins, in order, its two ends left out. */
export function* sentenceBoundaries(text: string, start: number, end: number): Generator<number> {
  yield* boundariesAfter(SENTENCE_END, text, start, end);
}

/** Offsets in a stretch at which a word begins, in order, its two ends left out. */
export function* wordBoundaries(text: string, start: number, end: number): Generator<number> {
  yield* boundariesAfter(WORD_END, text, start, end);
}

/**
 * The last place at or before `limit` that cuts no grapheme; `from` must be such a place itself.
 * A grapheme longer than the whole stretch is cut between code points.
 */
export function lastGraphemeBoundary(text: string, from: number, limit: number): number {
  if (limit >= text.length) return text.length;
  if (isPlain(text.charCodeAt(limit - 1)) && isPlain(text.charCodeAt(limit))) return limit;
  let boundary = from;
  // Two units more than asked for: what follows decides whether `limit` itself is a boundary.
  for (const { index } of SEGMENTER.segment(text.slice(from, limit + 2))) {
    if (from + index > limit) break;
    boundary = from + index;
  }
  if (boundary > from) return boundary;
  if (!splitsPair(text, limit)) return limit;
  return limit - 1 > from ? limit - 1 : limit + 1;
}

/** The first place at or after `earliest` that cuts no grapheme, else `end`; `from` and `end` must be such places. */
export function firstGraphemeBoundary(text: string, from: number, earliest: number, end: number): number {
  for (const { index } of SEGMENTER.segment(text.slice(from, end)))
    if (from + index >= earliest) return from + index;
  return end;
}

/** Whether a place after white space or punctuation lies between graphemes: it does unless a combining character follows. */
export function isGraphemeBoundary(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length || isPlain(text.charCodeAt(at))) return true;
  const [first] = SEGMENTER.segment(text.slice(at - 1, at + 2));
  return first?.segment.length === 1;
}

/** The beginning of a text that is longer, cut between code points. */
export function clip(text: string, maxLength: number): string {
  return text.length <= maxLength
    ? text
    : text.slice(0, splitsPair(text, maxLength) ? maxLength - 1 : maxLength);
}

function* boundariesAfter(ending: RegExp, text: string, start: number, end: number): Generator<number> {
  for (const match of text.slice(start, end).matchAll(ending)) {
    const boundary = start + match.index + match[0].length;
    if (boundary < end && isGraphemeBoundary(text, boundary)) yield boundary;
  }
}

/** Latin up to U+02FF, kana and Han: characters that never join a neighbour of their kind; documents hold no CR LF. */
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
