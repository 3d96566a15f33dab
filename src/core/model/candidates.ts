/** What finding hands to ranking: passages in columns, the same place in each. */
import type { Lane } from './ranking-constants.ts';

/** What one lane says of the candidates. */
export interface LaneScores {
  /** By place: cosines, sums of BM25, shares; 0 where nothing matches. */
  readonly scores: Float64Array;
  /** By place, 0–1: factor for a score relative to the best. @default 1 for all */
  readonly shares?: Float64Array;
  /** The best score of all passages, filtered out or not, so that a filter changes no score. */
  readonly best: number;
  /** Median score of all passages; semantic only. */
  readonly median?: number;
  /** Largest score the query could reach (`Σ idf · (k1 + 1)`); lanes of words only. */
  readonly bound?: number;
  /** The idf of each term of the query; keyword only. */
  readonly idf?: ReadonlyMap<string, number>;
}

export interface LaneFound extends LaneScores {
  /** Places of the candidates this lane brought, best first, equal scores by id; empty for a lane that only scores. */
  readonly ranked: readonly number[];
}

/** Passages that could answer, and what later stages ask of all of them. */
export interface Candidates {
  /** Handles for further questions about them; a slot is never given to another passage. */
  readonly slots: readonly number[];
  readonly ids: readonly string[];
  /** Numbers of their documents. */
  readonly documents: readonly number[];
  /** Dates of their documents, milliseconds since 1970. */
  readonly modified: readonly number[];
  /** Content hashes; 0 for a passage without visible text. */
  readonly contents: readonly number[];
  /** Ids of the parents they may be shown as; undefined where the parent holds what the query excludes. */
  readonly parents: readonly (string | undefined)[];
  /** Numbers that documents of one community share; only when asked for. */
  readonly communities?: readonly (number | undefined)[];
  /** Whether they are worth showing: they have visible text, or no passage of the document has any. */
  readonly shown: readonly boolean[];
  /** Absent: a lane that was not asked for, or that this query gives nothing to score by. */
  readonly lanes: Readonly<Partial<Record<Lane, LaneFound>>>;
}

export interface Found extends Candidates {
  /** Passages of the whole index. */
  readonly total: number;
  /** How many of these pass filters, phrases and excluded words; absent where nothing narrows. */
  readonly passing?: number;
  /** A required phrase that no passage holds was read as plain words. */
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

/** Appends the candidates of `more` that are not among those found; the lanes of `found` score both. */
export function joinCandidates<Some extends Candidates>(found: Some, more: Candidates): Some {
  const known = new Set(found.slots);
  const fresh = [...more.slots.keys()].filter((place) => !known.has(more.slots[place]!));
  if (fresh.length === 0) return found;
  const join = <T>(own: readonly T[], others: readonly T[]) => [
    ...own,
    ...fresh.map((place) => others[place]!),
  ];
  const joinScores = (own: Float64Array, others: Float64Array) => {
    const joined = new Float64Array(own.length + fresh.length);
    joined.set(own);
    for (const [index, place] of fresh.entries()) joined[own.length + index] = others[place]!;
    return joined;
  };
  const lanes = Object.entries(found.lanes).map(([lane, own]): [string, LaneFound] => {
    const { scores, shares } = more.lanes[lane as Lane]!;
    return [
      lane,
      {
        ...own,
        scores: joinScores(own.scores, scores),
        ...(own.shares && shares && { shares: joinScores(own.shares, shares) }),
      },
    ];
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
