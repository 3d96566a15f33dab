/** Where the words of a query stand in a text. */
import type { ParsedQuery, QueryTerm } from '../model/query.ts';
import { analyze } from '../text/analyze.ts';

export interface Match {
  /** The query's terms it holds, as in the index: of `getUserById` the whole and the parts that were asked for. */
  readonly terms: readonly string[];
  /** UTF-16 offsets: start inclusive, end exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Matched words in text order; nested ones (`getUser`, `user`) are one match as wide as the widest. */
export function findMatches(text: string, { terms }: Pick<ParsedQuery, 'terms'>): Match[] {
  const exact = new Map(terms.filter((term) => !term.prefix).flatMap(readings));
  const prefixes = terms.filter((term) => term.prefix).map((term) => term.term);
  const matches: { terms: string[]; start: number; end: number }[] = [];
  analyze(text, (word, _position, start, end) => {
    const term = exact.get(word) ?? prefixes.find((prefix) => word.startsWith(prefix));
    if (term === undefined) return;
    const last = matches.at(-1);
    if (last && start < last.end) {
      last.terms.push(term);
      last.start = Math.min(start, last.start);
      last.end = Math.max(end, last.end);
    } else matches.push({ terms: [term], start, end });
  });
  return matches;
}

/** A term under its own name and under those of its spellings. */
function readings({ term, spellings }: QueryTerm): readonly (readonly [word: string, term: string])[] {
  return [[term, term], ...(spellings?.terms ?? []).map((word) => [word, term] as const)];
}
