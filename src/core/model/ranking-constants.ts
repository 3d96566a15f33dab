/**
 * The constants of ranking, chosen by measurement. They are not settings, but every search receives them as data: benchmarks
 * try other values. A number in brackets is the decision record that lists the values tried.
 */
import type { KeywordField, QueryType } from './query.ts';
import type { SearchSettings } from './search-settings.ts';

/** Weights of convex fusion. The keys are the names of all lanes, in the order in which answers list them. */
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
  // At 0.2, judged code queries lose 1.7 points, because the keyword lane also scores identifiers.
  code: 0.05,
  graph: 0.2, // [21]
};

/** Name of a lane. Each lane gives every candidate one score; fusion combines these scores. `core/lanes/` describes each lane. */
export type Lane = keyof typeof LANE_WEIGHTS;
export const LANES = Object.keys(LANE_WEIGHTS) as readonly Lane[];

type LaneNumbers = Readonly<Partial<Record<Lane, number>>>;

export interface RankingConstants {
  /** Constants of BM25F. The indexes receive them when they are loaded. */
  readonly words: WordScoring;
  /** Weights of convex fusion before settings and factors, each 0 or more; only their ratios matter. */
  readonly lanes: Readonly<Record<Lane, number>>;
  /** Weights of rankings under reciprocal rank fusion, each 0 or more; 0 where absent. */
  readonly votes: LaneNumbers;
  /** Weights of lanes in the evidence, the sum from which the sigmoid computes confidence under convex fusion. */
  readonly evidence: LaneNumbers;
  /** The sigmoid for each fusion: the evidence at confidence 0.5, and the steepness there. */
  readonly sigmoid: Readonly<
    Record<SearchSettings['fusion'], { readonly threshold: number; readonly steepness: number }>
  >;
  readonly cosine: CosineScale;
  /** Factors of lane weights by query type; 1 where absent. A lane with `follows` has the factor of the lane that it follows. */
  readonly types: Readonly<Record<QueryType, LaneNumbers>>;
  /** Number of query words that one passage must hold for full weight of the keyword lanes, 1 or more. */
  readonly enoughWords: number;
  readonly links: {
    /**
     * Rank offset of votes passed along links, 0 or more. Smaller than the offset of fusion, because the first few
     * candidates matter most.
     */
    readonly rankOffset: number;
  };
  readonly feedback: {
    /**
     * Pseudo-relevance feedback: number of best candidates used as feedback passages, at least 1. With a single passage, its
     * own subject would have too much influence.
     */
    readonly passages: number;
    /** A long query uses one passage per this number of words, above 0. */
    readonly wordsEach: number;
    /** Maximum number of feedback passages for a long query, at least `passages` and at most `pool`. */
    readonly maxPassages: number;
    /**
     * Number of best candidates that can be lifted, at least `passages`; the same for every `top_n`. Candidates below these
     * are seldom near the answer.
     */
    readonly pool: number;
    /**
     * If links reach this share of the pool, feedback has weight 0, because links then show which passages belong together.
     * Above 0, at most 1.
     */
    readonly linked: number;
  };
  /** Number of best documents whose communities are used, at least 1. */
  readonly communitySeeds: number;
}

export interface WordScoring {
  /** `k1` of BM25, 0 or more: saturation of term frequency. At 0, only the first occurrence has an effect. */
  readonly k1: number;
  /** `b` of BM25: length normalisation, 0–1. */
  readonly b: number;
  /** Weight of a word in the names of a whole document, 0 or more; a word in the text has 1. */
  readonly names: number;
  /** Weight of a word in each field of a passage, 0 or more. */
  readonly fields: Readonly<Record<KeywordField, number>>;
}

export interface CosineScale {
  /** Typical cosine between unrelated texts, for models like the packaged one. */
  readonly floor: number;
  /** Distance from `floor` to the cosine of equal texts. */
  readonly span: number;
  /**
   * Cosines are scaled from the median (0) to the best (1). This is the minimum distance between the two: in a small
   * collection, the best may be just above the median, and such noise would outweigh the keyword lanes.
   */
  readonly minSpan: number;
}

/** The constants in use. */
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
  // With a code weight of 1, the judged code queries lost 20 points of nDCG@10 (docs/explain/quality.md).
  votes: { semantic: 1, keyword: 1, code: 0.2, graph: 1 }, // [9]
  evidence: { semantic: 0.3, keyword: 0.11, document: 0.45, title: 0.14, code: 0.05 }, // [38]
  sigmoid: {
    convex: { threshold: 0.336, steepness: 7.5 }, // [38]
    rrf: { threshold: 0.035, steepness: 150 },
  },
  cosine: { floor: 0.5, span: 0.4, minSpan: 0.25 }, // [39]
  // [18] Exploratory queries have no factors, because the weights of lanes were chosen on such queries. Factual queries ignore
  // links: on 1,000 queries with one known page, nDCG@10 is .8861 without links and .8821 with links.
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
