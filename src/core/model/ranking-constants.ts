/**
 * The numbers of the ranking that were chosen by measuring: data that every search is given, so that a bench
 * can try others. They are not settings.
 */
import type { KeywordField, QueryType } from './query.ts';
import type { SearchSettings } from './search-settings.ts';

/** Weights of convex fusion; the keys are the names of all lanes, in the order in which an answer tells them. */
const LANE_WEIGHTS = {
  semantic: 0.5, // [39]
  subject: 0.035, // [62]
  keyword: 0.18, // [45]
  coverage: 0.2, // [45]
  document: 0.18, // [39]
  title: 0.16, // [39]
  name: 0.1, // [62]
  heading: 0.05, // [62]
  nearness: 0.1, // [62]
  // At 0.2 the judged code questions lose 1.7 points: identifiers already count in the keyword lane.
  code: 0.05,
  graph: 0.2, // [21]
};

/** What a lane measures; one number per candidate and lane goes into fusion. `core/lanes/` says what each one does. */
export type Lane = keyof typeof LANE_WEIGHTS;
export const LANES = Object.keys(LANE_WEIGHTS) as readonly Lane[];

type LaneNumbers = Readonly<Partial<Record<Lane, number>>>;

export interface RankingConstants {
  /** BM25F; given to the indexes when they are loaded. */
  readonly words: WordScoring;
  /** Weights of convex fusion before settings and factors, each 0 or more; only their ratios matter. */
  readonly lanes: Readonly<Record<Lane, number>>;
  /** Votes of whole rankings under reciprocal ranks, each 0 or more; lanes without a ranking have none. */
  readonly votes: LaneNumbers;
  /** Weights of the evidence that the sigmoid reads, under convex fusion. */
  readonly evidence: LaneNumbers;
  /** The sigmoid for each fusion: the evidence of confidence .5, and the steepness there. */
  readonly sigmoid: Readonly<
    Record<SearchSettings['fusion'], { readonly threshold: number; readonly steepness: number }>
  >;
  readonly cosine: CosineScale;
  /** Multipliers of lane weights by type of query, also of the lanes that follow a lane; 1 where absent. */
  readonly types: Readonly<Record<QueryType, LaneNumbers>>;
  /** Words of the query that one passage has to hold for words to have their full weight, 1 or more. */
  readonly enoughWords: number;
  readonly links: {
    /** Rank offset of the votes that spread along links, 0 or more; smaller than that of fusion, for the first few candidates matter most. */
    readonly rankOffset: number;
  };
  readonly feedback: {
    /** Feedback passages: how many of the best candidates show what is looked for, at least 1. One alone would bring too much of its own subject. */
    readonly passages: number;
    /** A longer question takes one passage for each such number of words, above 0. */
    readonly wordsEach: number;
    /** Most passages of a long question, at least `passages` and at most `pool`. */
    readonly maxPassages: number;
    /** How many of the best candidates can be lifted, at least `passages`, however many hits are wanted: further down nothing is near the answer. */
    readonly pool: number;
    /**
     * Feedback fades to 0 where links reach this share of the pool, because links then say what belongs together; above 0, at
     * most 1.
     */
    readonly linked: number;
  };
  /** How many of the best documents name the communities, at least 1. */
  readonly communitySeeds: number;
}

export interface WordScoring {
  /** `k1` of BM25: how soon further occurrences of a term stop counting, 0 or more; 0: at once. */
  readonly k1: number;
  /** `b` of BM25: length normalisation, 0–1. */
  readonly b: number;
  /** Weight of a word in the names of a whole document, 0 or more; a word in the text has 1. */
  readonly names: number;
  /** What a word counts in each field of a passage, 0 or more. */
  readonly fields: Readonly<Record<KeywordField, number>>;
}

export interface CosineScale {
  /** Cosines of this model family between unrelated texts lie around this. */
  readonly floor: number;
  /** How far above it a cosine of equal texts lies. */
  readonly span: number;
  /**
   * Least distance from median to best that counts as a full difference. In a handful of notes the best cosine may lie
   * a hair above the median; stretched to 0–1 such noise would outvote the words.
   */
  readonly minSpan: number;
}

/** The constants in force. Numbers in brackets are decision records, which say what else was tried. */
export const RANKING: RankingConstants = {
  // [39]
  words: {
    k1: 1.2,
    b: 0.75,
    names: 1,
    fields: {
      title: 3,
      headers: 2.5,
      keywords: 2.5,
      description: 2,
      tags: 2,
      aliases: 1.5,
      author: 1,
      category: 1,
      content: 1,
    },
  },
  lanes: LANE_WEIGHTS,
  // A full vote for whatever holds code took 20 points of nDCG@10 from the judged code questions (docs/explain/quality.md).
  votes: { semantic: 1, keyword: 1, code: 0.2, graph: 1 }, // [9]
  evidence: { semantic: 0.3, keyword: 0.11, document: 0.45, title: 0.14, code: 0.05 }, // [38]
  sigmoid: {
    convex: { threshold: 0.336, steepness: 7.5 }, // [38]
    rrf: { threshold: 0.035, steepness: 150 },
  },
  cosine: { floor: 0.5, span: 0.4, minSpan: 0.25 }, // [39]
  // [18] The set weights measured best on exploratory questions. A query that names a thing wants its page, not the
  // page's neighbours.
  types: {
    factual: { keyword: 1.5, graph: 0 },
    navigational: { graph: 1.5 },
    exploratory: {},
  },
  enoughWords: 2, // [49]
  links: { rankOffset: 10 }, // [21]
  feedback: { passages: 2, wordsEach: 4, maxPassages: 4, pool: 100, linked: 0.5 }, // [34], [39]
  communitySeeds: 3, // [22]
};
