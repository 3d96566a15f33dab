/** What the catalog keeps of a chunk, and the hash of its content, which finds exact duplicates without reading texts. */
import type { Chunk } from '../model/chunk.ts';
import { plainDigest } from '../text/digest.ts';
import { showsText } from '../text/plain-markdown.ts';

/** 52 bits: the most hexadecimal digits that an integer of JavaScript holds. */
const DIGITS = 13;

/**
 * Hash of the text without overlap and without blank space at its ends; equal texts have equal numbers, and
 * of a million chunks two different ones share a number with a chance of one in ten thousand.
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

/** A `ChunkHead` without its document. @param content its hash, if it is known */
export function chunkHead(slot: number, chunk: Chunk, content = contentHash(chunk)) {
  const { id, codeBlocks, parentId } = chunk;
  return {
    slot,
    id,
    languages: [...new Set(codeBlocks.map(({ language }) => language).filter(Boolean))],
    content,
    ...(parentId !== undefined && { parentId }),
  };
}
