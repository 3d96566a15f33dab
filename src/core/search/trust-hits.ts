/** Stage: says in a word how far each hit can be trusted. */
import { CONFIDENCE_WORDS, type ConfidenceWord } from '../model/hit.ts';
import { likelyRight } from '../rank/likely-right.ts';
import { limitPerDocument } from '../rank/limit-per-document.ts';
import type { Candidate, SearchState } from './state.ts';

/** High takes both: confidence that there is an answer here, and a lead that says it is this one. */
const HIGH = { confidence: 0.5, right: 0.9 };
/** At least as likely right as wrong. */
const FAIR = 0.5;

/**
 * The words never rise down the list. Without convex fusion no lead was fitted, and nothing is called high.
 * docs/decisions/0064-words-for-confidence.md
 */
export function trustHits(state: SearchState): SearchState {
  const { settings, topN, explain } = state.request;
  const documents = limitPerDocument(state.candidates, ({ document }) => document, 1);
  const placeOf = new Map(documents.map(({ document }, place) => [document, place]));
  const isFitted = settings.fusion === 'convex';
  let worst = 0;
  const candidates = state.candidates.slice(0, topN).map((candidate): Candidate => {
    const place = placeOf.get(candidate.document)!;
    const below = documents.slice(place + 1, place + 6).map(({ fused }) => fused);
    const right = isFitted ? likelyRight(candidate.fused, below) : FAIR;
    worst = Math.max(worst, CONFIDENCE_WORDS.indexOf(wordFor(candidate.score, right)));
    const trust = CONFIDENCE_WORDS[worst]!;
    if (!explain) return { ...candidate, trust };
    const lead = { label: 'likely right, by its lead over the documents below', value: right };
    return { ...candidate, trust, explanation: [...candidate.explanation, lead] };
  });
  return { ...state, candidates: [...candidates, ...state.candidates.slice(topN)] };
}

function wordFor(confidence: number, right: number): ConfidenceWord {
  if (confidence >= HIGH.confidence && right >= HIGH.right) return 'high';
  return right >= FAIR ? 'fair' : 'low';
}
