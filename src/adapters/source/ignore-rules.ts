/** Lines of ignore files as git reads them: time grows with the lengths of pattern and path, never with their powers. */

/** A line with a pattern. */
export interface IgnoreRule {
  /** Whether it keeps what it hits. */
  readonly isNegated: boolean;
  /**
   * Whether the rule hits a path itself; one that hits a folder above it says nothing of the path.
   * @param names the path's, from the folder of the ignore file on
   */
  readonly hits: (names: readonly string[], isFolder: boolean) => boolean;
}

/**
 * The rules of an ignore file in order; the last that hits a path decides.
 *
 * As gitignore(5) and git's `wildmatch.c` have it, letter case as written, but `?` and `[…]` stand for a character where
 * git takes a byte. What git calls malformed, such as a `[` that is never closed, hits nothing.
 */
export function ignoreRules(text: string): readonly IgnoreRule[] {
  return text.split('\n').flatMap((line) => readLine(withoutSpaces(line.replace(/\r$/, ''))) ?? []);
}

/** Spaces at the end go, but not an escaped one. */
function withoutSpaces(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ') end--;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === '\\') backslashes++;
  return line.slice(0, backslashes % 2 === 1 ? end + 1 : end);
}

function readLine(line: string): IgnoreRule | undefined {
  if (line === '' || line.startsWith('#')) return undefined;
  const isNegated = line.startsWith('!');
  const asksFolder = line.endsWith('/');
  const written = line.slice(isNegated ? 1 : 0, asksFolder ? -1 : undefined);
  const pattern = readPattern(written.replace(/^\//, ''));
  if (!pattern) return undefined;
  const hits = written.includes('/')
    ? (names: readonly string[]) =>
        fits(pattern, names.length, (part, at) => (fitsName(part, names[at]!) ? 1 : 0))
    : (names: readonly string[]) => fitsName(pattern[0]!, names.at(-1)!);
  return { isNegated, hits: (names, isFolder) => (isFolder || !asksFolder) && hits(names) };
}

/** A star: matches any number of characters of a name, or of names of a path. */
const MANY = Symbol('many');
type Many = typeof MANY;

/** A name in full, or its parts: text, and tests for the code of one character. */
type Name = string | readonly (Part | Many)[];
type Part = string | ((code: number) => boolean);

const isAny = () => true;

/** The names of a pattern and `**`; undefined when it can hit nothing. */
function readPattern(written: string): readonly (Name | Many)[] | undefined {
  const chars = Array.from(written);
  const names: (Name | Many)[] = [];
  let parts: (Part | Many)[] = [];
  let hasDoubleStar = false;
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at]!;
    if (char === '[') {
      const set = readSet(chars, at);
      if (!set) return undefined;
      parts.push(set.accepts);
      at = set.end;
    } else if (char === '*') {
      if (parts.at(-1) === MANY) hasDoubleStar = true;
      else parts.push(MANY);
    } else if (char === '?') {
      parts.push(isAny);
    } else {
      if (char === '\\') at++;
      // A backslash at the end escapes nothing.
      if (at === chars.length) return undefined;
      if (chars[at] === '/') endName();
      else addText(chars[at]!);
    }
  }
  // Two stars at the end are all that is in a folder, not the folder.
  if (names.length > 0 && isDoubleStar()) return [...names, MANY, [MANY]];
  endName();
  return names;

  function isDoubleStar(): boolean {
    return hasDoubleStar && parts.length === 1;
  }

  function addText(char: string): void {
    const last = parts.at(-1);
    if (typeof last === 'string') parts[parts.length - 1] = last + char;
    else parts.push(char);
  }

  function endName(): void {
    const [first = ''] = parts;
    if (!isDoubleStar()) names.push(parts.length <= 1 && typeof first === 'string' ? first : parts);
    else if (names.at(-1) !== MANY) names.push(MANY);
    parts = [];
    hasDoubleStar = false;
  }
}

interface CharacterSet {
  readonly accepts: (code: number) => boolean;
  /** Where its `]` stands. */
  readonly end: number;
}

/** The set that opens at `start`, its first member taken whatever it is; undefined when it is never closed. */
function readSet(chars: readonly string[], start: number): CharacterSet | undefined {
  let at = start + 1;
  const isNegated = chars[at] === '!' || chars[at] === '^';
  if (isNegated) at++;
  const members: ((code: number) => boolean)[] = [];
  let close = -1;
  do {
    if (chars[at] === '[' && chars[at + 1] === ':') {
      // Looked for once, however many begin before it.
      if (close < at + 2) close = chars.indexOf(']', at + 2);
      if (close < 0) return undefined;
      if (close > at + 2 && chars[close - 1] === ':') {
        const kind = KINDS.get(chars.slice(at + 2, close - 1).join(''));
        if (!kind) return undefined;
        members.push((code) => kind.test(String.fromCodePoint(code)));
        at = close + 1;
        continue;
      }
    }
    if (chars[at] === '\\') at++;
    const low = chars[at++]?.codePointAt(0);
    if (low === undefined) return undefined;
    members.push((code) => code === low);
    if (chars[at] === '-' && at + 1 < chars.length && chars[at + 1] !== ']') {
      at += chars[at + 1] === '\\' ? 2 : 1;
      const high = chars[at++]?.codePointAt(0);
      if (high === undefined) return undefined;
      members.push((code) => low <= code && code <= high);
    }
  } while (at < chars.length && chars[at] !== ']');
  if (at >= chars.length) return undefined;
  return { accepts: (code) => members.some((accepts) => accepts(code)) !== isNegated, end: at };
}

/** `[:alpha:]` and the like, as git sees them: ASCII alone, and no spaces but these four. */
const KINDS: ReadonlyMap<string, RegExp> = new Map([
  ['alnum', /[0-9A-Za-z]/],
  ['alpha', /[A-Za-z]/],
  ['blank', /[ \t]/],
  ['cntrl', /[\0-\x1f\x7f]/],
  ['digit', /[0-9]/],
  ['graph', /[!-~]/],
  ['lower', /[a-z]/],
  ['print', /[ -~]/],
  ['punct', /[!-/:-@[-`{-~]/],
  ['space', /[ \t\n\r]/],
  ['upper', /[A-Z]/],
  ['xdigit', /[0-9A-Fa-f]/],
]);

function fitsName(pattern: Name | Many, name: string): boolean {
  if (typeof pattern === 'string') return pattern === name;
  // Two stars in a pattern without a slash are one.
  if (pattern === MANY) return true;
  return fits(pattern, name.length, (part, at) => {
    if (typeof part === 'string') return name.startsWith(part, at) ? part.length : 0;
    const code = name.codePointAt(at)!;
    // The second half of a surrogate pair is no character.
    if (code >= 0xdc00 && code < 0xe000) return 0;
    return part(code) ? (code > 0xffff ? 2 : 1) : 0;
  });
}

/**
 * Whether a pattern takes all of `length` places. Of the stars only the last met is ever widened, which is enough: what
 * stands before it fits where it ends first.
 * @param take how many places a part takes from a place on; 0 when it does not fit there
 */
function fits<T>(
  pattern: readonly (T | Many)[],
  length: number,
  take: (part: T, at: number) => number,
): boolean {
  let at = 0;
  let next = 0;
  let afterStar = -1;
  let starEnd = 0;
  while (at < length || next < pattern.length) {
    const part = pattern[next];
    if (part === MANY) {
      afterStar = ++next;
      starEnd = at;
      continue;
    }
    const taken = part === undefined || at === length ? 0 : take(part, at);
    if (taken > 0) {
      at += taken;
      next++;
    } else {
      if (afterStar < 0 || at === length || starEnd === length) return false;
      at = ++starEnd;
      next = afterStar;
    }
  }
  return true;
}
