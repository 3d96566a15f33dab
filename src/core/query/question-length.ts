/** How long a question is: the longer, the more passages show what its answer looks like. */
import type { ParsedQuery } from '../model/query.ts';

/**
 * Words of the question that count, stop words left out. A name of several parts is one word, and so is a run of a script
 * without spaces, whose terms are single characters and pairs.
 */
export function questionLength({ terms, plain }: Pick<ParsedQuery, 'terms' | 'plain'>): number {
  const typed = terms.filter(({ standsFor }) => !standsFor).length;
  return Math.min(typed, plain.split(BETWEEN_WORDS).filter(Boolean).length);
}

/** Separators between names: spaces, commas, slashes, dashes but not hyphens. */
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}\p{Cf}\p{Pc}.:'’+#-]+/u;
