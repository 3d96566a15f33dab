/** The settings that shape an index and its answers, in the words of `docfuse.toml`, with their defaults. */
import { z } from 'zod';

const weight = z.number().min(0).max(10);
const share = z.number().min(0).max(1);

const embedding = z.strictObject({
  model: z
    .string()
    .default('bge-small-en-v1.5')
    .describe('Name of the model inside the package, or the path of a folder with an ONNX model.'),
  workers: z
    .int()
    .min(0)
    .max(64)
    .default(0)
    .describe('Threads that embed passages; 0 chooses from cores and memory.'),
});

const chunking = z.strictObject({
  strategy: z
    .enum(['headers', 'fixed'])
    .default('headers')
    .describe('Cut at headings, or every so many characters.'),
  min_chars: z.int().min(0).default(200).describe('A shorter section joins its neighbour.'),
  max_chars: z.int().min(50).default(1500).describe('A longer section is split.'),
  overlap_chars: z.int().min(0).default(100).describe('Repeated between the pieces of one split section.'),
  parent_retrieval_enabled: z.boolean().default(true).describe('Keep the larger section around each chunk.'),
  parent_min_chars: z.int().min(0).default(1500).describe('Smallest parent, where the document allows it.'),
  parent_max_chars: z.int().min(50).default(2000).describe('Largest parent.'),
  chunk_size: z.int().min(50).default(1000).describe('Characters of a chunk under `fixed`.'),
  chunk_overlap: z.int().min(0).default(200).describe('Characters repeated between chunks under `fixed`.'),
});

const advanced = z.strictObject({
  dynamic_weights_enabled: z
    .boolean()
    .default(false)
    .describe('Weigh a ranking less when its scores hardly differ.'),
  variance_threshold: z
    .number()
    .min(0.001)
    .max(0.25)
    .default(0.1)
    .describe('Variance of a ranking’s scores, brought to 0–1, from which it has its full weight.'),
  min_factor: share.default(0.5).describe('Least share of its weight that a ranking keeps.'),
});

const search = z.strictObject({
  top_n: z.int().min(1).max(100).default(5).describe('Hits to return.'),
  candidates: z.int().min(10).max(10_000).default(100).describe('Chunks taken from each retriever.'),
  fusion: z.enum(['convex', 'rrf']).default('convex').describe('How rankings are merged.'),
  rrf_k_constant: z.number().min(1).max(1000).default(60).describe('Rank offset of reciprocal rank fusion.'),
  semantic_weight: weight.default(1).describe('Weight of finding by meaning.'),
  keyword_weight: weight
    .default(1)
    .describe('Weight of finding by words, with the document and title lanes.'),
  code_search_enabled: z
    .boolean()
    .default(true)
    .describe('Use the code index when the query looks like code.'),
  code_search_weight: weight.default(1).describe('Weight of finding by code.'),
  score_calibration_threshold: z
    .number()
    .optional()
    .describe('Evidence that becomes confidence 0.5. Default: the fitted value of the fusion in use.'),
  score_calibration_steepness: z
    .number()
    .min(0)
    .optional()
    .describe('Steepness of the confidence curve. Default: the fitted value of the fusion in use.'),
  min_confidence: share.default(0.3).describe('Hits below it are left out; 0 shows all.'),
  max_chunks_per_doc: z.int().min(0).max(100).default(2).describe('Hits from one document; 0 is no limit.'),
  adaptive_weights_enabled: z
    .boolean()
    .default(true)
    .describe('Let the type of the query decide which rankings count more.'),
  recency_bias: share
    .default(0.5)
    .describe('How much newer documents are preferred: 0.5 lifts those of the last week by 20 %; 0 is off.'),
  advanced: advanced.prefault({}),
});

/** Every setting with its range, default and meaning; unknown keys are refused. */
export const settingsSchema = z.strictObject({
  embedding: embedding.prefault({}),
  chunking: chunking.prefault({}),
  search: search.prefault({}),
});

export type Settings = z.output<typeof settingsSchema>;
