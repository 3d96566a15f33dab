/** Reads what is published under an alias. */
import { DocfuseError } from '../../core/errors.ts';
import type { QdrantConnection, QdrantPlace } from './client.ts';
import { type PublishedState, SCHEMA, STATE_ID } from './schema.ts';

/** Undefined if nothing is published. */
export async function readState(
  { call, place: { name } }: QdrantConnection,
  signal?: AbortSignal,
): Promise<PublishedState | undefined> {
  try {
    const [found] = await call(
      (client) => client.retrieve(name, { ids: [STATE_ID], with_payload: true }),
      signal,
    );
    return found?.payload as PublishedState | undefined;
  } catch (error) {
    if (error instanceof DocfuseError && error.code === 'index_missing') return undefined;
    throw error;
  }
}

/** @throws DocfuseError `index_newer` */
export function requireReadable({ schema }: PublishedState, { name }: Pick<QdrantPlace, 'name'>): void {
  if (schema <= SCHEMA) return;
  throw new DocfuseError(
    'index_newer',
    `${name} in Qdrant was published by a newer docfuse (schema ${schema}, here ${SCHEMA}).`,
    'Update docfuse on this machine.',
  );
}
