/** Derives from a chunk its catalog entry and the text to embed. */
import type { Chunk } from '../model/chunk.ts';
import { plainDigest } from '../text/digest.ts';
import { withoutLinkDefinitions } from '../text/link-definitions.ts';
import { showsText } from '../text/plain-markdown.ts';

/** 52 bits: the most hexadecimal digits that fit exactly into a JavaScript number. */
const DIGITS = 13;

/**
 * Returns the hash of a chunk's text, without overlap and trimmed. Equal texts have equal hashes. In an index of a million
 * chunks, the chance that two different texts have the same hash is 1 in 10,000.
 * @returns 0 for a text without visible content, else an integer up to 2^52
 */
export function contentHash(
  { text, overlap }: Pick<Chunk, 'text' | 'overlap'>,
  digest = plainDigest,
): number {
  const content = text.slice(overlap).trim();
  if (!showsText(content)) return 0;
  return Number.parseInt(digest(content).slice(0, DIGITS), 16) || 1;
}

/** Makes a `ChunkHead` without the field `document`. Exact duplicates have the same `content`, so no texts are compared. */
export function chunkHead(slot: number, chunk: Chunk) {
  const { id, codeBlocks, parentId } = chunk;
  return {
    slot,
    id,
    languages: [...new Set(codeBlocks.map(({ language }) => language).filter(Boolean))],
    content: contentHash(chunk),
    ...(parentId !== undefined && { parentId }),
  };
}

/** Returns the text to embed for a chunk: its heading path, its context prefix, and its text without link definitions. */
export function embeddingText(chunk: Pick<Chunk, 'headingPath' | 'contextPrefix' | 'text'>): string {
  const prefix = chunk.contextPrefix === undefined ? '' : `${chunk.contextPrefix}\n\n`;
  return `${chunk.headingPath.join(' > ')}\n\n${prefix}${withoutLinkDefinitions(chunk.text).trim()}`;
}
