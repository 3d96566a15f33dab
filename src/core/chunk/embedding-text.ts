/** What is embedded for a chunk: the heading path, then what a reader sees of its text. */
import type { Chunk } from '../model/chunk.ts';
import { withoutLinkDefinitions } from '../text/link-definitions.ts';

export function embeddingText(chunk: Pick<Chunk, 'headingPath' | 'text'>): string {
  return `${chunk.headingPath.join(' > ')}\n\n${withoutLinkDefinitions(chunk.text).trim()}`;
}
