/** Settings for splitting documents, with the defaults. */

/** Lengths do not include blank space around a piece. */
export interface ChunkingSettings {
  /** `headers`: at headings; `fixed`: by a number of characters. @default 'headers' */
  readonly strategy: 'headers' | 'fixed';
  /** Min length of a section; a shorter section is joined with its neighbour. UTF-16 units, 0 or more. @default 200 */
  readonly minChars: number;
  /** Max length of a section; a longer section is split. UTF-16 units, 1 or more. @default 1500 */
  readonly maxChars: number;
  /**
   * Max overlap of neighbouring pieces of a split section, in UTF-16 units. A value above half of `maxChars` counts as half.
   * @default 100
   */
  readonly overlapChars: number;
  /** Whether chunks are also grouped into parents. @default true */
  readonly parentRetrievalEnabled: boolean;
  /** Min length of a parent; a shorter parent gets more pieces of the same level 1 heading. UTF-16 units. @default 1500 */
  readonly parentMinChars: number;
  /** Max length of a parent, unless a single chunk is longer. UTF-16 units. @default 2000 */
  readonly parentMaxChars: number;
  /** `fixed` only: length of a piece with overlap, in Unicode characters, 1 or more. @default 1000 */
  readonly chunkSize: number;
  /** `fixed` only: overlap in Unicode characters; at most half of `chunkSize` is used. @default 200 */
  readonly chunkOverlap: number;
}

export const DEFAULT_CHUNKING: ChunkingSettings = {
  strategy: 'headers',
  minChars: 200,
  maxChars: 1500,
  overlapChars: 100,
  parentRetrievalEnabled: true,
  parentMinChars: 1500,
  parentMaxChars: 2000,
  chunkSize: 1000,
  chunkOverlap: 200,
};
