/** What flows through the pipeline: the request, and what is known of its candidates so far. */
import type { Catalog } from '../indexes/catalog.ts';
import type { DocumentIndex } from '../indexes/documents.ts';
import type { KeywordRetriever } from '../indexes/keyword.ts';
import type { Retriever, SlotMask } from '../indexes/retriever.ts';
import type { Explanation, Hit, Lane, Ranking } from '../model/hit.ts';
import type { Filters, ParsedQuery, QueryType, SearchMode } from '../model/query.ts';
import type { SearchSettings } from '../model/search-settings.ts';
import type { ChunkRecord } from '../ports.ts';
import type { LaneValues } from '../rank/fuse-convex.ts';
import type { LaneScore } from '../rank/lanes.ts';
import type { LaneWeights } from './weigh-lanes.ts';

export interface SearchRequest {
  readonly query: ParsedQuery;
  readonly mode: SearchMode;
  readonly topN: number;
  readonly minConfidence: number;
  readonly filters: Filters;
  readonly explain: boolean;
  readonly settings: SearchSettings;
  /** The time of the question, milliseconds since 1970: core has no clock. */
  readonly now: number;
}

/** What stages may use besides the state; the engine fills it in. */
export interface SearchServices {
  readonly catalog: Catalog;
  /** Absent, with `embedQuery`, when the runtime for models is not installed. */
  readonly semantic?: Retriever;
  readonly keyword: KeywordRetriever;
  readonly code: Retriever;
  readonly documents: DocumentIndex;
  readonly embedQuery?: (text: string) => Promise<Float32Array>;
  readonly readChunks: (slots: readonly number[]) => readonly ChunkRecord[];
}

export interface Candidate {
  readonly slot: number;
  readonly id: string;
  readonly document: number;
  readonly lanes: Readonly<Partial<Record<Lane, LaneScore>>>;
  /** Decides the order. */
  readonly fused: number;
  /** The score confidence is read off: comparable between queries. */
  readonly evidence: number;
  /** Confidence, 0–1. */
  readonly score: number;
  /** Chunk ids of duplicates that were merged into this one. */
  readonly merged?: readonly string[];
  /** How `fused`, `evidence` and `score` came about; only when asked for. */
  readonly explanation: readonly Explanation[];
}

export interface StageTrace {
  readonly stage: string;
  readonly milliseconds: number;
  /** Candidates left after the stage. */
  readonly candidates: number;
}

export interface SearchState {
  readonly request: SearchRequest;
  readonly queryType: QueryType;
  /** Multipliers of lane weights from classification and score variance; 1 where absent. */
  readonly laneFactors: LaneValues;
  /** Lanes that take part and their weights. */
  readonly weights: LaneWeights;
  /** Slots the answer may come from; undefined when nothing narrows. */
  readonly mask?: SlotMask | undefined;
  /** A required phrase that no chunk holds was read as plain words. */
  readonly relaxed: boolean;
  readonly rankings: readonly Ranking[];
  readonly candidates: readonly Candidate[];
  readonly hits: readonly Hit[];
  readonly trace: readonly StageTrace[];
}

/** One step of the search: a named function from state to state. */
export interface Stage {
  readonly name: string;
  readonly run: (state: SearchState, services: SearchServices) => SearchState | Promise<SearchState>;
}

export function initialState(request: SearchRequest): SearchState {
  return {
    request,
    queryType: 'exploratory',
    laneFactors: {},
    weights: { fusion: {}, evidence: {} },
    relaxed: false,
    rankings: [],
    candidates: [],
    hits: [],
    trace: [],
  };
}
