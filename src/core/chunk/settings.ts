/** How documents are cut, with the defaults. */

/** Lengths do not count blank space around a piece. */
export interface ChunkingSettings {
  /** `headers`: at headings; `fixed`: by a number of characters. @default 'headers' */
  readonly strategy: 'headers' | 'fixed';
  /** A shorter section joins its neighbour; UTF-16 units, 0 or more. @default 200 */
  readonly minChars: number;
  /** A longer section is split; UTF-16 units, 1 or more. @default 1500 */
  readonly maxChars: number;
  /**
   * Longest text that a piece of a split section repeats from the one before; at most half of `maxChars` is used.
   * @default 100
   */
  readonly overlapChars: number;
  /** Whether chunks are also grouped into parents. @default true */
  readonly parentRetrievalEnabled: boolean;
  /** A shorter parent takes in more where its heading allows; UTF-16 units. @default 1500 */
  readonly parentMinChars: number;
  /** Longest parent, unless one chunk alone is longer; UTF-16 units. @default 2000 */
  readonly parentMaxChars: number;
  /** `fixed` only: length with overlap, in Unicode characters, 1 or more. @default 1000 */
  readonly chunkSize: number;
  /** `fixed` only: in Unicode characters; at most half of `chunkSize` is used. @default 200 */
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
