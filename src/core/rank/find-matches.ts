/** Where the words of a query stand in a text. */
import type { ParsedQuery } from '../model/query.ts';
import { analyze } from '../text/analyze.ts';

export interface Match {
  /** The query's term, as in the index. */
  readonly term: string;
  /** UTF-16 offsets: start inclusive, end exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Matched words in text order; of nested ones (`getUser`, `user`) only the widest. */
export function findMatches(text: string, { terms }: Pick<ParsedQuery, 'terms'>): Match[] {
  const exact = new Set(terms.filter((term) => !term.prefix).map((term) => term.term));
  const prefixes = terms.filter((term) => term.prefix).map((term) => term.term);
  const matches: Match[] = [];
  analyze(text, (word, _position, start, end) => {
    const term = exact.has(word) ? word : prefixes.find((prefix) => word.startsWith(prefix));
    if (term === undefined) return;
    const last = matches.at(-1);
    if (last && start < last.end) {
      if (end > last.end) matches[matches.length - 1] = { term, start: Math.min(start, last.start), end };
      return;
    }
    matches.push({ term, start, end });
  });
  return matches;
}
