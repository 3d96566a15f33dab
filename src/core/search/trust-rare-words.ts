/** Raises the confidence of passages that hold all of a short query, of which one word is in few others: whoever types it looks for it. */
import type { Candidate, SearchServices, SearchState } from './state.ts';

/** A longer query can be a question that these words do not answer. */
const MAX_WORDS = 2;
/** Passages that hold a rare word, at most. */
const FEW = 5;
/** Least confidence. The fitted model asks more of a passage the larger the index is, until no single word is enough. */
const CONFIDENCE = 0.5;
/** Sums of the same idf in another order. */
const WHOLE = 1 - 1e-9;

export function trustRareWords(
  state: SearchState,
  { retrieval: { words } }: Pick<SearchServices, 'retrieval'>,
): SearchState {
  const { found, request, candidates } = state;
  const { keyword, coverage } = found.lanes;
  if (!words || !coverage || request.hypothesis !== undefined) return state;
  const scored = request.query.words.filter(({ term }) => keyword?.idf?.has(term));
  if (scored.length === 0 || scored.length > MAX_WORDS) return state;
  const isRare = scored.some(({ term }) => {
    const count = words.countOf(term);
    return count > 0 && count <= FEW;
  });
  if (!isRare) return state;
  const raised = candidates.map((candidate): Candidate => {
    if (candidate.score >= CONFIDENCE || coverage.scores[candidate.place]! < WHOLE) return candidate;
    if (!request.explain) return { ...candidate, score: CONFIDENCE };
    const [confidence, ...rest] = candidate.explanation;
    const parts = [confidence!, { label: 'at least', value: CONFIDENCE }];
    const explanation = [{ label: 'confidence of a rare word', value: CONFIDENCE, parts }, ...rest];
    return { ...candidate, score: CONFIDENCE, explanation };
  });
  return { ...state, candidates: raised };
}
