/** Chooses the passage that stands for a document. */
import type { Catalog } from '../indexes/catalog.ts';
import type { Ranking, SlotMask } from '../indexes/retriever.ts';
import type { Lane } from '../model/ranking-constants.ts';

/** The allowed passage of a document with the largest sum of scores by meaning and by words, each against the best found; equal ones by id. */
export function bestPassage(
  { semantic, keyword }: Readonly<Partial<Record<Lane, Ranking>>>,
  mask: SlotMask | undefined,
  { slotsOf, idOf }: Pick<Catalog, 'slotsOf' | 'idOf'>,
): (document: number) => number | undefined {
  const scales = [semantic, keyword].flatMap((ranking) => {
    if (!ranking) return [];
    const { entries, median = 0, scoreOf, approximateScoreOf = scoreOf } = ranking;
    const span = (entries[0]?.score ?? 0) - median || 1;
    // Choosing among passages needs no more than the 8-bit cosine; the chosen one is scored exactly.
    return [(slot: number) => (approximateScoreOf(slot) - median) / span];
  });
  return (document) => {
    let best: number | undefined;
    let most = Number.NEGATIVE_INFINITY;
    for (const slot of slotsOf(document)) {
      if (mask !== undefined && mask[slot] !== 1) continue;
      const score = scales.reduce((sum, scale) => sum + scale(slot), 0);
      if (best === undefined || score > most || (score === most && idOf(slot) < idOf(best))) {
        [best, most] = [slot, score];
      }
    }
    return best;
  };
}
