/** Leases the name of a publication, by the clock of the server. */
import type { Lease } from '../published/engine.ts';
import type { PostgresConnection, Query } from './client.ts';
import { migrate } from './layout.ts';

/** Makes the shared tables if they are missing, then leases the name as `PublishedEngine.claim` describes. */
export function claimName(
  { place: { name }, transaction }: PostgresConnection,
  owner: string,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<Lease> {
  return transaction(async (query) => {
    await migrate(query);
    await query(
      `INSERT INTO docfuse.leases AS held VALUES ($1, $2, clock_timestamp(), clock_timestamp() + $3 * interval '1 millisecond')
        ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until,
          since = CASE WHEN held.owner = excluded.owner THEN held.since ELSE excluded.since END
        WHERE held.owner = excluded.owner OR held.until <= excluded.since`,
      [name, owner, milliseconds],
    );
    return (await readLease(query, name))!;
  }, signal);
}

/** @param locking `FOR UPDATE` to lock the row until the transaction ends; such a lock needs the right to write */
export async function readLease(query: Query, name: string, locking: 'FOR UPDATE' | '' = '') {
  const [lease] = await query<Lease>(
    `SELECT owner, since, until FROM docfuse.leases WHERE name = $1 ${locking}`,
    [name],
  );
  return lease;
}
