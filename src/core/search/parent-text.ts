/** The text of a parent, put together from the chunks it was cut into. */
import type { ChunkRecord } from '../ports.ts';
import type { SearchServices } from './state.ts';

/**
 * The children of a parent lie side by side among the slots of their document, so only they and their two neighbours
 * are read.
 */
export function parentText(
  child: ChunkRecord,
  { catalog, readChunks }: Pick<SearchServices, 'catalog' | 'readChunks'>,
): string {
  const slots = catalog.slotsOf(child.document);
  const place = slots.indexOf(child.slot);
  const sibling = (at: number): ChunkRecord | undefined => {
    const slot = slots[at];
    const chunk = slot === undefined ? undefined : readChunks([slot])[0];
    return chunk?.parentId === child.parentId ? chunk : undefined;
  };
  const family = [child];
  for (let at = place - 1, before = sibling(at); before; before = sibling(--at)) family.unshift(before);
  for (let at = place + 1, after = sibling(at); after; after = sibling(++at)) family.push(after);
  return family.map((chunk) => chunk.text.slice(chunk.overlap)).join('');
}
