/**
 * The table of lanes: modes, weights, scales and explanations. A new lane needs a row here, a function that finds or
 * scores passages, and its constants in `RANKING`.
 */
import { LANES, type Lane } from '../model/ranking-constants.ts';
import { COSINE_SCALE, type LaneScale, SCALE_TO_BEST } from '../rank/lane-scale.ts';
import type { LaneRow, WeightSetting } from './lane.ts';
import {
  searchCode,
  searchCoverage,
  searchDocument,
  searchHeading,
  searchKeyword,
  searchName,
  searchNearness,
  searchSemantic,
  searchSubject,
  searchTitle,
} from './lane-searches.ts';

/** Scale of shares, which are 0–1 already. If they were divided by the best share, a small share could look complete. */
const SHARE_SCALE: LaneScale = {
  apply: (lane, constants) => SCALE_TO_BEST.apply({ ...lane, best: 1 }, constants),
  explain: (found, scale, lane, constants) =>
    SCALE_TO_BEST.explain(found, scale, { ...lane, best: 1 }, constants),
};

export const LANE_TABLE: Readonly<Record<Lane, LaneRow>> = {
  semantic: {
    modes: ['hybrid', 'semantic'],
    settings: ['semanticWeight'],
    scale: COSINE_SCALE,
    search: searchSemantic,
  },
  subject: {
    modes: ['hybrid', 'semantic'],
    settings: ['semanticWeight', 'subjectWeight'],
    follows: 'semantic',
    scale: COSINE_SCALE,
    search: searchSubject,
  },
  keyword: {
    modes: ['hybrid', 'keyword'],
    settings: ['keywordWeight'],
    scale: SCALE_TO_BEST,
    search: searchKeyword,
  },
  coverage: { ...afterKeyword(searchCoverage), isObserved: true, scale: SHARE_SCALE },
  document: afterKeyword(searchDocument, 'documentWeight'),
  title: afterKeyword(searchTitle, 'titleWeight'),
  name: afterKeyword(searchName, 'nameWeight'),
  heading: afterKeyword(searchHeading, 'headingWeight'),
  nearness: afterKeyword(searchNearness, 'nearnessWeight'),
  code: {
    modes: ['hybrid', 'code'],
    settings: ['codeSearchWeight'],
    scale: SCALE_TO_BEST,
    search: searchCode,
  },
  // Votes of linked documents. The stage `graph` adds this lane, because votes start from candidates of the other lanes.
  graph: { modes: ['hybrid'], settings: ['graphWeight'], scale: SCALE_TO_BEST },
};

function afterKeyword(search: LaneRow['search'] & {}, ...settings: readonly WeightSetting[]): LaneRow {
  return {
    modes: ['hybrid', 'keyword'],
    settings: ['keywordWeight', ...settings],
    follows: 'keyword',
    scale: SCALE_TO_BEST,
    search,
  };
}

/** Returns values by lane. A lane with `follows` gets the value of the lane named there. */
export function withFollowers(values: Readonly<Partial<Record<Lane, number>>>): typeof values {
  const shared = LANES.map((lane) => [lane, values[LANE_TABLE[lane].follows ?? lane]] as const);
  return Object.fromEntries(shared.filter(([, value]) => value !== undefined));
}
