/** Stage: finds out what kind of question it is, and which lanes count more for it. */
import { withFollowers } from '../lanes/lane-table.ts';
import { classify } from '../query/classify.ts';
import type { SearchState } from './state.ts';

/** The type is always told; the weights move only when `adaptive_weights_enabled`. */
export function classifyQuery(state: SearchState): SearchState {
  const { query, settings } = state.request;
  const { type, sign } = classify(query.text);
  const laneFactors = settings.adaptiveWeightsEnabled ? withFollowers(state.constants.types[type]) : {};
  return { ...state, queryType: type, ...(sign !== undefined && { querySign: sign }), laneFactors };
}
