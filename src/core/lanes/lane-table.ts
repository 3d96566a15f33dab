/**
 * The table of lanes: modes, weights, scales and explanations. A new lane needs a row here, a function that finds or
 * scores passages, and its constants in `RANKING`.
 */
import type { Catalog } from '../indexes/catalog.ts';
import type { DocumentIndex, DocumentScores } from '../indexes/documents.ts';
import type { KeywordRetriever } from '../indexes/keyword.ts';
import { NO_SHARES, type Shares } from '../indexes/name-share.ts';
import { weighWords } from '../indexes/near-pairs.ts';
import type { Ranking, Retriever, SlotMask } from '../indexes/retriever.ts';
import { createTopK } from '../indexes/top-k.ts';
import type { SearchMode } from '../model/query.ts';
import { LANES, type Lane } from '../model/ranking-constants.ts';
import type { SearchSettings } from '../model/search-settings.ts';
import { COSINE_SCALE, type LaneScale, SCALE_TO_BEST } from '../rank/lane-scale.ts';
import type { Awaitable, RetrievalRequest } from '../retrieval/retrieval.ts';
import type { Analyzers } from '../text/analyzer.ts';
import { memoize } from '../text/memoize.ts';
import { looksLikePath, readTypedPath } from '../text/typed-path.ts';

/** Settings that scale the weight of lanes. */
type WeightSetting = Extract<keyof SearchSettings, `${string}Weight`>;

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

interface LaneSearch {
  readonly indexes: Indexes;
  readonly request: RetrievalRequest;
  readonly mask?: SlotMask | undefined;
  /** Rankings of the lanes that come earlier in the table. */
  readonly rankings: Readonly<Partial<Record<Lane, Awaitable<Ranking | undefined>>>>;
}

interface LaneRow {
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

/** Scale of shares, which are 0–1 already. Dividing them by the best share could make a small share look complete. */
const SHARE_SCALE: LaneScale = {
  apply: (lane, constants) => SCALE_TO_BEST.apply({ ...lane, best: 1 }, constants),
  explain: (found, scale, lane, constants) =>
    SCALE_TO_BEST.explain(found, scale, { ...lane, best: 1 }, constants),
};

export const LANE_TABLE: Readonly<Record<Lane, LaneRow>> = {
  semantic: {
    modes: ['hybrid', 'semantic'],
    settings: ['semanticWeight'],
    scale: COSINE_SCALE,
    search: searchSemantic,
  },
  subject: {
    modes: ['hybrid', 'semantic'],
    settings: ['semanticWeight', 'subjectWeight'],
    follows: 'semantic',
    scale: COSINE_SCALE,
    search: searchSubject,
  },
  // Words of the query in the passage and in the fields of its document, by BM25F.
  keyword: {
    modes: ['hybrid', 'keyword'],
    settings: ['keywordWeight'],
    scale: SCALE_TO_BEST,
    search: ({ indexes, request: { query: parsed, depth }, mask }) =>
      indexes.keyword.search({ parsed }, depth, mask),
  },
  coverage: { ...afterKeyword(searchCoverage), isObserved: true, scale: SHARE_SCALE },
  document: afterKeyword(searchDocument, 'documentWeight'),
  title: afterKeyword(searchTitle, 'titleWeight'),
  name: afterKeyword(searchName, 'nameWeight'),
  heading: afterKeyword(searchHeading, 'headingWeight'),
  nearness: afterKeyword(searchNearness, 'nearnessWeight'),
  // Identifiers of the query in the code blocks of the passage, by BM25.
  code: {
    modes: ['hybrid', 'code'],
    settings: ['codeSearchWeight'],
    scale: SCALE_TO_BEST,
    search: ({ indexes, request: { query: parsed, depth }, mask }) =>
      indexes.code.search({ parsed }, depth, mask),
  },
  // Votes of linked documents. The stage `graph` adds this lane, because votes start from candidates of the other lanes.
  graph: { modes: ['hybrid'], settings: ['graphWeight'], scale: SCALE_TO_BEST },
};

function afterKeyword(search: LaneRow['search'] & {}, ...settings: readonly WeightSetting[]): LaneRow {
  return {
    modes: ['hybrid', 'keyword'],
    settings: ['keywordWeight', ...settings],
    follows: 'keyword',
    scale: SCALE_TO_BEST,
    search,
  };
}

/** Returns values by lane. A lane with `follows` gets the value of the lane named there. */
export function withFollowers(values: Readonly<Partial<Record<Lane, number>>>): typeof values {
  const shared = LANES.map((lane) => [lane, values[LANE_TABLE[lane].follows ?? lane]] as const);
  return Object.fromEntries(shared.filter(([, value]) => value !== undefined));
}

/** Semantic similarity: the cosine of passage and query. */
async function searchSemantic({ indexes, request, mask }: LaneSearch): Promise<Ranking | undefined> {
  const vector = await request.vector;
  if (vector === undefined) return undefined;
  const ranking = await indexes.semantic?.search({ parsed: request.query, vector }, request.depth, mask);
  // If no allowed passage has a vector, the lane is absent: scores of 0 would lower every passage.
  return ranking?.entries.length ? ranking : undefined;
}

/** Semantic similarity to the whole document: the mean cosine of its two best passages. */
async function searchSubject({ indexes, rankings }: LaneSearch): Promise<Ranking | undefined> {
  const { catalog } = indexes;
  const { approximateScoreOf: cosineOf, best = 0, median = 0 } = (await rankings.semantic) ?? {};
  if (!cosineOf) return undefined;
  const meanOf = memoize((document: number) => meanOfTwoBest(catalog.slotsOf(document), cosineOf));
  const scoreOf = (slot: number) => meanOf(catalog.documentOf(slot)?.number ?? -1);
  return scorePassages('subject', 'mean cosine of the two best passages', scoreOf, { best, median });
}

/** Returns the mean of the two highest cosines. If a document has only one passage, returns the cosine of this passage. */
function meanOfTwoBest(slots: readonly number[], cosineOf: (slot: number) => number): number {
  let best = 0;
  let second = 0;
  for (const slot of slots) {
    const cosine = cosineOf(slot);
    if (cosine > best) {
      second = best;
      best = cosine;
    } else if (cosine > second) second = cosine;
  }
  return slots.length > 1 ? (best + second) / 2 : best;
}

/** Share of the query's idf that the passage matches; repeated words count once. */
async function searchCoverage({ rankings }: LaneSearch): Promise<Ranking | undefined> {
  const { coverageOf, bestCoverage = 0 } = (await rankings.keyword) ?? {};
  const label = 'share of the query’s idf matched';
  return coverageOf && scorePassages('coverage', label, coverageOf, { best: bestCoverage });
}

/** Words of the query in the whole document, by BM25; all its passages have this score. */
function searchDocument({ indexes, request }: LaneSearch): Ranking {
  return shareScores('document', indexes.documents.document(request.query), indexes);
}

/** Maximum number of documents that become candidates by their names. */
const MAX_TITLES = 10;

/** Words of the query in title, aliases and file name, by BM25 and by the share of the name that the query covers. */
function searchTitle({ indexes, request, mask }: LaneSearch): Ranking {
  const { catalog, documents, analyzers } = indexes;
  const { query, depth } = request;
  const scores = documents.title(query);
  // The words of a name may be in no passage, so the first passage of the document becomes the candidate.
  const top = createTopK(Math.min(MAX_TITLES, depth), catalog.idOf);
  const offer = (number: number, score: number) => {
    const first = catalog.firstShown(number, mask);
    if (first !== undefined) top.offer(first, score);
  };
  const typed = typedDocuments(query.plain, indexes);
  for (const [number, parts] of typed) offer(number, scores.max + parts);
  for (let number = 0; number < scores.scores.length; number++) {
    const score = scores.scores[number]!;
    if (score > 0 && score >= top.least && !typed.has(number)) offer(number, score);
  }
  const shareOf = (slot: number) => {
    const found = catalog.documentOf(slot);
    return found ? scores.shareOf(found, analyzers?.of(found.collection)) : NO_SHARES.ofName;
  };
  return { ...shareScores('title', scores, indexes), entries: top.ranked(), shareOf };
}

/** Share of the query that the file name covers, multiplied by the share of the name that the query covers. */
async function searchName({ indexes, request, rankings }: LaneSearch): Promise<Ranking> {
  const { catalog, documents, analyzers } = indexes;
  const titles = await rankings.title;
  const shares = documents.fileNames(request.query.words);
  return scoreShares('name', (slot) => {
    const found = catalog.documentOf(slot);
    // The usual case: no name of the document has a word of the query.
    if (!found || titles?.scoreOf(slot) === 0) return NO_SHARES;
    return shares(found, analyzers?.of(found.collection));
  });
}

/** Share of the query that the headings above a passage cover, multiplied by the share of the headings that the query covers. */
async function searchHeading({ indexes, request, rankings }: LaneSearch): Promise<Ranking> {
  const words = weighWords(request.query.words, (await rankings.keyword)?.idf);
  return scoreShares('heading', indexes.keyword.headingShares(words));
}

/** Share of the pairs of adjacent query words, by idf. A pair counts if the passage has its words near each other, in order. */
async function searchNearness({ indexes, request, rankings }: LaneSearch): Promise<Ranking> {
  const words = weighWords(request.query.words, (await rankings.keyword)?.idf);
  const { bitsOf, idf } = indexes.keyword.nearPairs(words);
  // A single word makes no pair, so the sum may be 0.
  const total = idf.reduce((sum, each) => sum + each, 0) || 1;
  const scoresOf = (slots: readonly number[]) =>
    Float64Array.from(bitsOf(slots), (bits) => {
      let sum = 0;
      for (let bit = 0; bit < idf.length; bit++) if (bits & (1 << bit)) sum += idf[bit]!;
      return sum / total;
    });
  const scoreOf = (slot: number) => scoresOf([slot])[0]!;
  return scorePassages('nearness', 'share of near word pairs, by idf', scoreOf, { best: 1, scoresOf });
}

/** Makes a ranking that scores the passages of other lanes and adds no candidates. */
function scorePassages(
  lane: Lane,
  label: string,
  scoreOf: Ranking['scoreOf'],
  rest: Omit<Ranking, 'lane' | 'entries' | 'scoreOf' | 'explain'>,
): Ranking {
  const explain = (slot: number) => ({ label, value: scoreOf(slot) });
  return { lane, entries: [], scoreOf, explain, ...rest };
}

function scoreShares(lane: Lane, sharesOf: (slot: number) => Shares): Ranking {
  const scoreOf = (slot: number) => sharesOf(slot).ofQuery;
  const shareOf = (slot: number) => sharesOf(slot).ofName;
  return scorePassages(lane, 'share of the query’s idf', scoreOf, { best: 1, shareOf });
}

/** Makes a ranking from scores of documents. It has no entries: it only scores passages that other lanes found. */
function shareScores(lane: Lane, scores: DocumentScores, { catalog }: Indexes): Ranking {
  const { scoreOf, max, bound, explain, release } = scores;
  const numberOf = (slot: number) => catalog.documentOf(slot)?.number ?? -1;
  return {
    lane,
    entries: [],
    best: max,
    bound,
    release,
    scoreOf: (slot) => scoreOf(numberOf(slot)),
    explain: (slot) => explain(numberOf(slot)),
  };
}

/** Returns, by number of a document, how many parts of its path match. Empty if the query does not look like a path. */
function typedDocuments(query: string, { catalog }: Indexes): ReadonlyMap<number, number> {
  if (!looksLikePath(query)) return new Map();
  const { fileName, partsIn } = readTypedPath(query);
  const documents = fileName === undefined ? [] : catalog.named(fileName);
  const parts = documents.map((document) => [document.number, partsIn(document)] as const);
  return new Map(parts.filter(([, count]) => count > 0));
}
