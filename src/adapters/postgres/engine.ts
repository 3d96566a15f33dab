/** An index published in PostgreSQL: tables for each edition, and a row that says which edition is shown. */
import { DocfuseError } from '../../core/errors.ts';
import type { PublishedEngine } from '../published/engine.ts';
import type { PublishedState } from '../published/format.ts';
import { claimName } from './claim-name.ts';
import { connectPostgres, notPublished, type PostgresPlace } from './client.ts';
import { requireLayout } from './layout.ts';
import { readEdition } from './read-edition.ts';
import { writeEdition } from './write-edition.ts';

/** Up to this number of passages, all vectors are compared: about 100 ms for 384 dimensions, on two busy cores. */
const EXACT_PASSAGES = 50_000;

interface StateRow {
  readonly version: number;
  readonly state: PublishedState | null;
  readonly behind: number | null;
}

/**
 * Seconds since the newest change: its time is unknown after a restart of the replica, and then that of the publication counts. NULL
 * on a primary, and on a connected replica that has less than 1 MB to apply.
 */
const BEHIND = `CASE WHEN pg_is_in_recovery() THEN CASE WHEN NOT EXISTS (SELECT FROM pg_stat_wal_receiver)
    OR pg_wal_lsn_diff(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) > 1e6
  THEN extract(epoch FROM clock_timestamp() - coalesce(pg_last_xact_replay_timestamp(),
    (SELECT (state ->> 'published')::timestamptz FROM docfuse.publications WHERE name = $1)))::float8 END END`;

/**
 * @param exactPassages up to this number of passages, a search compares all vectors
 * @throws DocfuseError `package_missing` without the client
 */
export async function openPostgres(
  place: PostgresPlace,
  exactPassages = EXACT_PASSAGES,
): Promise<PublishedEngine> {
  const connection = await connectPostgres(place);
  const { name } = place;
  const about = { name, title: `${name} in PostgreSQL`, nameSetting: 'postgres.name' };
  return {
    ...about,
    async state(signal) {
      const asked = `SELECT (SELECT version FROM docfuse.layout), (SELECT state FROM docfuse.publications WHERE name = $1), ${BEHIND} AS behind`;
      try {
        const [found] = await connection.query<StateRow>(asked, [name], signal);
        const { version, state, behind } = found!;
        requireLayout(version);
        return state ? { ...state, ...(behind !== null && { behindSeconds: behind }) } : undefined;
      } catch (error) {
        if (error instanceof DocfuseError && error.code === 'index_missing') return undefined;
        throw error;
      }
    },
    reader: ({ edition, passages, dimensions }) =>
      readEdition(connection, edition, dimensions > 0 && passages.count > exactPassages),
    claim: (owner, milliseconds, signal) => claimName(connection, owner, milliseconds, signal),
    writer: (edition, dimensions, signal) =>
      writeEdition(connection, edition, dimensions, about, exactPassages, signal),
    missing: (cause) => notPublished(place, cause),
    close: connection.close,
  };
}
