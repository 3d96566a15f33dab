/**
 * Stages that decide how far candidates can be trusted: the confidence threshold, exceptions that raise confidence, and
 * confidence levels.
 */
import { CONFIDENCE_WORDS, type ConfidenceWord } from '../model/hit.ts';
import { likelyRight, neverRising } from '../rank/confidence.ts';
import { isWhole } from '../rank/lane-scale.ts';
import { limitPerDocument } from '../rank/variety.ts';
import { fold } from '../text/fold.ts';
import { saysSomething } from './calibrate-candidates.ts';
import { type Candidate, limited, type SearchServices, type SearchState } from './state.ts';

/**
 * First moves candidates below `minConfidence` to `unsure`, then limits each confidence to that of the hit above. The order
 * matters: links, communities or recency may rank an unsure candidate first. Its low confidence would limit that of all others.
 */
export function applyThreshold(state: SearchState): SearchState {
  const { minConfidence, explain } = state.request;
  const isSure = ({ score }: Candidate) => score >= minConfidence;
  const unsure = state.candidates.filter((candidate) => !isSure(candidate));
  return { ...state, candidates: limitToHitAbove(state.candidates.filter(isSure), explain), unsure };
}

/** Limits the confidence of each candidate to that of the candidate before. The order stays. */
export function limitToHitAbove(candidates: readonly Candidate[], explain: boolean): readonly Candidate[] {
  const scores = neverRising(candidates.map(({ score }) => score));
  return candidates.map((candidate, index) => {
    const ceiling = {
      label: index > 0 ? 'ceiling: the hit above' : 'ceiling',
      value: scores[index - 1] ?? 1,
    };
    return limited(candidate, scores[index]!, explain, 'confidence', ceiling);
  });
}

/** Maximum number of words of a short query. A passage with all words of a longer query may not answer it. */
const MAX_WORDS = 2;
/** A word is rare if at most this number of passages have it. */
const MAX_RARE_PASSAGES = 5;
/**
 * Minimum confidence of a passage with a rare word. In a large index, the confidence model underrates such passages. The value
 * is below the minimum of `high`, because a rare word may stand in a passage by chance.
 */
const RARE_CONFIDENCE = 0.45;

/**
 * Raises the confidence of passages that have all words of a short query, if one of the words is rare: a user who types a rare
 * word looks for that word.
 */
export function trustRareWords(
  state: SearchState,
  { retrieval: { words } }: Pick<SearchServices, 'retrieval'>,
): SearchState {
  const { found, request, candidates } = state;
  const { keyword, coverage } = found.lanes;
  if (!words || !coverage || !request.query.terms.some((term) => saysSomething(term, found.relaxed)))
    return state;
  const scored = request.query.words.filter(({ term }) => keyword?.idf?.has(term));
  if (scored.length === 0 || scored.length > MAX_WORDS) return state;
  const isRare = scored.some(({ term }) => {
    const count = words.countOf(term);
    return count > 0 && count <= MAX_RARE_PASSAGES;
  });
  if (!isRare) return state;
  const least = { label: 'at least', value: RARE_CONFIDENCE };
  const raised = candidates.map((candidate) => {
    const { score, place } = candidate;
    if (score >= RARE_CONFIDENCE || !isWhole(coverage.scores[place]!)) return candidate;
    return limited(candidate, RARE_CONFIDENCE, request.explain, 'confidence of a rare word', least);
  });
  return { ...state, candidates: raised };
}

/** Minimums of `high`: the confidence that the index has an answer, and the probability that this hit is the answer. */
const HIGH = { confidence: 0.5, right: 0.9 };
/** Minimums of `fair`: the default of `min_confidence`, and a probability of one half that this hit is the answer. */
const FAIR = { confidence: 0.24, right: 0.5 };

/**
 * Gives each hit a confidence level; levels never rise from one hit to the next. Documents below the threshold count among those
 * below a hit, as in the rankings that `likelyRight` was fitted to. It was fitted to convex fusion only, so without convex fusion no hit is `high`. A single word is no question that a passage could answer: a hit for it is
 * `high` only if the word is in a name or heading. A hit that lacks a number, a version or a name with `_` of the query is not `high`. See
 * docs/decisions/0064-words-for-confidence.md.
 */
export async function trustHits(
  state: SearchState,
  services: Pick<SearchServices, 'retrieval'>,
): Promise<SearchState> {
  const { settings, topN, explain, query } = state.request;
  const { name, title, heading } = state.found.lanes;
  const isSingle = query.words.length === 1;
  const isNamed = (place: number) => [name, title, heading].some((lane) => (lane?.scores[place] ?? 0) > 0);
  const documents = limitPerDocument(state.candidates, 1);
  const placeOf = new Map(documents.map(({ document }, place) => [document, place]));
  const unsure = limitPerDocument(state.unsure, 1)
    .filter(({ document }) => !placeOf.has(document))
    .map(({ fused }) => fused)
    .sort((a, b) => b - a);
  const isFitted = settings.fusion === 'convex';
  let worst = 0;
  const wanted = state.candidates.slice(0, topN);
  const lacking = await lackExact(wanted, state, services);
  const candidates = wanted.map((candidate, index): Candidate => {
    const place = placeOf.get(candidate.document)!;
    const sure = documents.slice(place + 1, place + 6).map(({ fused }) => fused);
    const lower = unsure.filter((fused) => fused <= candidate.fused).slice(0, 5);
    const below = [...sure, ...lower].sort((a, b) => b - a);
    const canBeHigh = isFitted && !lacking[index] && !(isSingle && !isNamed(candidate.place));
    const right = isFitted ? likelyRight(candidate.fused, below) : FAIR.right;
    worst = Math.max(worst, CONFIDENCE_WORDS.indexOf(wordFor(candidate.score, right, canBeHigh)));
    const trust = CONFIDENCE_WORDS[worst]!;
    if (!explain) return { ...candidate, trust };
    const lead = { label: 'likely right, by its lead over the documents below', value: right };
    return { ...candidate, trust, explanation: [...candidate.explanation, lead] };
  });
  return { ...state, candidates: [...candidates, ...state.candidates.slice(topN)] };
}

function wordFor(confidence: number, right: number, canBeHigh: boolean): ConfidenceWord {
  if (canBeHigh && confidence >= HIGH.confidence && right >= HIGH.right) return 'high';
  return confidence >= FAIR.confidence && right >= FAIR.right ? 'fair' : 'low';
}

/** Returns the numbers and versions in a text. */
const numbersIn = (text: string): readonly string[] => fold(text).match(/\d+(?:\.\d+)*/g) ?? [];

/** Returns the names in a text that are joined by `_`, such as `max_rows`. */
const namesIn = (text: string): readonly string[] =>
  fold(text).match(/(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+/gu) ?? [];

/** Removes what joins the words of a name: `max_rows` is the same name as `maxRows` and `max-rows`. */
const joined = (text: string) => fold(text).replace(/[\s._-]+/g, '');

/**
 * Returns for each candidate whether it lacks a number, a version or a name with `_` that was typed: in its text, its headings, and
 * the title, aliases and path of its document. Reads nothing if none was typed. `1.2` is another version than `1.2.3`.
 */
async function lackExact(
  candidates: readonly Candidate[],
  { request: { query } }: SearchState,
  { retrieval }: Pick<SearchServices, 'retrieval'>,
): Promise<readonly boolean[]> {
  const numbers = numbersIn(query.plain);
  const names = namesIn(query.plain).map(joined);
  if (numbers.length + names.length === 0) return [];
  const chunks = await retrieval.chunks(candidates.map(({ slot }) => slot));
  const documents = await retrieval.documents(candidates.map(({ document }) => document));
  return chunks.map((chunk, index) => {
    const { title, text, path, headingPath, aliases } = { ...chunk, ...documents[index] };
    const said = [title, text, path, headingPath, aliases].join();
    const held = numbersIn(said);
    return !(
      numbers.every((number) => held.includes(number)) && names.every((name) => joined(said).includes(name))
    );
  });
}
