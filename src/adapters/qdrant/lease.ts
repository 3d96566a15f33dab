/** Lets one process at a time publish into a collection. */
import { DocfuseError } from '../../core/errors.ts';
import type { QdrantConnection } from './client.ts';
import { LEASE_ID } from './schema.ts';

/** A process that was killed keeps others waiting for this long. */
const LEASE_MS = 60_000;
const RENEW_MS = 15_000;

interface LeaseOptions {
  readonly owner: string;
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
}

/** @throws DocfuseError `index_busy`, which names the other process */
export async function holdLease(
  { call, place }: QdrantConnection,
  collection: string,
  { owner, now, signal }: LeaseOptions,
) {
  let renewed = 0;

  async function write(until: number, signal?: AbortSignal): Promise<void> {
    const point = { id: LEASE_ID, vector: {}, payload: { kind: 'lease', owner, until } };
    // The server compares and writes in one step: a lease of another process that has not ended stays.
    const update_filter = {
      should: [
        { key: 'owner', match: { value: owner } },
        { key: 'until', range: { lt: now() } },
      ],
    };
    await call((client) => client.upsert(collection, { points: [point], update_filter, wait: true }), signal);
    renewed = now();
  }

  async function take(): Promise<void> {
    await write(now() + LEASE_MS, signal);
    const asked = { ids: [LEASE_ID], with_payload: ['owner'] };
    const [held] = await call((client) => client.retrieve(collection, asked), signal);
    const holder = held?.payload?.owner;
    if (holder === owner) return;
    throw new DocfuseError(
      'index_busy',
      `${holder} is publishing to ${place.name} in Qdrant.`,
      'Wait until it has finished. If it was stopped, its claim ends within a minute.',
    );
  }

  await take();
  return {
    /** Keeps the lease; called often. @throws DocfuseError `index_busy` if another process has taken it */
    async renew(): Promise<void> {
      if (now() - renewed > RENEW_MS) await take();
    },
    /** Also after the signal. A failure is no loss: the lease ends by itself. */
    release: () => write(0).catch(() => {}),
  };
}
