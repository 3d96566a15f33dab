/** Tokenizes each text once: of what an index takes in, most is read for the passage and for its document, and titles for every passage. */
import type { Tokenizer, TokenRole } from './token.ts';

interface Tokens {
  readonly terms: string[];
  /** Position, start and end of each term. */
  readonly places: number[];
  readonly roles: TokenRole[];
  length: number;
}

/** Keeps all texts it was given, so it should not live long. */
export function rememberTokens(tokenize: Tokenizer): Tokenizer {
  const known = new Map<string, Tokens>();

  function read(text: string): Tokens {
    const tokens: Tokens = { terms: [], places: [], roles: [], length: 0 };
    tokens.length = tokenize(text, (term, position, start, end, role) => {
      tokens.terms.push(term);
      tokens.places.push(position, start, end);
      tokens.roles.push(role);
    });
    known.set(text, tokens);
    return tokens;
  }

  return (text, visit) => {
    const { terms, places, roles, length } = known.get(text) ?? read(text);
    for (let index = 0, at = 0; index < terms.length; index++, at += 3)
      visit(terms[index]!, places[at]!, places[at + 1]!, places[at + 2]!, roles[index]!);
    return length;
  };
}
