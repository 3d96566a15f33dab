/** Adds words of equal meaning to the scored terms of a query. */
import type { ParsedQuery, QueryTerm } from '../model/query.ts';
import { type Analyzer, AUTO_ANALYZER } from '../text/analyzer.ts';
import { readTokens, withTerms } from './terms.ts';

/** Max number of synonyms for one word. */
const MAX_SYNONYMS = 2;

/**
 * Adds at most two synonyms for each word of a query, each scored with `weight`. Synonyms that are already in the query are not
 * added. Prefixes and words in fields get no synonyms.
 * @param weight score of a synonym as a share of the score of a typed word, 0–1
 * @param analyzers analyzers for the languages of the documents. @default `AUTO_ANALYZER` alone
 */
export function addSynonyms(
  query: ParsedQuery,
  synonymsOf: (word: string) => readonly string[],
  weight: number,
  analyzers: readonly Analyzer[] = [AUTO_ANALYZER],
): ParsedQuery {
  const said = new Set(query.terms.map(({ term }) => term));
  const added: QueryTerm[] = [];
  for (const { term: word, standsFor = [word], surface, prefix, field } of query.terms) {
    if (prefix || field !== undefined) continue;
    const fresh = synonymsOf(surface)
      .flatMap((word) => asTerm(word, analyzers) ?? [])
      .filter(({ term }) => !said.has(term))
      .slice(0, MAX_SYNONYMS);
    for (const term of fresh) {
      if (said.has(term.term)) continue;
      said.add(term.term);
      added.push({ ...term, weight, standsFor });
    }
  }
  return withTerms(query, [...query.terms, ...added]);
}

/** Makes the term of a synonym; undefined for a stop word or a compound. */
function asTerm(word: string, analyzers: readonly Analyzer[]): QueryTerm | undefined {
  const tokens = readTokens(word, analyzers);
  const [only] = tokens;
  if (tokens.length !== 1 || !only || only.isStopWord) return undefined;
  return { term: only.term, surface: word, prefix: false, ...(only.forms && { forms: only.forms }) };
}
