/** Makes a collection of Qdrant, with the settings of the user. */
import { type QdrantConnection, type Schemas, statusOf } from './client.ts';

export interface CollectionSettings {
  /** Number of shards. @default the setting of the server; also the default of the fields below */
  readonly shards?: number | undefined;
  readonly replicas?: number | undefined;
  readonly writeConsistency?: number | undefined;
}

export async function makeCollection(
  { call }: QdrantConnection,
  collection: string,
  vectors: Pick<Schemas['CreateCollection'], 'vectors' | 'sparse_vectors'>,
  { shards, replicas, writeConsistency }: CollectionSettings,
  signal?: AbortSignal,
): Promise<void> {
  const { exists } = await call((client) => client.collectionExists(collection), signal);
  if (exists) return;
  const made = {
    ...vectors,
    ...(shards !== undefined && { shard_number: shards }),
    ...(replicas !== undefined && { replication_factor: replicas }),
    ...(writeConsistency !== undefined && { write_consistency_factor: writeConsistency }),
  };
  await call(async (client) => {
    // 409: the collection exists. Another process made it, or an earlier attempt made it, but its answer was lost.
    await client.createCollection(collection, made).catch((error: unknown) => {
      if (statusOf(error) !== 409) throw error;
    });
  }, signal);
}
