/** Stage: lifts what belongs to the same community of linked documents as the best hits. */
import { bestFirst, type Candidate, type SearchState } from './state.ts';

/**
 * Multiplies the fused score of *other* documents in the communities of the best. Changes the order only:
 * company is no evidence, so confidence stays what it is.
 */
export function boostCommunities(state: SearchState): SearchState {
  const { settings, explain, mode } = state.request;
  const factor = settings.communityBoostFactor;
  if (!settings.communityDetectionEnabled || factor === 1 || mode !== 'hybrid') return state;
  const of = state.found.communities;
  if (!of) return state;
  const seeds = new Set<number>();
  const communities = new Set<number>();
  for (const { document, place } of state.candidates) {
    if (seeds.size === state.constants.communitySeeds) break;
    seeds.add(document);
    const community = of[place];
    if (community !== undefined) communities.add(community);
  }
  if (communities.size === 0) return state;
  const candidates = state.candidates.map((candidate): Candidate => {
    const community = of[candidate.place];
    if (community === undefined || seeds.has(candidate.document) || !communities.has(community))
      return candidate;
    const fused = candidate.fused * factor;
    if (!explain) return { ...candidate, fused };
    const parts = [
      { label: 'fused', value: candidate.fused },
      { label: 'community', value: factor },
    ];
    const order = { label: 'fused × community', value: fused, parts };
    return { ...candidate, fused, explanation: [order, ...candidate.explanation] };
  });
  candidates.sort(bestFirst);
  return { ...state, candidates };
}
