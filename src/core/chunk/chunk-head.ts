/** What the catalog keeps of a chunk. */
import type { Chunk } from '../model/chunk.ts';
import { contentHash } from './content-hash.ts';

/** A `ChunkHead` but for its document. @param content where its hash is known */
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
