/** The settings a search reads, in the library's spelling; meanings, ranges and defaults stand in `engine/config/settings.ts`. */

/** Ways to read confidence off evidence. */
export const CALIBRATIONS = ['evidence', 'sigmoid'] as const;
export type Calibration = (typeof CALIBRATIONS)[number];

export interface SearchSettings {
  readonly topN: number;
  /** `dynamic`: twice the hits asked for, and at least 10. */
  readonly candidates: number | 'dynamic';
  readonly fusion: 'convex' | 'rrf';
  readonly rrfKConstant: number;
  readonly semanticWeight: number;
  readonly keywordWeight: number;
  readonly subjectWeight: number;
  readonly documentWeight: number;
  readonly titleWeight: number;
  readonly nameWeight: number;
  readonly headingWeight: number;
  readonly nearnessWeight: number;
  readonly exactFirstEnabled: boolean;
  readonly codeSearchEnabled: boolean;
  readonly codeSearchWeight: number;
  readonly feedbackWeight: number;
  readonly graphWeight: number;
  readonly graphDepth: number;
  readonly communityDetectionEnabled: boolean;
  readonly communityBoostFactor: number;
  readonly calibration: Calibration;
  /** Of the sigmoid, also where it stands in for `evidence`. Absent: the fitted value of the fusion in use (`core/search/calibrate-candidates.ts`). */
  readonly scoreCalibrationThreshold?: number | undefined;
  readonly scoreCalibrationSteepness?: number | undefined;
  readonly evidenceThreshold: number;
  readonly evidenceSteepness: number;
  readonly minConfidence: number;
  readonly maxChunksPerDoc: number;
  readonly contentDedupEnabled: boolean;
  readonly ngramDedupEnabled: boolean;
  readonly ngramDedupThreshold: number;
  readonly dedupEnabled: boolean;
  readonly dedupSimilarityThreshold: number;
  readonly mmrEnabled: boolean;
  readonly mmrLambda: number;
  readonly mmrByQueryType: boolean;
  readonly rerankEnabled: boolean;
  readonly rerankTopN: number;
  readonly rerankMode: 'blend' | 'replace';
  readonly hydeEnabled: boolean;
  readonly queryExpansionEnabled: boolean;
  readonly queryExpansionThreshold: number;
  readonly queryExpansionMaxTerms: number;
  readonly nameFormsEnabled: boolean;
  readonly spellingEnabled: boolean;
  readonly synonymsEnabled: boolean;
  readonly synonymWeight: number;
  readonly adaptiveWeightsEnabled: boolean;
  readonly recencyBias: number;
  readonly coverageWeightsEnabled: boolean;
  readonly dynamicWeightsEnabled: boolean;
  readonly varianceThreshold: number;
  readonly minFactor: number;
}
