/** Finds the words of a query in a text. */
import type { ParsedQuery, QueryTerm } from '../model/query.ts';
import { analyze } from '../text/analyze.ts';
import type { Stretch } from '../text/lines.ts';
import type { Tokenizer } from '../text/token.ts';

export interface Match {
  /** The matched query terms, as in the index: for `getUserById`, the whole name and its parts that are in the query. */
  readonly terms: readonly string[];
  /** UTF-16 offsets: start inclusive, end exclusive. */
  readonly start: number;
  readonly end: number;
}

export type FindMatches = (text: string) => Match[];

/**
 * Makes a function that finds the words of a query. Nested matches (`getUser`, `user`) become one match as wide as the widest.
 * @param tokenize the tokenizer that indexed the texts. @default `analyze`
 */
export function matchFinder(
  { terms }: Pick<ParsedQuery, 'terms'>,
  tokenize: Tokenizer = analyze,
): FindMatches {
  const exact = new Map<string, string>();
  for (const { term, forms = [], spellings, prefix } of terms)
    if (!prefix) for (const word of [term, ...forms, ...(spellings?.terms ?? [])]) exact.set(word, term);
  const prefixes = terms.filter((term) => term.prefix).map((term) => term.term);
  const stretchesIn = stretchFinder([...exact.keys(), ...prefixes]);
  return (text) => {
    const phrases = phraseFinder(terms);
    const matches: { terms: string[]; start: number; end: number }[] = [];
    const note = (term: string, start: number, end: number) => {
      const match = { terms: [term], start, end };
      for (let last = matches.at(-1); last && match.start < last.end; last = matches.at(-1)) {
        matches.pop();
        match.terms.unshift(...last.terms);
        match.start = Math.min(match.start, last.start);
        match.end = Math.max(match.end, last.end);
      }
      matches.push(match);
    };
    const read = (from: number, to: number) =>
      tokenize(text.slice(from, to), (word, position, start, end) => {
        let term = exact.get(word);
        if (prefixes.length > 0) term ??= prefixes.find((prefix) => word.startsWith(prefix));
        if (term !== undefined) note(term, from + start, from + end);
        for (const found of phrases?.(word, position, from + start) ?? [])
          note(found.term, found.start, from + end);
      });
    if (phrases || tokenize !== analyze || NOT_ASCII.test(text)) read(0, text.length);
    else for (const [from, to] of stretchesIn(text)) read(from, to);
    return matches;
  };
}

const NOT_ASCII = /[^\0-\x7f]/;

/**
 * Makes a function that finds the stretches between white space that may hold one of the terms. A regular expression for the first
 * letters of the terms is much faster than reading every word. In an ASCII text, `analyze` finds the same terms in a stretch as in
 * the whole text. See docs/decisions/0074-native-matches.md.
 * @param terms terms of `analyze`, or beginnings of words
 */
function stretchFinder(terms: readonly string[]): (text: string) => Iterable<Stretch> {
  if (terms.length === 0) return () => [];
  const pattern = new RegExp([...new Set(terms.flatMap(beginnings))].join('|'), 'gi');
  return function* (text) {
    pattern.lastIndex = 0;
    for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
      let from = found.index;
      let to = pattern.lastIndex;
      // No word begins between two small letters.
      if (isSmall(text, from) && isSmall(text, from - 1)) {
        pattern.lastIndex = from + 1;
        continue;
      }
      while (from > 0 && !isSpace(text, from - 1)) from--;
      while (to < text.length && !isSpace(text, to)) to++;
      yield [from, to];
      pattern.lastIndex = to;
    }
  };
}

function isSmall(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 97 && unit <= 122;
}

function isSpace(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit === 32 || (unit >= 9 && unit <= 13);
}

/**
 * Returns patterns for the first letters of a term. Every word with this term matches at least one pattern: word and term can
 * differ only in the last letter of the term and in what follows it. The exception is `dying`, whose term is `die`: the prefix `di`
 * finds it, too.
 */
function beginnings(term: string): readonly string[] {
  const written = [term.slice(0, term.length > 3 ? 3 : 2), ...(/^.ie?$/.test(term) ? [`${term[0]}y`] : [])];
  // Matches every word with an apostrophe: `d'accord` has the term `daccord`, but does not begin with `dac`.
  return [...written.map((letters) => letters.replaceAll(/[^a-z0-9]/gi, '\\$&')), "'"];
}

/** Makes a function that receives every word in order of position and returns the phrases that end with this word. */
function phraseFinder(terms: readonly QueryTerm[]) {
  const all = terms.flatMap(({ term, variants = [] }) => variants.map((phrase) => ({ term, phrase })));
  if (all.length === 0) return undefined; // the usual case
  /**
   * For each word of each phrase: the last match of the phrase up to this word. `position` is the position of the last word in the
   * match, `start` the offset of the first.
   */
  const open = all.map(({ phrase }) => phrase.map(() => ({ position: -1, start: 0 })));
  return (word: string, position: number, start: number): readonly { term: string; start: number }[] =>
    all.flatMap(({ term, phrase }, which) => {
      const places = open[which]!;
      for (let at = phrase.length - 1; at >= 0; at--) {
        const before = places[at - 1];
        const distance = phrase[at]!.position - (phrase[at - 1]?.position ?? 0);
        if (phrase[at]!.term !== word || (before && before.position !== position - distance)) continue;
        const place = { position, start: before?.start ?? start };
        places[at] = place;
        if (at === phrase.length - 1) return [{ term, start: place.start }];
      }
      return [];
    });
}
