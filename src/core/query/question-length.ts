/** How long a question is: where it is a paragraph, it is weighed otherwise than a few words. */
import type { ParsedQuery } from '../model/query.ts';

/**
 * Words of the question that count, stop words left out; of a script without spaces, whose terms are single characters and
 * pairs, a run is one word.
 */
export function questionLength({ terms, plain }: Pick<ParsedQuery, 'terms' | 'plain'>): number {
  const typed = terms.filter(({ standsFor }) => !standsFor).length;
  return Math.min(typed, plain.split(/\s+/u).filter(Boolean).length);
}
