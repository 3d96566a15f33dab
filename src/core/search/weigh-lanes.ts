/** Which lanes take part in a search, and with what weight. */
import type { Lane } from '../model/hit.ts';
import type { SearchMode } from '../model/query.ts';
import type { RankingConstants } from '../model/ranking-constants.ts';
import type { SearchSettings } from '../model/search-settings.ts';
import type { LaneValues } from '../rank/fuse-convex.ts';

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
  { lanes, votes, evidence }: RankingConstants,
): LaneWeights {
  const factor: Readonly<Record<string, number>> = {
    semantic: available.semantic ? settings.semanticWeight : 0,
    keyword: settings.keywordWeight,
    coverage: settings.keywordWeight,
    document: settings.keywordWeight * settings.documentWeight,
    title: settings.keywordWeight * settings.titleWeight,
    code: available.code ? settings.codeSearchWeight : 0,
  };
  const pick = (table: LaneValues): LaneValues => {
    const weighed = LANES_OF_MODE[mode].map(
      (lane) => [lane, (table[lane] ?? 0) * (factor[lane] ?? 0)] as const,
    );
    return Object.fromEntries(weighed.filter(([, weight]) => weight > 0));
  };
  // Reciprocal ranks count positions: every ranking starts with one vote, and lanes without a ranking have none.
  const [fusion, observed] = settings.fusion === 'rrf' ? [votes, votes] : [lanes, evidence];
  return { fusion: pick(fusion), evidence: pick(observed) };
}
