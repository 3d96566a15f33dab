/** Stage: puts a page first if the query is exactly its file name or path, one of its headings, or one of its sentences. */

import type { LaneScores } from '../model/candidates.ts';
import { isWhole } from '../rank/lane-scale.ts';
import { codeStretches } from '../rank/matching-code.ts';
import { limitPerDocument } from '../rank/variety.ts';
import { analyze } from '../text/analyze.ts';
import { fold } from '../text/fold.ts';
import { headingLines } from '../text/heading-lines.ts';
import { headingName } from '../text/heading-path.ts';
import { plainWords, withoutNumber } from '../text/plain-words.ts';
import { classAt, SEPARATOR, UNSPACED } from '../text/scripts.ts';
import { looksLikePath, readTypedPath } from '../text/typed-path.ts';
import { bestFirst, type Candidate, limited, type SearchServices, type SearchState } from './state.ts';
import { trustRareWords } from './trust-hits.ts';

/** Kinds of exact match, from the weakest to the strongest: the last is lifted most. */
const KINDS = ['a sentence', 'a heading', 'the file name'] as const;
type Kind = (typeof KINDS)[number];

/** Minimum number of words of a query that is compared with sentences; a shorter query names a subject. */
const SENTENCE = 4;

/** Maximum number of candidates whose text is read. */
const READ = 20;

/**
 * Minimum confidence of an exact match. In a test of 150 such queries, made from three vaults, at least this share had
 * the right page as the first hit.
 */
const CONFIDENCE = 0.95;

/**
 * Lifts the best passage of each matching document, and raises the confidence of this passage. Reads the text only of
 * candidates that have all words of the query near each other, so only few queries read texts at all.
 */
export async function putExactFirst(given: SearchState, { retrieval }: SearchServices): Promise<SearchState> {
  if (!given.request.settings.exactFirstEnabled || given.request.hypothesis !== undefined) return given;
  const state = trustRareWords(given, { retrieval });
  const { candidates, found, request } = state;
  const { name, title, nearness, coverage, keyword } = found.lanes;
  // If only one word of the query is in the index, the nearness lane has no scores; the coverage lane is used instead.
  const scored = request.query.words.filter(({ term }) => keyword?.idf?.has(term)).length;
  const { plain } = request.query;
  const atPath = new Set(looksLikePath(plain) ? title?.ranked : []);
  const named = [
    ...new Set([...wholeIn(name, candidates), ...candidates.filter(({ place }) => atPath.has(place))]),
  ];
  const unread = wholeIn(scored > 1 ? nearness : coverage, candidates);
  if (named.length + unread.length === 0) return state;
  const kinds = new Map<Candidate, Kind>();
  if (named.length > 0) {
    const documents = await retrieval.documents(named.map(({ document }) => document));
    const { partsIn } = readTypedPath(plain);
    const parts = documents.map((document) => (document ? partsIn(document) : 0));
    const most = Math.max(...parts);
    for (const [index, candidate] of named.entries())
      if (most > 0 && parts[index] === most) kinds.set(candidate, 'the file name');
  }
  const asked = wordsOf(plain);
  const isLong = asked.split(' ').length - 2 >= SENTENCE;
  const isQuotedIn = wordsInRow(plain);
  const quoting: Candidate[] = [];
  const asTyped = new Set<Candidate>();
  // The sentence is nearly always in one of the first ten candidates, so the others are read only if it is not in these ten.
  for (const batch of [unread.slice(0, 10), unread.slice(10)]) {
    if (kinds.size + quoting.length > 0) break;
    const texts = await retrieval.texts(batch.map(({ slot }) => slot));
    for (const [index, candidate] of batch.entries()) {
      const text = texts[index]!;
      const headings = [...headingLines(text)]
        .map(({ start, line }) => ({ start, name: headingName(line) }))
        .filter(({ name }) => wordsOf(name) === asked || wordsOf(withoutNumber(name)) === asked);
      const [chunk] = headings.length > 0 ? await retrieval.chunks([candidate.slot]) : [];
      const code = chunk ? codeStretches(chunk) : [];
      const real = headings.filter(
        ({ start: at }) => !code.some(({ start, end }) => start <= at && at < end),
      );
      if (real.some(({ name }) => fold(withoutNumber(name)) === fold(plain.trim()))) asTyped.add(candidate);
      if (real.length > 0) kinds.set(candidate, 'a heading');
      else if (isLong && isQuotedIn(text)) quoting.push(candidate);
    }
  }
  // A sentence that is on several pages is a common phrase, not a quotation of one page.
  const isOnePage = new Set(quoting.map(({ document }) => document)).size === 1;
  if (isOnePage) for (const candidate of quoting) kinds.set(candidate, 'a sentence');
  return kinds.size === 0 ? state : lift(state, kinds, asTyped);
}

/** Returns the candidates with the highest possible score in a lane, which is 1; at most the first `READ`. */
function wholeIn(lane: LaneScores | undefined, candidates: readonly Candidate[]): readonly Candidate[] {
  if (!lane) return [];
  const { scores, shares } = lane;
  return candidates
    .filter(({ place }) => isWhole(scores[place]!) && (!shares || isWhole(shares[place]!)))
    .slice(0, READ);
}

/** Returns the words of a text, folded and stemmed, with spaces before, between and after them. */
function wordsOf(text: string): string {
  const words = plainWords(text, analyze).map(({ term }) => term);
  return words.length > 0 ? ` ${words.join(' ')} ` : '';
}

/** @param asTyped candidates with the heading as it was typed: they come before others of their kind */
function lift(
  state: SearchState,
  kinds: ReadonlyMap<Candidate, Kind>,
  asTyped: ReadonlySet<Candidate>,
): SearchState {
  const { explain } = state.request;
  const best = state.candidates[0]!.fused;
  const rankOf = (candidate: Candidate) =>
    KINDS.indexOf(kinds.get(candidate)!) + (asTyped.has(candidate) ? 1.5 : 1);
  const surest = [...kinds.keys()].sort((a, b) => rankOf(b) - rankOf(a) || bestFirst(a, b));
  const lifted = new Set(limitPerDocument(surest, 1));
  const candidates = state.candidates.map((candidate): Candidate => {
    if (!lifted.has(candidate)) return candidate;
    const rank = rankOf(candidate);
    const fused = candidate.fused + rank * best;
    const score = Math.max(candidate.score, CONFIDENCE);
    const least = { label: 'at least', value: CONFIDENCE };
    const surer = limited(candidate, score, explain, 'confidence of an exact match', least);
    if (!explain) return { ...surer, fused };
    const parts = [
      { label: 'fused', value: candidate.fused },
      { label: `the query is ${kinds.get(candidate)}`, value: best, weight: rank },
    ];
    const order = { label: 'fused, for an exact match', value: fused, parts };
    return { ...surer, fused, explanation: surer.explanation.toSpliced(1, 0, order) };
  });
  return { ...state, candidates: candidates.sort(bestFirst) };
}

/** Returns a function that tests whether a text has the words of `phrase` in this order, with no other word between them. */
export function wordsInRow(phrase: string): (text: string) => boolean {
  const words = fold(phrase).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const [first] = words;
  if (first === undefined) return () => false;
  return (text) => {
    const folded = fold(text);
    for (let start = folded.indexOf(first); start >= 0; start = folded.indexOf(first, start + 1)) {
      if (isEdge(folded, start) && rowStartsAt(folded, start, words)) return true;
    }
    return false;
  };
}

function rowStartsAt(text: string, start: number, words: readonly string[]): boolean {
  let at = start;
  return words.every((word) => {
    while (at < text.length && classAt(text, at) === SEPARATOR) at++;
    if (!text.startsWith(word, at)) return false;
    at += word.length;
    return isEdge(text, at);
  });
}

/** Whether a word may begin or end here. In unspaced scripts, this is possible everywhere. */
function isEdge(text: string, at: number): boolean {
  return [at - 1, at].some((index) => {
    const kind = classAt(text, index);
    return kind === SEPARATOR || kind === UNSPACED;
  });
}
