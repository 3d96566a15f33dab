/** What flows through the pipeline: the request, and what is known of its candidates so far. */
import type { LinkScores } from '../graph/walk-links.ts';
import { type Found, NOTHING_FOUND } from '../model/candidates.ts';
import type { ConfidenceWord, Explanation, Hit } from '../model/hit.ts';
import type { Filters, ParsedQuery, QueryType, SearchMode } from '../model/query.ts';
import { RANKING, type RankingConstants } from '../model/ranking-constants.ts';
import type { SearchSettings } from '../model/search-settings.ts';
import type { Lexicon, Reranker, Thesaurus } from '../ports.ts';
import type { Correction } from '../query/correct-spelling.ts';
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
  readonly topN: number;
  readonly minConfidence: number;
  /** Also show unsure passages until this many documents are shown. @default 0 */
  readonly minDocuments?: number;
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
  readonly retrieval: Retrieval;
  readonly passageFacts: PassageFacts;
  /** Identity of the embedding model, `name@revision`. */
  readonly model?: string;
  /** For the languages of the documents. @default `AUTO_ANALYZER` for all */
  readonly analyzers?: Analyzers;
  /** Absent when the runtime for models is not installed. */
  readonly embedQuery?: (text: string) => Promise<Float32Array>;
  /** Embeds a text as the chunks were; present with `embedQuery`. */
  readonly embedPassage?: (text: string) => Promise<Float32Array>;
  /** The collection's words by meaning; absent when queries are not expanded. */
  readonly vocabulary?: Vocabulary;
  /** Absent: every word counts as one of the language, so no word is misspelt, and short forms count in capitals only. */
  readonly lexicon?: Lexicon;
  /** Absent when synonyms are not asked for. */
  readonly thesaurus?: Thesaurus;
  /** Loads its model at the first call. */
  readonly rerank?: Reranker['score'];
}

export interface Candidate {
  readonly slot: number;
  readonly id: string;
  readonly document: number;
  /** Where it stands in the columns of `SearchState.found` and `lanes`. */
  readonly place: number;
  /** The score that candidates are ordered by. */
  readonly fused: number;
  /** The score confidence is read off: comparable between queries. */
  readonly evidence: number;
  /** Confidence, 0–1. */
  readonly score: number;
  /** The trust that follows from it, in a word. @default 'low' */
  readonly trust?: ConfidenceWord;
  /** The parent it is shown as. */
  readonly parentId?: string;
  /** Places of duplicates that were merged into this one. */
  readonly merged?: readonly number[];
  /** How `fused`, `evidence` and `score` came about; only when asked for. */
  readonly explanation: readonly Explanation[];
}

/** Sorts candidates by `fused`, the greatest first, and equal ones by chunk id. */
export function bestFirst(a: Candidate, b: Candidate): number {
  return b.fused - a.fused || (a.id < b.id ? -1 : 1);
}

/**
 * The candidate with other numbers. When explanations are asked for, the reason for the numbers comes first among them.
 * @param tell called only when asked for
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
 * The candidate with a confidence that a limit raised or lowered.
 * @param label of the new confidence; its parts are the former one and the limit
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
  /** The sign of the query that its type was read off, if there was one. */
  readonly queryTypeReason: string | undefined;
  /** Multipliers of lane weights from classification and score variance; 1 where absent. */
  readonly laneFactors: LaneValues;
  /** Lanes that take part and their weights. */
  readonly weights: LaneWeights;
  /** How the weights of fusion came about; only when asked for and something moved them. */
  readonly weighing?: Explanation;
  /** Embedding of the query, when a stage before `retrieve` made it. */
  readonly vector?: Float32Array;
  /** Words that occur nowhere, and what was embedded in their place. */
  readonly corrections: readonly Correction[];
  /** Words that were added to the text that is embedded. */
  readonly expansion: readonly SimilarWord[];
  /** What the index was asked; later questions hand it in again. */
  readonly asked?: RetrievalRequest;
  readonly found: Found;
  /** The votes that went along links, and the documents they went between. */
  readonly walk?: { readonly links: LinkScores; readonly documents: ReadonlyMap<number, Neighbourhood> };
  /** The scaled scores of every lane that has a weight. */
  readonly lanes: LaneColumns;
  readonly candidates: readonly Candidate[];
  /** How many candidates stand for duplicates, after all stages that merge them. */
  readonly clusters: number;
  /** Candidates below the threshold, in their order. */
  readonly unsure: readonly Candidate[];
  readonly hits: readonly Hit[];
  /** Hits made of `unsure`, ranked below `hits`. */
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

/** @param constants other than those in force, for a bench */
export function initialState(request: SearchRequest, constants = RANKING): SearchState {
  return {
    request,
    constants,
    queryType: 'exploratory',
    queryTypeReason: undefined,
    corrections: [],
    expansion: [],
    laneFactors: {},
    weights: { fusion: {}, evidence: {} },
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
