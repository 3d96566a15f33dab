/** Which lanes take part in a search, and with what weight. */
import type { Lane } from '../model/hit.ts';
import type { SearchMode } from '../model/query.ts';
import type { SearchSettings } from '../model/search-settings.ts';
import type { LaneValues } from '../rank/fuse-convex.ts';

/** Starting weights of convex fusion; chosen over the judged sets (docs/explain/quality.md). */
const CONVEX: Readonly<Record<Exclude<Lane, 'graph'>, number>> = {
  semantic: 0.5,
  keyword: 0.18,
  coverage: 0.2,
  document: 0.18,
  title: 0.16,
  // At 0.2 the judged code questions lose 1.7 points: identifiers already count in the keyword lane.
  code: 0.05,
};

/** Weights for evidence in absolute units; chosen likewise. */
const EVIDENCE: typeof CONVEX = {
  semantic: 0.3,
  keyword: 0.11,
  coverage: 0,
  document: 0.45,
  title: 0.14,
  code: 0.05,
};

/** A full vote for whatever holds code took 20 points of nDCG@10 from the judged code questions (quality.md). */
const RECIPROCAL_CODE = 0.2;

const LANES_OF_MODE: Readonly<Record<SearchMode, readonly Lane[]>> = {
  hybrid: ['semantic', 'keyword', 'coverage', 'document', 'title', 'code'],
  semantic: ['semantic'],
  keyword: ['keyword', 'coverage', 'document', 'title'],
  code: ['code'],
};

export interface LaneWeights {
  /** For the fusion that orders the hits. */
  readonly fusion: LaneValues;
  /** For the evidence that confidence is read off. */
  readonly evidence: LaneValues;
}

/**
 * @param semantic false when there is no query vector: the other lanes share its weight
 * @param code whether the query has a code signal or asks for code
 */
export function weighLanes(
  mode: SearchMode,
  settings: SearchSettings,
  available: { readonly semantic: boolean; readonly code: boolean },
): LaneWeights {
  const factor: Readonly<Record<string, number>> = {
    semantic: available.semantic ? settings.semanticWeight : 0,
    keyword: settings.keywordWeight,
    coverage: settings.keywordWeight,
    document: settings.keywordWeight * settings.documentWeight,
    title: settings.keywordWeight * settings.titleWeight,
    code: available.code ? settings.codeSearchWeight : 0,
  };
  // Reciprocal ranks count positions: every ranking starts with one full vote, and lanes without a ranking have none.
  const base = settings.fusion === 'rrf' ? { semantic: 1, keyword: 1, code: RECIPROCAL_CODE } : CONVEX;
  const pick = (table: LaneValues): LaneValues => {
    const lanes = LANES_OF_MODE[mode].map(
      (lane) => [lane, (table[lane] ?? 0) * (factor[lane] ?? 0)] as const,
    );
    return Object.fromEntries(lanes.filter(([, weight]) => weight > 0));
  };
  return { fusion: pick(base), evidence: pick(settings.fusion === 'rrf' ? base : EVIDENCE) };
}
