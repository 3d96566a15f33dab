/** The state of the search pipeline: the request, and everything known about its candidates so far. */
import type { LinkScores } from '../graph/walk-links.ts';
import { type Found, NOTHING_FOUND } from '../model/candidates.ts';
import type { ConfidenceWord, Explanation, Hit } from '../model/hit.ts';
import type { Filters, ParsedQuery, QueryType, SearchMode } from '../model/query.ts';
import { RANKING, type RankingConstants } from '../model/ranking-constants.ts';
import type { SearchSettings } from '../model/search-settings.ts';
import type { Lexicon, Reranker, Thesaurus } from '../ports.ts';
import type { Correction } from '../query/correct-spelling.ts';
import type { expandCompounds } from '../query/expand-compounds.ts';
import type { LaneValues } from '../rank/fuse.ts';
import type { LaneColumns } from '../rank/lane-scale.ts';
import type {
  Neighbourhood,
  Retrieval,
  RetrievalRequest,
  SimilarWord,
  Vocabulary,
} from '../retrieval/retrieval.ts';
import type { Analyzers } from '../text/analyzer.ts';
import type { PassageFacts } from './keep-passage-facts.ts';
import type { LaneWeights } from './weigh-lanes.ts';

export interface SearchRequest {
  readonly query: ParsedQuery;
  readonly mode: SearchMode;
  /** Max passages in the answer, sure and unsure together. */
  readonly topN: number;
  readonly minConfidence: number;
  /** If the hits come from fewer documents than this, unsure passages of other documents are shown too. @default 0 */
  readonly minDocuments?: number;
  readonly filters: Filters;
  readonly explain: boolean;
  /** Whether each hit is shown as its parent. */
  readonly parents: boolean;
  readonly settings: SearchSettings;
  /** Text written like a possible answer; passages are ranked by its vector, not by the query. */
  readonly hypothesis?: string;
  /** Time of the request, milliseconds since 1970. Stages read no clock. */
  readonly now: number;
}

/** What stages may use in addition to the state; provided by the engine. */
export interface SearchServices {
  readonly retrieval: Retrieval;
  readonly passageFacts: PassageFacts;
  /** Identity of the embedding model, `name@revision`. */
  readonly model?: string;
  /** Analyzers for the languages of the documents. @default `AUTO_ANALYZER` for all */
  readonly analyzers?: Analyzers;
  /** Absent in an exported page: the page must be small, and never has a language with compounds. */
  readonly expandCompounds?: typeof expandCompounds;
  /** Absent when the runtime for models is not installed. */
  readonly embedQuery?: (text: string) => Promise<Float32Array>;
  /** Embeds a text in the way in which chunks are embedded; present if `embedQuery` is. */
  readonly embedPassage?: (text: string) => Promise<Float32Array>;
  /** The collection's words with embeddings; absent if queries are not expanded. */
  readonly vocabulary?: Vocabulary;
  /**
   * If absent, every word is treated as a word of the language: no word is corrected, and acronyms are recognised in
   * capitals only.
   */
  readonly lexicon?: Pick<Lexicon, 'knows'>;
  /** Absent if synonyms are off. */
  readonly thesaurus?: Thesaurus;
  /** Loads its model at the first call. If the result is undefined, the order stays as it is. */
  readonly rerank?: (
    ...given: Parameters<Reranker['score']>
  ) => Promise<Awaited<ReturnType<Reranker['score']>> | undefined>;
}

export interface Candidate {
  readonly slot: number;
  readonly id: string;
  readonly document: number;
  /** Index into the columns of `SearchState.found` and `lanes`. */
  readonly place: number;
  /** The score that candidates are ordered by. */
  readonly fused: number;
  /** The absolute score, comparable between queries: confidence is computed from it if the confidence model is not used. */
  readonly absolute: number;
  /** Confidence, 0–1. */
  readonly score: number;
  /** The confidence level, as a word. @default 'low' */
  readonly trust?: ConfidenceWord;
  /** Id of the parent that is shown in place of the candidate. */
  readonly parentId?: string;
  /** Places of the duplicates that were merged into this candidate. */
  readonly merged?: readonly number[];
  /** The parts of `fused`, `absolute` and `score`; empty unless explanations are requested. */
  readonly explanation: readonly Explanation[];
}

/** Label of `Candidate.absolute` in explanations. */
export const ABSOLUTE_SCORE = 'absolute score';

/** Compares candidates for sorting: highest `fused` first, equal ones by chunk id. */
export function bestFirst(a: Candidate, b: Candidate): number {
  return b.fused - a.fused || (a.id < b.id ? -1 : 1);
}

/**
 * Returns a copy of the candidate with other numbers. If explanations are requested, the explanation of the new numbers is
 * put first.
 * @param tell makes the explanation; called only if explanations are requested
 */
export function changed(
  candidate: Candidate,
  numbers: Partial<Pick<Candidate, 'fused' | 'score'>>,
  explain: boolean,
  tell: () => Explanation,
): Candidate {
  if (!explain) return { ...candidate, ...numbers };
  return { ...candidate, ...numbers, explanation: [tell(), ...candidate.explanation] };
}

/**
 * Returns a copy of the candidate with its confidence raised or lowered to a limit.
 * @param label label of the new confidence in the explanation; its parts are the old confidence and the limit
 */
export function limited(
  candidate: Candidate,
  score: number,
  explain: boolean,
  label: string,
  limit: Explanation,
): Candidate {
  if (!explain) return score === candidate.score ? candidate : { ...candidate, score };
  const [own, ...rest] = candidate.explanation;
  return { ...candidate, score, explanation: [{ label, value: score, parts: [own!, limit] }, ...rest] };
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
  /** The pattern in the query that decided its type, if there was one. */
  readonly queryTypeReason: string | undefined;
  /** Factors of lane weights, from the query type, the words found and the variance of scores; 1 where absent. */
  readonly laneFactors: LaneValues;
  /** Lanes that take part and their weights. */
  readonly weights: LaneWeights;
  /** Explanation of the fusion weights; present only if requested and if something changed the weights. */
  readonly weighing?: Explanation;
  /** Embedding of the query, if a stage before `retrieve` or a former run computed it. */
  readonly vector?: Float32Array;
  /** Misspelt words, which occur nowhere in the collection, and the words that are embedded instead. */
  readonly corrections: readonly Correction[];
  /** Words added to the text that is embedded. */
  readonly expansion: readonly SimilarWord[];
  /** Factor for the number of candidates of each lane; above 1 if a former run found mostly copies. @default 1 */
  readonly depthFactor?: number;
  /** The request to the index; later calls pass it again. */
  readonly asked?: RetrievalRequest;
  readonly found: Found;
  /** The votes that links passed on, and the documents at both ends of these links. */
  readonly walk?: { readonly links: LinkScores; readonly documents: ReadonlyMap<number, Neighbourhood> };
  /** The scaled scores of every lane that has a weight. */
  readonly lanes: LaneColumns;
  readonly candidates: readonly Candidate[];
  /** Number of candidates that have merged duplicates. */
  readonly clusters: number;
  /** Candidates below the confidence threshold, in the order of the ranking. */
  readonly unsure: readonly Candidate[];
  readonly hits: readonly Hit[];
  /** Hits made from `unsure`, ranked below `hits`. */
  readonly unsureHits: readonly Hit[];
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

/** @param constants ranking constants; a benchmark tries other ones. @default `RANKING` */
export function initialState(request: SearchRequest, constants = RANKING): SearchState {
  return {
    request,
    constants,
    queryType: 'exploratory',
    queryTypeReason: undefined,
    corrections: [],
    expansion: [],
    laneFactors: {},
    weights: { fusion: {}, absolute: {} },
    found: NOTHING_FOUND,
    lanes: {},
    candidates: [],
    clusters: 0,
    unsure: [],
    hits: [],
    unsureHits: [],
    trace: [],
  };
}
