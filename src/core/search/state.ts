/** What flows through the pipeline: the request, and what is known of its candidates so far. */
import type { LinkGraph } from '../graph/link-graph.ts';
import type { Catalog } from '../indexes/catalog.ts';
import type { DocumentIndex } from '../indexes/documents.ts';
import type { KeywordRetriever } from '../indexes/keyword.ts';
import type { Retriever, SlotMask } from '../indexes/retriever.ts';
import type { SimilarWord, VocabularyIndex } from '../indexes/vocabulary-index.ts';
import type { Parent } from '../model/chunk.ts';
import type { Explanation, Hit, Ranking } from '../model/hit.ts';
import type { Filters, ParsedQuery, QueryType, SearchMode } from '../model/query.ts';
import { RANKING, type RankingConstants } from '../model/ranking-constants.ts';
import type { SearchSettings } from '../model/search-settings.ts';
import type { ChunkRecord, Lexicon, Reranker, Thesaurus } from '../ports.ts';
import type { Correction } from '../query/correct-spelling.ts';
import type { LaneValues } from '../rank/fuse-convex.ts';
import type { LaneColumns } from '../rank/lane-scale.ts';
import type { TrigramSketch } from '../rank/trigrams.ts';
import type { Analyzers } from '../text/analyzer.ts';
import type { LaneWeights } from './weigh-lanes.ts';

export interface SearchRequest {
  readonly query: ParsedQuery;
  readonly mode: SearchMode;
  readonly topN: number;
  readonly minConfidence: number;
  readonly filters: Filters;
  readonly explain: boolean;
  /** Whether each hit is shown as its parent. */
  readonly parents: boolean;
  readonly settings: SearchSettings;
  /** Text written as the answer might read; its vector ranks instead of the query. */
  readonly hypothesis?: string;
  /** The time of the question, milliseconds since 1970: core has no clock. */
  readonly now: number;
}

/** What stages may use besides the state; the engine fills it in. */
export interface SearchServices {
  readonly catalog: Catalog;
  /** Absent, with `embedQuery`, when the runtime for models is not installed. */
  readonly semantic?: Retriever;
  readonly keyword: KeywordRetriever;
  /** Identity of the embedding model, `name@revision`. */
  readonly model?: string;
  readonly code: Retriever;
  readonly documents: DocumentIndex;
  /** Of the languages the documents are in. @default `AUTO_ANALYZER` for all */
  readonly analyzers?: Analyzers;
  /** Loaded at the first call. */
  readonly links?: () => Pick<LinkGraph, 'neighbours'>;
  /** A number that documents of one community share; undefined for a document that has none. */
  readonly communityOf?: (document: number) => number | undefined;
  readonly embedQuery?: (text: string) => Promise<Float32Array>;
  /** The collection's words by meaning; absent when queries are not expanded. */
  readonly vocabulary?: VocabularyIndex;
  /** Absent: every word passes for one of the language, so that none is misspelt and short forms count in capitals alone. */
  readonly lexicon?: Lexicon;
  /** Absent when synonyms are not asked for. */
  readonly thesaurus?: Thesaurus;
  /** Embeds a text as the chunks were; present with `embedQuery`. */
  readonly embedPassage?: (text: string) => Promise<Float32Array>;
  /** Loads its model at the first call. */
  readonly rerank?: Reranker['score'];
  readonly readChunks: (slots: readonly number[]) => readonly ChunkRecord[];
  /** Texts without overlap: a third of the time of `readChunks`. */
  readonly readTexts: (slots: readonly number[]) => readonly string[];
  /** Of the text of a chunk, without overlap. */
  readonly sketchOf: (slot: number) => TrigramSketch;
  /** The line on which a chunk says something new; undefined for one that is gone. */
  readonly firstLineOf: (slot: number) => number | undefined;
  readonly readParents: (ids: readonly string[]) => readonly Parent[];
  /** Unit vector of a chunk; undefined while it has none. */
  readonly vectorOf: (slot: number) => Float32Array | undefined;
}

export interface Candidate {
  readonly slot: number;
  readonly id: string;
  readonly document: number;
  /** Where its scores are in the columns of `SearchState.lanes`. */
  readonly place: number;
  /** Decides the order. */
  readonly fused: number;
  /** The score confidence is read off: comparable between queries. */
  readonly evidence: number;
  /** Confidence, 0–1. */
  readonly score: number;
  /** The parent it is shown as. */
  readonly parentId?: string;
  /** Slots of duplicates that were merged into this one. */
  readonly merged?: readonly number[];
  /** How `fused`, `evidence` and `score` came about; only when asked for. */
  readonly explanation: readonly Explanation[];
}

/** The order of candidates, for sorting: by what decides it, equal ones by chunk id. */
export function bestFirst(a: Candidate, b: Candidate): number {
  return b.fused - a.fused || (a.id < b.id ? -1 : 1);
}

export interface StageTrace {
  readonly stage: string;
  readonly milliseconds: number;
  /** Candidates left after the stage. */
  readonly candidates: number;
}

export interface SearchState {
  readonly request: SearchRequest;
  readonly constants: RankingConstants;
  readonly queryType: QueryType;
  /** What gave the type away; absent where nothing did. */
  readonly querySign?: string;
  /** Multipliers of lane weights from classification and score variance; 1 where absent. */
  readonly laneFactors: LaneValues;
  /** Lanes that take part and their weights. */
  readonly weights: LaneWeights;
  /** How the weights of fusion came about; only when asked for and something moved them. */
  readonly weighing?: Explanation;
  /** Slots the answer may come from; undefined when nothing narrows. */
  readonly mask?: SlotMask | undefined;
  /** A required phrase that no chunk holds was read as plain words. */
  readonly relaxed: boolean;
  /** Embedding of the query, when a stage before `retrieve` made it. */
  readonly vector?: Float32Array;
  /** Words that occur nowhere, and what was embedded in their place. */
  readonly corrections?: readonly Correction[];
  /** Words that were added to the text that is embedded. */
  readonly expansion?: readonly SimilarWord[];
  readonly rankings: readonly Ranking[];
  /** What each lane makes of the candidates. */
  readonly lanes: LaneColumns;
  readonly candidates: readonly Candidate[];
  /** How many candidates stood for duplicates, too, when all were merged. */
  readonly clusters: number;
  /** The surest candidate, when the threshold left none. */
  readonly nearest?: Candidate;
  readonly hits: readonly Hit[];
  readonly trace: readonly StageTrace[];
}

/** One step of the search: a named function from state to state. */
export interface Stage {
  readonly name: string;
  readonly run: (
    state: SearchState,
    services: SearchServices,
    signal?: AbortSignal,
  ) => SearchState | Promise<SearchState>;
}

/** The state with another reading of its query. */
export function withQuery(state: SearchState, query: ParsedQuery): SearchState {
  return query === state.request.query ? state : { ...state, request: { ...state.request, query } };
}

/** @param constants other than those in force, for a bench */
export function initialState(request: SearchRequest, constants = RANKING): SearchState {
  return {
    request,
    constants,
    queryType: 'exploratory',
    laneFactors: {},
    weights: { fusion: {}, evidence: {} },
    relaxed: false,
    rankings: [],
    lanes: {},
    candidates: [],
    clusters: 0,
    hits: [],
    trace: [],
  };
}
