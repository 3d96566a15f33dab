/**
 * Tokenizes each text once. Most texts are indexed twice, for the passage and for its document, and a title is indexed for every
 * passage.
 */
import type { Tokenizer, TokenRole } from './token.ts';

interface Tokens {
  readonly terms: string[];
  /** Position, start and end of each term. */
  readonly places: number[];
  readonly roles: TokenRole[];
  length: number;
}

/** Max UTF-16 units of all texts whose tokens are kept; the tokens take about 20 MB. Later texts are tokenized each time. */
const MAX_KEPT = 1_500_000;

export function rememberTokens(tokenize: Tokenizer, maxKept = MAX_KEPT): Tokenizer {
  const known = new Map<string, Tokens>();
  let kept = 0;

  function read(text: string): Tokens {
    const tokens: Tokens = { terms: [], places: [], roles: [], length: 0 };
    tokens.length = tokenize(text, (term, position, start, end, role) => {
      tokens.terms.push(term);
      tokens.places.push(position, start, end);
      tokens.roles.push(role);
    });
    known.set(text, tokens);
    kept += text.length;
    return tokens;
  }

  return (text, visit) => {
    const tokens = known.get(text) ?? (kept < maxKept ? read(text) : undefined);
    if (!tokens) return tokenize(text, visit);
    const { terms, places, roles, length } = tokens;
    for (let index = 0, at = 0; index < terms.length; index++, at += 3)
      visit(terms[index]!, places[at]!, places[at + 1]!, places[at + 2]!, roles[index]!);
    return length;
  };
}
