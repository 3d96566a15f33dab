/** Decides whether a hit shows the overlap its passage begins with. */
import type { ParsedQuery } from '../model/query.ts';
import type { ChunkRecord } from '../ports.ts';
import { findMatches } from '../rank/find-matches.ts';
import type { Tokenizer } from '../text/token.ts';

/** The keyword index counts the words of the overlap, so a word of the query that stands only there is shown with it. */
export function withMatchedOverlap(chunk: ChunkRecord, query: ParsedQuery, tokenize: Tokenizer): ChunkRecord {
  const { text, overlap } = chunk;
  if (overlap === 0) return chunk;
  const countIn = (part: string) =>
    new Set(findMatches(part, query, tokenize).flatMap(({ terms }) => terms)).size;
  return countIn(text) > countIn(text.slice(overlap)) ? { ...chunk, overlap: 0 } : chunk;
}
