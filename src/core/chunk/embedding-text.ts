/** Returns the text to embed for a chunk: its heading path, its context prefix, and its text without link definitions. */
import type { Chunk } from '../model/chunk.ts';
import { withoutLinkDefinitions } from '../text/link-definitions.ts';

export function embeddingText(chunk: Pick<Chunk, 'headingPath' | 'lead' | 'text'>): string {
  const lead = chunk.lead === undefined ? '' : `${chunk.lead}\n\n`;
  return `${chunk.headingPath.join(' > ')}\n\n${lead}${withoutLinkDefinitions(chunk.text).trim()}`;
}
