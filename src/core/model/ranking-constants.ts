/**
 * The constants of ranking, chosen by measurement. They are not settings, but every search receives them as data: benchmarks
 * try other values. "Decision 39" is the record `docs/decisions/0039-….md`, which lists the values tried.
 */
/** Weights of convex fusion. The keys are the names of all lanes, in the order in which answers list them. */
const LANE_WEIGHTS = {
  semantic: 0.5, // decision 39
  subject: 0.035, // decision 62
  keyword: 0.18, // decision 45
  coverage: 0.2, // decision 45
  document: 0.18, // decision 39
  title: 0.16, // decision 39
  name: 0.1, // decision 62
  heading: 0.05, // decision 62
  nearness: 0.1, // decision 62
  // At 0.2, judged code queries lose 1.7 points, because the keyword lane also scores identifiers.
  code: 0.05,
  graph: 0.2, // decision 21
};

/** Name of a lane. Each lane gives every candidate one score; fusion combines these scores. `core/lanes/` describes each lane. */
export type Lane = keyof typeof LANE_WEIGHTS;
export const LANES = Object.keys(LANE_WEIGHTS) as readonly Lane[];

type LaneNumbers = Readonly<Partial<Record<Lane, number>>>;

/**
 * Weights of a word in each field of a passage, under BM25F. The keys are the names of all fields. Segments store the lengths of
 * fields in this order.
 */
const FIELD_WEIGHTS = {
  title: 3,
  headers: 2.5,
  keywords: 2.5,
  description: 2,
  tags: 2,
  aliases: 1.5,
  author: 1,
  category: 1,
  content: 1,
};

/** Name of a field of BM25F. */
export type KeywordField = keyof typeof FIELD_WEIGHTS;
export const KEYWORD_FIELDS = Object.keys(FIELD_WEIGHTS) as readonly KeywordField[];

const CONSTANTS = {
  /** Constants of BM25F. The indexes receive them when they are loaded. Decision 39. */
  words: {
    /** Saturation of term frequency, 0 or more. At 0, only the first occurrence has an effect. */
    k1: 1.2,
    /** Length normalisation, 0–1. */
    b: 0.75,
    /** Weight of a word in the names of a whole document, 0 or more; a word in the text has 1. */
    names: 1,
    fields: FIELD_WEIGHTS,
  },
  /** Weights of convex fusion, before settings and the query multiply them. Each 0 or more; only their ratios matter. */
  lanes: LANE_WEIGHTS,
  /**
   * Weights of rankings under reciprocal rank fusion, each 0 or more; 0 where absent. Decision 9. With a code weight of 1, the
   * judged code queries lost 20 points of nDCG@10 (docs/explain/quality.md).
   */
  votes: { semantic: 1, keyword: 1, code: 0.2, graph: 1 } as LaneNumbers,
  /** Weights of lanes in the absolute score, from which the sigmoid computes confidence under convex fusion. Decision 38. */
  absolute: { semantic: 0.3, keyword: 0.11, document: 0.45, title: 0.14, code: 0.05 } as LaneNumbers,
  /** The sigmoid for each fusion: the absolute score at confidence 0.5, and the steepness there. Decision 38. */
  sigmoid: { convex: { threshold: 0.336, steepness: 7.5 }, rrf: { threshold: 0.035, steepness: 150 } },
  /** The scale of cosines. Decision 39. */
  cosine: {
    /** Typical cosine between unrelated texts, for models like the packaged one. */
    floor: 0.5,
    /** A cosine of `floor + span` (0.9) or more gets the score 1, as if the texts were equal; `floor` gets 0. */
    span: 0.4,
    /**
     * Cosines are scaled from the median (0) to the best (1). This is the minimum distance between median and best. In a small
     * collection, the best may be just above the median; without the minimum, this noise would outweigh the keyword lanes.
     */
    minSpan: 0.25,
  },
  /**
   * Factors of lane weights by query type; 1 where absent. A lane with `follows` has the factor of the lane that it follows.
   * Exploratory queries have no factors, because the weights of lanes were chosen on such queries. Factual queries ignore links:
   * on 1,000 queries with one known page, nDCG@10 is .8861 without links and .8821 with links. Decision 18.
   */
  types: {
    factual: { keyword: 1.5, graph: 0 } as LaneNumbers,
    navigational: { graph: 1.5 } as LaneNumbers,
    exploratory: {} as LaneNumbers,
  },
  /** Number of query words that one passage must hold for full weight of the keyword lanes, 1 or more. Decision 49. */
  enoughWords: 2,
  links: {
    /**
     * Rank offset of votes passed along links, 0 or more. Smaller than the offset of fusion, because the first few candidates
     * matter most. Decision 21.
     */
    rankOffset: 10,
  },
  /** Pseudo-relevance feedback. Decisions 34 and 39. */
  feedback: {
    /**
     * Number of best candidates used as feedback passages, at least 1. With a single passage, its own subject would have too much
     * influence.
     */
    passages: 2,
    /** For a long query: number of query words per feedback passage, above 0. */
    wordsEach: 4,
    /** Maximum number of feedback passages for a long query, at least `passages` and at most `pool`. */
    maxPassages: 4,
    /**
     * Number of best candidates that can be lifted, at least `passages`; the same for every `top_n`. Candidates below these are
     * seldom near the answer.
     */
    pool: 100,
    /**
     * If links reach this share of the pool, feedback has weight 0, because links then show which passages belong together. Above
     * 0, at most 1.
     */
    linked: 0.5,
  },
  /** Number of best documents whose communities are used, at least 1. Decision 22. */
  communitySeeds: 3,
};

type Constants<T> = { readonly [Name in keyof T]: T[Name] extends object ? Constants<T[Name]> : T[Name] };
export type RankingConstants = Constants<typeof CONSTANTS>;

export const RANKING: RankingConstants = CONSTANTS;
