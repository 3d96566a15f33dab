/** An index published in Qdrant: a collection for each edition, and an alias that shows the complete one. */
import { DocfuseError } from '../../core/errors.ts';
import type { PublishedEngine } from '../published/engine.ts';
import type { PublishedState } from '../published/format.ts';
import { claimName } from './claim-name.ts';
import { connectQdrant, notPublished, type QdrantPlace } from './client.ts';
import { type CollectionSettings, STATE_ID } from './layout.ts';
import { readCollection } from './read-collection.ts';
import { writeCollection } from './write-collection.ts';

/** Up to this number of passages, comparing all vectors is fast enough. */
const EXACT_PASSAGES = 100_000;

/**
 * @param exactPassages up to this number of passages, a search compares all vectors
 * @throws DocfuseError `package_missing` without the client
 */
export async function openQdrant(
  place: QdrantPlace,
  settings: CollectionSettings = {},
  exactPassages = EXACT_PASSAGES,
): Promise<PublishedEngine> {
  const connection = await connectQdrant(place);
  const { name } = place;
  const about = { name, title: `${name} in Qdrant`, nameSetting: 'qdrant.name' };
  return {
    ...about,
    async state(signal) {
      const asked = { ids: [STATE_ID], with_payload: true };
      try {
        const [found] = await connection.call((client) => client.retrieve(name, asked), signal);
        return found?.payload as PublishedState | undefined;
      } catch (error) {
        if (error instanceof DocfuseError && error.code === 'index_missing') return undefined;
        throw error;
      }
    },
    // Reads the collection directly: if the alias changed during a search, the search would see two collections.
    reader: ({ edition, passages }) => readCollection(connection, edition, passages.count <= exactPassages),
    claim: (owner, milliseconds, signal) => claimName(connection, settings, owner, milliseconds, signal),
    writer: (edition, dimensions, signal) =>
      writeCollection(connection, edition, dimensions, settings, about, signal),
    missing: (cause) => notPublished(place, cause),
    close: async () => {},
  };
}
