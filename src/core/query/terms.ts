/** From the tokens of a query to its terms: each once with its count, without stop words unless there is nothing else. */
import type { QueryTerm } from '../model/query.ts';
import { isStopWord } from '../text/stopwords.ts';
import type { Tokenizer, TokenRole } from '../text/token.ts';

export interface Token {
  readonly term: string;
  readonly position: number;
  readonly end: number;
  readonly role: TokenRole;
  /** As typed. */
  readonly surface: string;
  readonly isStopWord: boolean;
}

/** A term that may be left out when others are kept. */
export interface Candidate {
  readonly term: QueryTerm;
  readonly isKept: boolean;
}

/** The tokens of a text as a list. */
export function collectTokens(text: string, tokenize: Tokenizer): readonly Token[] {
  const tokens: Token[] = [];
  tokenize(text, (term, position, start, end, role) => {
    const surface = text.slice(start, end);
    tokens.push({ term, position, end, role, surface, isStopWord: isStopWord(surface) });
  });
  return tokens;
}

/** The terms that are kept, or all when none is; the first of equal ones stands for all and counts them. */
export function selectTerms(candidates: readonly Candidate[]): readonly QueryTerm[] {
  const kept = candidates.filter((candidate) => candidate.isKept);
  const terms = new Map<string, QueryTerm>();
  for (const { term } of kept.length > 0 ? kept : candidates) {
    const key = `${term.field ?? ''}:${term.prefix}:${term.term}`;
    const same = terms.get(key);
    terms.set(key, same ? { ...same, count: (same.count ?? 1) + 1 } : term);
  }
  return [...terms.values()];
}
