/** Chooses the lines shown under a hit: lines of the matching code block, or lines around the words of the query. */
import { lineInChunk } from '../model/chunk.ts';
import type { Snippet } from '../model/hit.ts';
import type { ParsedQuery } from '../model/query.ts';
import type { ChunkRecord } from '../ports.ts';
import { codeQueryTerms } from '../query/code.ts';
import { languageFilter } from '../query/filter.ts';
import { findMatches } from '../rank/find-matches.ts';
import { codeStretches, matchingCode } from '../rank/matching-code.ts';
import { snippet } from '../rank/snippet.ts';
import { chooseAnalyzers } from '../text/analyzer.ts';
import type { Tokenizer } from '../text/token.ts';
import type { Candidate, SearchServices, SearchState } from './state.ts';

interface ShownCode {
  readonly snippet: Snippet;
  /** Language of the matching block if it names one, else of the first block that does. */
  readonly codeLanguage?: string;
}

/** Makes snippets. Everything that is the same for all hits of a search is prepared once. */
export function snippetMaker(
  state: SearchState,
  { analyzers = chooseAnalyzers() }: Pick<SearchServices, 'analyzers'>,
): (candidate: Candidate, chunk: ChunkRecord, collection: string) => ShownCode {
  const { query, filters } = state.request;
  const codeTerms = codeQueryTerms(query.plain);
  const accepts = [languageFilter(filters), languageFilter(query.filters)].filter(
    (test) => test !== undefined,
  );
  const idf = state.found.lanes.keyword?.idf;
  // A word that the keyword lane does not score has no idf; it still gets a small weight.
  const weigh = idf && ((term: string) => idf.get(term) || MIN_WEIGHT);
  return (candidate, chunk, collection) => {
    const blocks = chunk.codeBlocks.filter(({ language }) => accepts.every((test) => test([language])));
    const matched = state.found.lanes.code?.scores[candidate.place]
      ? matchingCode(blocks, codeTerms)
      : undefined;
    const language = matched?.language || blocks.find((block) => block.language)?.language;
    const codeBlocks = codeStretches(chunk);
    const code = isFoundByCode(candidate, state)
      ? codeBlocks.find(({ block }) => block === matched)?.content
      : undefined;
    const { tokenize } = analyzers.of(collection);
    const options = { code, codeBlocks, tokenize, ...(weigh ? { weigh } : {}) };
    const { start, ...cut } = snippet(chunk.text.slice(chunk.overlap), query, options);
    return {
      snippet: { ...cut, startLine: lineInChunk(chunk, chunk.overlap + start) },
      ...(language ? { codeLanguage: language } : {}),
    };
  };
}

const MIN_WEIGHT = 0.01;

/** Whether no other lane scores the passage higher than the code lane. */
function isFoundByCode({ place }: Candidate, { lanes }: SearchState): boolean {
  const best = lanes.code?.relative[place];
  return best !== undefined && Object.values(lanes).every(({ relative }) => relative[place]! <= best);
}

/**
 * Returns the chunk as a hit shows it. The overlap is shown only if a word of the query occurs nowhere else in the chunk: the
 * keyword index also has the words of the overlap, so the chunk may have been found by this word.
 */
export function withMatchedOverlap(chunk: ChunkRecord, query: ParsedQuery, tokenize: Tokenizer): ChunkRecord {
  const { text, overlap } = chunk;
  const termsIn = (part: string) => findMatches(part, query, tokenize).flatMap(({ terms }) => terms);
  const said = overlap > 0 ? termsIn(text.slice(0, overlap)) : [];
  if (said.length === 0) return chunk;
  const others = new Set(termsIn(text.slice(overlap)));
  return said.every((term) => others.has(term)) ? chunk : { ...chunk, overlap: 0 };
}
