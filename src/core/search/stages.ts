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

const RANKING: readonly Stage[] = [
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
];

const TRUSTING: readonly Stage[] = [
  { name: 'calibrate', run: calibrateCandidates },
  { name: 'exact', run: putExactFirst },
  { name: 'threshold', run: applyThreshold },
];

/** Stages that compare candidates with each other. */
const MERGING: readonly Stage[] = [
  { name: 'content_dedup', run: removeCopies },
  { name: 'ngram_dedup', run: removeNearCopies },
  { name: 'semantic_dedup', run: removeRestatements },
  { name: 'mmr', run: diversifyCandidates },
];

const CHOOSING: readonly Stage[] = [
  { name: 'document_limit', run: limitDocuments },
  { name: 'rerank', run: rerankCandidates },
  { name: 'parents', run: chooseParents },
  { name: 'spread', run: spread },
  { name: 'trust', run: trustHits },
  { name: 'top', run: takeTop },
  { name: 'present', run: present },
];

// The marks `PURE` let a bundler leave out the lists that a page does not use, with all that they need.
export const STAGES: readonly Stage[] = /* @__PURE__ */ [RANKING, TRUSTING, MERGING, CHOOSING].flat();

/** Stages for a hypothesis. Unlike a query, a hypothesis is not classified or expanded, and only its vector is used. */
const HYPOTHESIS_STAGES: readonly Stage[] = /* @__PURE__ */ [
  { name: 'retrieve', run: retrieveByHypothesis },
  { name: 'fuse', run: fuseCandidates },
  TRUSTING,
  MERGING,
  CHOOSING,
].flat();

/** Stages of an exported page, which has no texts to compare. Those that are left out need not be loaded. */
const EXPORT_STAGES: readonly Stage[] = [RANKING, TRUSTING, CHOOSING].flat();

/** Stages for filters without words: no ranking and no confidence model. */
const LISTING_STAGES: readonly Stage[] = [
  { name: 'list', run: listDocuments },
  { name: 'top', run: takeTop },
  { name: 'parents', run: chooseParents },
  { name: 'present', run: present },
];

export function stagesFor(request: SearchRequest): readonly Stage[] {
  if (request.hypothesis !== undefined) return HYPOTHESIS_STAGES;
  return isListing(request) ? LISTING_STAGES : STAGES;
}

/** The same for a request to an exported page. */
export const stagesOfExport = (request: SearchRequest) =>
  isListing(request) ? LISTING_STAGES : EXPORT_STAGES;

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
  return state;
}
