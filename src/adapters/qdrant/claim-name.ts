/** Leases the name of a publication. The lease is a point in its own collection, because all editions of the name share it. */
import { DocfuseError } from '../../core/errors.ts';
import type { Lease } from '../published/engine.ts';
import type { QdrantConnection } from './client.ts';
import { type CollectionSettings, makeCollection } from './layout.ts';

/** Id of the only point. */
const LEASE_ID = 0;
const collectionOf = (name: string) => `${name}.lease`;

/** Leases the name as `PublishedEngine.claim` describes. Times are those of this machine, because Qdrant tells no time. */
export async function claimName(
  connection: QdrantConnection,
  settings: CollectionSettings,
  owner: string,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<Lease> {
  const collection = collectionOf(connection.place.name);
  await requireFreeName(connection, signal);
  // The engine demands at least one kind of vector.
  const vectors = { vectors: {}, sparse_vectors: { none: {} } };
  await makeCollection(connection, collection, vectors, { ...settings, shards: 1 }, signal);
  const before = await readLease(connection, signal);
  const now = Date.now();
  const since = before?.owner === owner ? before.since.getTime() : now;
  const point = { id: LEASE_ID, vector: {}, payload: { owner, since, until: now + milliseconds } };
  // The server applies the filter and writes in one step, so it never overwrites a valid lease of another process.
  const update_filter = {
    should: [
      { key: 'owner', match: { value: owner } },
      { key: 'until', range: { lte: now } },
    ],
  };
  const sent = { points: [point], update_filter, wait: true, ordering: 'strong' as const };
  await connection.call((client) => client.upsert(collection, sent), signal);
  return (await readLease(connection, signal))!;
}

export async function readLease(
  { call, place }: QdrantConnection,
  signal?: AbortSignal,
): Promise<Lease | undefined> {
  const asked = { ids: [LEASE_ID], with_payload: true, consistency: 'majority' as const };
  const [found] = await call((client) => client.retrieve(collectionOf(place.name), asked), signal);
  if (!found) return undefined;
  const { owner, since, until } = found.payload as Readonly<Record<string, unknown>>;
  return { owner: String(owner), since: new Date(Number(since)), until: new Date(Number(until)) };
}

/** An alias cannot have the name of a collection. @throws DocfuseError `usage` before anything is sent */
async function requireFreeName(
  { call, place: { name } }: QdrantConnection,
  signal?: AbortSignal,
): Promise<void> {
  const { collections } = await call((client) => client.getCollections(), signal);
  if (!collections.some((each) => each.name === name)) return;
  throw new DocfuseError(
    'usage',
    `Qdrant has a collection ${name}, which docfuse did not make.`,
    'Choose another qdrant.name.',
  );
}
