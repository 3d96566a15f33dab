/** Decides whether a hit shows the overlap its passage begins with. */
import type { ParsedQuery } from '../model/query.ts';
import type { ChunkRecord } from '../ports.ts';
import { findMatches } from '../rank/find-matches.ts';
import type { Tokenizer } from '../text/token.ts';

/** The keyword index counts the words of the overlap, so a word of the query that stands only there is shown with it. */
export function withMatchedOverlap(chunk: ChunkRecord, query: ParsedQuery, tokenize: Tokenizer): ChunkRecord {
  const { text, overlap } = chunk;
  const termsIn = (part: string) => findMatches(part, query, tokenize).flatMap(({ terms }) => terms);
  const said = overlap > 0 ? termsIn(text.slice(0, overlap)) : [];
  if (said.length === 0) return chunk;
  const others = new Set(termsIn(text.slice(overlap)));
  return said.every((term) => others.has(term)) ? chunk : { ...chunk, overlap: 0 };
}
