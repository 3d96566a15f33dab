/** All stages of a search, in order, and the function that runs them. Every mode has the same stages, with other lane weights. */
import type { Clock } from '../ports.ts';
import { calibrateCandidates } from './calibrate-candidates.ts';
import { chooseParents, limitDocuments, spread, takeTop } from './choose-hits.ts';
import { diversifyCandidates } from './diversify-candidates.ts';
import { followLinks } from './follow-links.ts';
import { fuseCandidates } from './fuse-candidates.ts';
import { boostCommunities, preferRecent, pseudoRelevanceFeedback } from './lift-candidates.ts';
import { present } from './present.ts';
import { putExactFirst } from './put-exact-first.ts';
import { removeCopies, removeNearCopies, removeRestatements } from './remove-duplicates.ts';
import { rerankCandidates } from './rerank-candidates.ts';
import { isListing, listDocuments, retrieve, retrieveByHypothesis } from './retrieve.ts';
import type { SearchRequest, SearchServices, SearchState, Stage } from './state.ts';
import { applyThreshold, trustHits } from './trust-hits.ts';
import { addForms, classifyQuery, correctQuery, expandQuery, findSynonyms } from './understand-query.ts';
import { weighRankings } from './weigh-rankings.ts';

/** The last stages, which a search by query and a search by hypothesis have in common. */
const FROM_CALIBRATION: readonly Stage[] = [
  { name: 'calibrate', run: calibrateCandidates },
  { name: 'exact', run: putExactFirst },
  { name: 'threshold', run: applyThreshold },
  { name: 'content_dedup', run: removeCopies },
  { name: 'ngram_dedup', run: removeNearCopies },
  { name: 'semantic_dedup', run: removeRestatements },
  { name: 'mmr', run: diversifyCandidates },
  { name: 'document_limit', run: limitDocuments },
  { name: 'rerank', run: rerankCandidates },
  { name: 'parents', run: chooseParents },
  { name: 'spread', run: spread },
  { name: 'trust', run: trustHits },
  { name: 'top', run: takeTop },
  { name: 'present', run: present },
];

export const STAGES: readonly Stage[] = [
  { name: 'classify', run: classifyQuery },
  { name: 'forms', run: addForms },
  { name: 'spelling', run: correctQuery },
  { name: 'expand', run: expandQuery },
  { name: 'synonyms', run: findSynonyms },
  { name: 'retrieve', run: retrieve },
  { name: 'graph', run: followLinks },
  { name: 'weigh', run: weighRankings },
  { name: 'fuse', run: fuseCandidates },
  { name: 'feedback', run: pseudoRelevanceFeedback },
  { name: 'community_boost', run: boostCommunities },
  { name: 'recency', run: preferRecent },
  ...FROM_CALIBRATION,
];

/** Stages for a hypothesis. Unlike a query, a hypothesis is not classified or expanded, and only its vector is used. */
export const HYPOTHESIS_STAGES: readonly Stage[] = [
  { name: 'retrieve', run: retrieveByHypothesis },
  { name: 'fuse', run: fuseCandidates },
  ...FROM_CALIBRATION,
];

/** Stages for filters without words: no ranking and no confidence model. */
const LISTING_STAGES: readonly Stage[] = [
  { name: 'list', run: listDocuments },
  { name: 'top', run: takeTop },
  { name: 'parents', run: chooseParents },
  { name: 'present', run: present },
];

export function stagesFor(request: SearchRequest): readonly Stage[] {
  return request.hypothesis === undefined ? stagesForQuery(request) : HYPOTHESIS_STAGES;
}

/** The same for a request without a hypothesis. An exported page has only these stages. */
export const stagesForQuery = (request: SearchRequest) => (isListing(request) ? LISTING_STAGES : STAGES);

/**
 * Runs `stages` in order and records for each its milliseconds and the number of candidates after it.
 * @param signal stops the search: the reason of the signal is thrown by the running stage, or before the next stage
 */
export async function runPipeline(
  stages: readonly Stage[],
  start: SearchState,
  services: SearchServices,
  clock: Clock,
  signal?: AbortSignal,
): Promise<SearchState> {
  let state = start;
  let began = clock.monotonic();
  for (const stage of stages) {
    signal?.throwIfAborted();
    const next = await stage.run(state, services, signal);
    const ended = clock.monotonic();
    const trace = { stage: stage.name, milliseconds: ended - began, candidates: next.candidates.length };
    state = { ...next, trace: [...state.trace, trace] };
    began = ended;
  }
  if (state.asked) services.retrieval.release?.(state.asked);
  return state;
}
