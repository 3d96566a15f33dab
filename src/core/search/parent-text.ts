/** The text of a parent, put together from the chunks it was cut into. */
import type { ChunkRecord } from '../ports.ts';
import type { SearchServices } from './state.ts';

/** The slots of a document are in the order of its text. */
export function parentText(
  { document, parentId }: Pick<ChunkRecord, 'document' | 'parentId'>,
  { catalog, readTexts }: Pick<SearchServices, 'catalog' | 'readTexts'>,
): string {
  return readTexts(catalog.slotsOf(document).filter((slot) => catalog.parentOf(slot) === parentId)).join('');
}
