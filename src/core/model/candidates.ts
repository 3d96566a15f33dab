/** The result of retrieval and input of ranking: one array per field. Index `i` is the same passage in every array. */
import type { Lane } from './ranking-constants.ts';

export interface LaneScores {
  /** Score of each candidate: a cosine, a BM25 sum or a share, depending on the lane; 0 if nothing matches. */
  readonly scores: Float64Array;
  /** Factor of each candidate, 0–1. Fusion divides the score by `best`, then multiplies it by this factor. @default 1 for all */
  readonly shares?: Float64Array;
  /**
   * Highest score of all passages, also of those that a filter excludes: a filter must not change scores. The name, heading and
   * nearness lanes have 1, the highest possible score. The subject lane has the value of the semantic lane.
   */
  readonly best: number;
  /** Median cosine of all passages; semantic and subject lanes only. Both have the same value. */
  readonly median?: number;
  /** Upper limit of the score that the typed words can give (`Σ count · idf · (k1 + 1)`); BM25 lanes only. */
  readonly bound?: number;
  /** The idf of each term of the query; keyword and code lanes only. */
  readonly idf?: ReadonlyMap<string, number>;
}

export interface LaneFound extends LaneScores {
  /** Indexes of the candidates that this lane found, best first, equal scores by id. Empty if the lane only scores candidates. */
  readonly ranked: readonly number[];
}

/** Passages that may answer the query, with the facts that ranking needs. */
export interface Candidates {
  /** Slots identify the candidates in later calls. A slot is never reused for another passage. */
  readonly slots: readonly number[];
  readonly ids: readonly string[];
  /** Numbers of the candidates' documents. */
  readonly documents: readonly number[];
  /** Dates of the candidates' documents, milliseconds since 1970. */
  readonly modified: readonly number[];
  /** Content hashes; 0 for a passage without visible text. */
  readonly contents: readonly number[];
  /** Ids of the parents to show in place of the candidates; undefined without a parent, or if the parent has an excluded word. */
  readonly parents: readonly (string | undefined)[];
  /** For each candidate, the number of its document's community; undefined without one. Absent if not requested. */
  readonly communities?: readonly (number | undefined)[];
  /** Whether a candidate is worth showing: it has visible text, or no passage of its document has any. */
  readonly shown: readonly boolean[];
  /** A lane is absent if it was not requested, or if it cannot score this query. */
  readonly lanes: Readonly<Partial<Record<Lane, LaneFound>>>;
}

export interface Found extends Candidates {
  /** Number of passages in the whole index. */
  readonly total: number;
  /** Number of passages that pass filters, phrases and excluded words; absent if the query has none of these. */
  readonly passing?: number;
  /** Whether a phrase of the query is in no passage. Its words were then searched as plain words. */
  readonly relaxed: boolean;
}

export const NOTHING_FOUND: Found = {
  slots: [],
  ids: [],
  documents: [],
  modified: [],
  contents: [],
  parents: [],
  shown: [],
  lanes: {},
  total: 0,
  relaxed: false,
};

/** Appends the candidates of `more` that are not in `found`. The lanes are those of `found`, with scores of all candidates. */
export function joinCandidates<Some extends Candidates>(found: Some, more: Candidates): Some {
  const known = new Set(found.slots);
  const fresh = [...more.slots.keys()].filter((place) => !known.has(more.slots[place]!));
  if (fresh.length === 0) return found;
  const join = <T>(own: Iterable<T>, others: ArrayLike<T>) => [
    ...own,
    ...fresh.map((place) => others[place]!),
  ];
  const joinScores = (own: Float64Array, others: Float64Array) => Float64Array.from(join(own, others));
  const lanes = Object.entries(found.lanes).map(([lane, own]): [string, LaneFound] => {
    const { scores, shares } = more.lanes[lane as Lane]!;
    const joined = { ...own, scores: joinScores(own.scores, scores) };
    return [lane, own.shares && shares ? { ...joined, shares: joinScores(own.shares, shares) } : joined];
  });
  return {
    ...found,
    slots: join(found.slots, more.slots),
    ids: join(found.ids, more.ids),
    documents: join(found.documents, more.documents),
    modified: join(found.modified, more.modified),
    contents: join(found.contents, more.contents),
    parents: join(found.parents, more.parents),
    ...(found.communities && { communities: join(found.communities, more.communities ?? []) }),
    shown: join(found.shown, more.shown),
    lanes: Object.fromEntries(lanes),
  };
}
