/** Adds words of equal meaning to the scored terms of a query. */
import type { ParsedQuery, QueryTerm } from '../model/query.ts';
import { type Analyzer, AUTO_ANALYZER } from '../text/analyzer.ts';
import { readTokens, withTerms } from './terms.ts';

/** How many synonyms a word gets at most. */
const MAX_SYNONYMS = 2;

/**
 * The query with at most two synonyms for each of its words, each scored with `weight` of a full term; a synonym that
 * the query says itself adds nothing. Prefixes and names in fields have none.
 * @param weight 0–1
 * @param analyzers of the languages the documents are in. @default `AUTO_ANALYZER` alone
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
      .map((word) => asTerm(word, analyzers))
      .filter((term) => term !== undefined && !said.has(term.term))
      .slice(0, MAX_SYNONYMS);
    for (const term of fresh) {
      if (term === undefined || said.has(term.term)) continue;
      said.add(term.term);
      added.push({ ...term, weight, standsFor });
    }
  }
  return withTerms(query, [...query.terms, ...added]);
}

/** A synonym of one word as the index knows it; undefined for a stop word or a compound. */
function asTerm(word: string, analyzers: readonly Analyzer[]): QueryTerm | undefined {
  const tokens = readTokens(word, analyzers);
  const [only] = tokens;
  if (tokens.length !== 1 || !only || only.isStopWord) return undefined;
  return { term: only.term, surface: word, prefix: false, ...(only.forms && { forms: only.forms }) };
}
