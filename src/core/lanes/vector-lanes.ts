/** How the semantic lanes find or score passages: by passage and by document. */
import type { Ranking } from '../indexes/retriever.ts';
import { type LaneSearch, scorePassages } from './lane.ts';

/** Semantic similarity: the cosine of passage and query. */
export async function searchSemantic({ indexes, request, mask }: LaneSearch): Promise<Ranking | undefined> {
  const vector = await request.vector;
  if (vector === undefined) return undefined;
  const ranking = await indexes.semantic?.search({ parsed: request.query, vector }, request.depth, mask);
  // If no allowed passage has a vector, the lane is absent: scores of 0 would lower every passage.
  return ranking?.entries.length ? ranking : undefined;
}

/** Semantic similarity to the whole document: the mean cosine of its two best passages. */
export async function searchSubject({ indexes, rankings }: LaneSearch): Promise<Ranking | undefined> {
  const { catalog } = indexes;
  const { approximateScoreOf: cosineOf, best = 0, median = 0 } = (await rankings.semantic) ?? {};
  if (!cosineOf) return undefined;
  const known = new Map<number, number>();
  const scoreOf = (slot: number) => {
    const document = catalog.documentOf(slot)?.number ?? -1;
    const score = known.get(document) ?? meanOfTwoBest(catalog.slotsOf(document), cosineOf);
    known.set(document, score);
    return score;
  };
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
