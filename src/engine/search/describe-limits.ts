/** Says what an index cannot do, for `status`, `doctor` and explained answers. */
import type { RetrievalCapabilities } from '../../core/retrieval/retrieval.ts';

const LIMITS: Readonly<Record<keyof RetrievalCapabilities, string>> = {
  exactWords: 'Words are scored by the engine, not by BM25F over all passages.',
  exactVectors:
    'Vectors are found by a graph, not by comparing all of them: a passage close in meaning may be missed.',
  phrases: 'Phrases are searched as single words.',
  wordForms:
    'Query words are not split in two, acronyms are not written out, and no related words are added.',
  explanations: 'Explanations give the scores of the lanes, but not how they were computed.',
};

/** Returns one sentence for each ability that is missing; an empty list for the embedded index. */
export function describeLimits(capabilities: RetrievalCapabilities): readonly string[] {
  return Object.entries(LIMITS).flatMap(([ability, limit]) =>
    capabilities[ability as keyof RetrievalCapabilities] ? [] : [limit],
  );
}
