/** Stage: puts first what the query says word by word: the file name of a page, a heading, a sentence. */
import type { LaneScores } from '../model/candidates.ts';
import { tokenizeText } from '../text/analyze.ts';
import { fold } from '../text/fold.ts';
import { plainWords } from '../text/plain-words.ts';
import { bestFirst, type Candidate, type SearchServices, type SearchState } from './state.ts';

/** Surest first. */
const KINDS = ['a sentence', 'a heading', 'the file name'] as const;
type Kind = (typeof KINDS)[number];

/** Fewer words are a subject, not a sentence. */
const SENTENCE = 4;

/** So many candidates are read, at most, in their order. */
const READ = 50;

/** Least confidence: of 150 such queries made from three vaults at least so many found their page first. */
const CONFIDENCE = 0.95;

/** Sums of the same shares in another order. */
const WHOLE = 1 - 1e-9;

/**
 * Lifts the best passage of each such document, and its confidence with it. Candidates are read only where all words of
 * the query stand near each other, so that few questions pay for it.
 */
export async function putExactFirst(state: SearchState, { retrieval }: SearchServices): Promise<SearchState> {
  const { candidates, found, request } = state;
  if (!request.settings.exactFirstEnabled || request.hypothesis !== undefined) return state;
  const { name, nearness, coverage } = found.lanes;
  const asked = wordsOf(request.query.plain);
  // One word is near nothing.
  const nearby = request.query.words.filter(({ isStopWord }) => !isStopWord).length > 1 ? nearness : coverage;
  if (asked === '') return state;
  const isWhole = (lane: LaneScores | undefined, { place }: Candidate) =>
    (lane?.scores[place] ?? 0) >= WHOLE && (lane?.shares?.[place] ?? 1) >= WHOLE;
  const kinds = new Map<Candidate, Kind>();
  const named = candidates.filter((candidate) => isWhole(name, candidate)).slice(0, READ);
  const documents = await retrieval.documents(named.map(({ document }) => document));
  for (const [index, candidate] of named.entries()) {
    const path = documents[index]?.path;
    if (path !== undefined && isFileName(path, request.query.plain)) kinds.set(candidate, 'the file name');
  }
  const unread = candidates
    .filter((candidate) => !kinds.has(candidate) && isWhole(nearby, candidate))
    .slice(0, READ);
  const texts = await retrieval.texts(unread.map(({ slot }) => slot));
  const quoting: Candidate[] = [];
  for (const [index, candidate] of unread.entries()) {
    const kind = kindIn(texts[index]!, asked);
    if (kind === 'a sentence') quoting.push(candidate);
    else if (kind) kinds.set(candidate, kind);
  }
  // What several pages say is a turn of speech.
  const isOnePage = new Set(quoting.map(({ document }) => document)).size === 1;
  if (isOnePage) for (const candidate of quoting) kinds.set(candidate, 'a sentence');
  return kinds.size === 0 ? state : lift(state, kinds);
}

function isFileName(path: string, query: string): boolean {
  const file = path.slice(path.lastIndexOf('/') + 1);
  const names = [file, file.replace(/\.[^.]+$/, '')].map(spaced);
  return names.includes(spaced(query));
}

function spaced(name: string): string {
  return fold(name)
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
}

const HEADING = /^ {0,3}#{1,6}[ \t]+(.+)$/gm;

function kindIn(text: string, asked: string): Kind | undefined {
  for (const [, heading] of text.matchAll(HEADING)) if (wordsOf(heading!) === asked) return 'a heading';
  const isSentence = asked.split(' ').length - 2 >= SENTENCE && wordsOf(text).includes(asked);
  return isSentence ? 'a sentence' : undefined;
}

/** Folded and stemmed, each between spaces. */
function wordsOf(text: string): string {
  const words = plainWords(text, tokenizeText).map(({ term }) => term);
  return words.length > 0 ? ` ${words.join(' ')} ` : '';
}

function lift(state: SearchState, kinds: ReadonlyMap<Candidate, Kind>): SearchState {
  const best = state.candidates[0]!.fused;
  const lifted = new Map<number, Candidate>();
  for (const [candidate, kind] of [...kinds].sort(([a], [b]) => bestFirst(a, b))) {
    const known = lifted.get(candidate.document);
    if (!known || KINDS.indexOf(kind) > KINDS.indexOf(kinds.get(known)!))
      lifted.set(candidate.document, candidate);
  }
  const candidates = state.candidates.map((candidate): Candidate => {
    if (lifted.get(candidate.document) !== candidate) return candidate;
    const kind = kinds.get(candidate)!;
    const rank = KINDS.indexOf(kind) + 1;
    const fused = candidate.fused + rank * best;
    const score = Math.max(candidate.score, CONFIDENCE);
    if (!state.request.explain) return { ...candidate, fused, score };
    const [confidence, ...rest] = candidate.explanation;
    const order = [
      { label: 'fused', value: candidate.fused },
      { label: `the query is ${kind}`, value: best, weight: rank },
    ];
    const explanation = [
      {
        label: 'confidence of an exact match',
        value: score,
        parts: [confidence!, { label: 'at least', value: CONFIDENCE }],
      },
      { label: 'fused, for an exact match', value: fused, parts: order },
      ...rest,
    ];
    return { ...candidate, fused, score, explanation };
  });
  return { ...state, candidates: candidates.sort(bestFirst) };
}
