/** The table of contents of our search: every stage, in order. A mode changes which lanes weigh. */
import { limitPerDocument } from '../rank/limit-per-document.ts';
import { spreadDocuments } from '../rank/spread-documents.ts';
import { addForms } from './add-forms.ts';
import { applyThreshold, holdDown } from './apply-threshold.ts';
import { boostCommunities } from './boost-communities.ts';
import { calibrateCandidates } from './calibrate-candidates.ts';
import { chooseParents } from './choose-parents.ts';
import { classifyQuery } from './classify-query.ts';
import { correctQuery } from './correct-query.ts';
import { diversifyCandidates } from './diversify-candidates.ts';
import { expandQuery } from './expand-query.ts';
import { findSynonyms } from './find-synonyms.ts';
import { followLinks } from './follow-links.ts';
import { fuseCandidates } from './fuse-candidates.ts';
import { listDocuments } from './list-documents.ts';
import { preferRecent } from './prefer-recent.ts';
import { present } from './present.ts';
import { pseudoRelevanceFeedback } from './pseudo-relevance-feedback.ts';
import { putExactFirst } from './put-exact-first.ts';
import { removeCopies, removeNearCopies, removeRestatements } from './remove-duplicates.ts';
import { rerankCandidates } from './rerank-candidates.ts';
import { retrieve } from './retrieve.ts';
import { retrieveByHypothesis } from './retrieve-by-hypothesis.ts';
import type { SearchState, Stage } from './state.ts';
import { trustHits } from './trust-hits.ts';
import { weighRankings } from './weigh-rankings.ts';

/** What every search does with its candidates, however they were found. */
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

/** A hypothesis is not a question: it is neither classified nor expanded, and its vector alone ranks. */
export const HYPOTHESIS_STAGES: readonly Stage[] = [
  { name: 'retrieve', run: retrieveByHypothesis },
  { name: 'fuse', run: fuseCandidates },
  ...FROM_CALIBRATION,
];

/** Filters without words: nothing ranks, and nothing is judged. */
export const LISTING_STAGES: readonly Stage[] = [
  { name: 'list', run: listDocuments },
  { name: 'top', run: takeTop },
  { name: 'parents', run: chooseParents },
  { name: 'present', run: present },
];

/** MMR replaces it: repeated passages of a document are already far down. */
function limitDocuments(state: SearchState): SearchState {
  const { mmrEnabled, maxChunksPerDoc } = state.request.settings;
  const limit = mmrEnabled ? 0 : maxChunksPerDoc;
  return { ...state, candidates: limitPerDocument(state.candidates, ({ document }) => document, limit) };
}

/** Different documents first; MMR does that where it is on. */
function spread(state: SearchState): SearchState {
  const { explain, settings } = state.request;
  if (settings.mmrEnabled) return state;
  const candidates = spreadDocuments(
    state.candidates,
    ({ document }) => document,
    ({ fused }) => fused,
  );
  const isMoved = candidates.some((candidate, index) => candidate !== state.candidates[index]);
  return isMoved ? { ...state, candidates: holdDown(candidates, explain) } : state;
}

function takeTop(state: SearchState): SearchState {
  return { ...state, candidates: state.candidates.slice(0, state.request.topN) };
}
