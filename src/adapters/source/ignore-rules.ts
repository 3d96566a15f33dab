/** Matches rules of ignore files as git does. Time is at most proportional to length of pattern times length of path. */

export interface IgnoreRule {
  /** Whether the rule starts with `!`: a path that it matches is not ignored. */
  readonly isNegated: boolean;
  /**
   * Whether the rule matches the path itself. False if it matches only a folder above the path.
   * @param names segments of the path, relative to the folder of the ignore file
   */
  readonly hits: (names: readonly string[], isFolder: boolean) => boolean;
}

/**
 * Parses the rules of an ignore file. The last rule that matches a path decides.
 *
 * Follows gitignore(5) and git's `wildmatch.c`; letter case matters. Unlike in git, `?` and `[…]` match a character, not a byte.
 * A malformed pattern, such as one with an unclosed `[`, matches nothing.
 */
export function ignoreRules(text: string): readonly IgnoreRule[] {
  return text.split('\n').flatMap((line) => readLine(withoutSpaces(line.replace(/\r$/, ''))) ?? []);
}

/** Removes spaces at the end, except an escaped space. */
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

/** A wildcard: `*` matches any number of characters in a name, `**` any number of names in a path. */
const MANY = Symbol('many');
type Many = typeof MANY;

/** Pattern of a name: a literal name, or parts. A part is a text or a test of one character code. */
type Name = string | readonly (Part | Many)[];
type Part = string | ((code: number) => boolean);

const isAny = () => true;

/** Parses a pattern into names and `**`; undefined if the pattern cannot match anything. */
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
      // A pattern that ends with a backslash matches nothing.
      if (at === chars.length) return undefined;
      if (chars[at] === '/') endName();
      else addText(chars[at]!);
    }
  }
  // `**` at the end matches everything inside a folder, but not the folder itself.
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

/**
 * Parses the set that opens at `start`. The first member may be `]`.
 * @returns `end` is the position of its `]`; undefined if the set is malformed or not closed
 */
function readSet(chars: readonly string[], start: number) {
  let at = start + 1;
  const isNegated = chars[at] === '!' || chars[at] === '^';
  if (isNegated) at++;
  const members: ((code: number) => boolean)[] = [];
  let close = -1;
  do {
    if (chars[at] === '[' && chars[at + 1] === ':') {
      // The found `]` is kept for every `[:` before it: a search for each `[:` would take quadratic time.
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
  return { accepts: (code: number) => members.some((accepts) => accepts(code)) !== isNegated, end: at };
}

/** Character classes such as `[:alpha:]`, as in git: only ASCII, and `space` has only these four characters. */
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
  // In a pattern without a slash, `**` means `*`.
  if (pattern === MANY) return true;
  return fits(pattern, name.length, (part, at) => {
    if (typeof part === 'string') return name.startsWith(part, at) ? part.length : 0;
    const code = name.codePointAt(at)!;
    // The second half of a surrogate pair is not a character.
    if (code >= 0xdc00 && code < 0xe000) return 0;
    return part(code) ? (code > 0xffff ? 2 : 1) : 0;
  });
}

/**
 * Whether a pattern matches all of `length` positions. On a mismatch, only the last wildcard is extended. That is enough: the
 * parts before it already match at the earliest possible position.
 * @param take returns how many positions a part matches from a position on; 0 if it does not match
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
