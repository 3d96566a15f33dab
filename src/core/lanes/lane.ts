/** What the table of lanes says of each one. */
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

/** The indexes of the embedded retrieval. */
export interface Indexes {
  readonly catalog: Catalog;
  readonly keyword: KeywordRetriever;
  readonly code: Retriever;
  readonly documents: DocumentIndex;
  /** Absent where there are no vectors. */
  readonly semantic?: Retriever;
  /** Of the languages the documents are in. @default `AUTO_ANALYZER` for all */
  readonly analyzers?: Analyzers;
}

export interface LaneSearch {
  readonly indexes: Indexes;
  readonly request: RetrievalRequest;
  readonly mask?: SlotMask | undefined;
  /** What the lanes before it in the table find. */
  readonly rankings: Readonly<Partial<Record<Lane, Awaitable<Ranking | undefined>>>>;
}

export interface LaneRow {
  /** Modes in which it takes part. */
  readonly modes: readonly SearchMode[];
  /** Their product scales its weight. */
  readonly settings: readonly WeightSetting[];
  /** Its weight moves with that of this lane, because both are read off one index. */
  readonly follows?: Lane;
  /**
   * Whether confidence and adaptive weights need it even at weight 0; it then takes part whenever the lane it
   * follows does.
   */
  readonly isObserved?: boolean;
  readonly scale: LaneScale;
  /**
   * Finds or scores passages in the embedded indexes; undefined if the index or the query has nothing for it.
   * Absent for a lane that a stage adds.
   */
  readonly search?: (search: LaneSearch) => Ranking | undefined | Promise<Ranking | undefined>;
}

/** A ranking that scores the passages of other lanes and adds no candidates. */
export function scorePassages(
  lane: Lane,
  label: string,
  scoreOf: Ranking['scoreOf'],
  rest: Omit<Ranking, 'lane' | 'entries' | 'scoreOf' | 'explain'>,
): Ranking {
  const explain = (slot: number) => ({ label, value: scoreOf(slot) });
  return { lane, entries: [], scoreOf, explain, ...rest };
}
