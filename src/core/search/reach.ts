/** How deep the stages look that compare candidates with each other: as deep as the answer can reach. */
import type { Candidate, SearchRequest } from './state.ts';

/** MMR chooses from as many passages whatever the size of the answer. */
export const REACH = 30;

/** Room for hits that later stages fold into one. */
const SPARE = 10;

/**
 * Tells when enough survivors have been seen; those beyond the limit of their document fill no place in the answer.
 * To compare all candidates would cost milliseconds, and nobody would see the difference.
 */
export function createReach(
  { topN, settings }: SearchRequest,
  candidates: readonly Candidate[],
): (survivor: number) => boolean {
  const { mmrEnabled, rerankEnabled, rerankTopN } = settings;
  const places = Math.max(topN + SPARE, mmrEnabled ? REACH : 0, rerankEnabled ? rerankTopN : 0);
  const limit = mmrEnabled ? 0 : settings.maxChunksPerDoc;
  const ofDocument = new Map<number, number>();
  let filled = 0;
  return (survivor) => {
    const { document } = candidates[survivor]!;
    const count = (ofDocument.get(document) ?? 0) + 1;
    ofDocument.set(document, count);
    if (limit === 0 || count <= limit) filled++;
    return filled >= places;
  };
}
