/** Types for the rows of the table of lanes. */
import type { Catalog } from '../indexes/catalog.ts';
import type { DocumentIndex } from '../indexes/documents.ts';
import type { KeywordRetriever } from '../indexes/keyword.ts';
import type { Ranking, Retriever, SlotMask } from '../indexes/retriever.ts';
import type { SearchMode } from '../model/query.ts';
import type { Lane } from '../model/ranking-constants.ts';
import type { SearchSettings } from '../model/search-settings.ts';
import type { LaneScale } from '../rank/lane-scale.ts';
import type { Awaitable, RetrievalRequest } from '../retrieval/retrieval.ts';
import type { Analyzers } from '../text/analyzer.ts';

/** Settings that scale the weight of lanes. */
export type WeightSetting = Extract<keyof SearchSettings, `${string}Weight`>;

/** The indexes in memory that the built-in retrieval searches. */
export interface Indexes {
  readonly catalog: Catalog;
  readonly keyword: KeywordRetriever;
  readonly code: Retriever;
  readonly documents: DocumentIndex;
  /** Absent if there are no vectors. */
  readonly semantic?: Retriever;
  /** Analyzers for the languages of the documents. @default `AUTO_ANALYZER` for all */
  readonly analyzers?: Analyzers;
}

export interface LaneSearch {
  readonly indexes: Indexes;
  readonly request: RetrievalRequest;
  readonly mask?: SlotMask | undefined;
  /** Rankings of the lanes that come earlier in the table. */
  readonly rankings: Readonly<Partial<Record<Lane, Awaitable<Ranking | undefined>>>>;
}

export interface LaneRow {
  readonly modes: readonly SearchMode[];
  /** The weight of the lane is multiplied by all of these settings. */
  readonly settings: readonly WeightSetting[];
  /** Another lane with the same kind of matches (by meaning, or by words). Factors of its weight multiply this lane's weight, too. */
  readonly follows?: Lane;
  /**
   * Whether to score this lane even at weight 0, if the lane in `follows` takes part: confidence and adaptive weights read the
   * scores of this lane.
   */
  readonly isObserved?: boolean;
  readonly scale: LaneScale;
  /**
   * Finds or scores passages in the embedded indexes. Returns undefined if the index or the query has nothing for the lane.
   * The function is absent if a stage adds the lane.
   */
  readonly search?: (search: LaneSearch) => Ranking | undefined | Promise<Ranking | undefined>;
}

/** Makes a ranking that scores the passages of other lanes and adds no candidates. */
export function scorePassages(
  lane: Lane,
  label: string,
  scoreOf: Ranking['scoreOf'],
  rest: Omit<Ranking, 'lane' | 'entries' | 'scoreOf' | 'explain'>,
): Ranking {
  const explain = (slot: number) => ({ label, value: scoreOf(slot) });
  return { lane, entries: [], scoreOf, explain, ...rest };
}
