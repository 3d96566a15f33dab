/** A connection to PostgreSQL: loads the optional client, repeats failed requests, and says in plain words what failed. */
import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { DocfuseError, notInstalled } from '../../core/errors.ts';

export interface PostgresPlace {
  /** `postgres://` with host and database, without a password; `sslmode` is `disable`, `require` or `verify-full`. */
  readonly url: string;
  /** Name of the published index. */
  readonly name: string;
  /** @default the password in `~/.pgpass` */
  readonly password?: string | undefined;
  /** Environment variable that holds the password, for error messages. */
  readonly passwordEnv: string;
  /** Max connections at once. */
  readonly connections: number;
  /** Roles that may read the publication, besides its owner. @default those that the database names */
  readonly readers?: readonly string[];
}

export type PostgresConnection = Awaited<ReturnType<typeof connectPostgres>>;
/** Runs a statement; returns its rows. */
export type Query = <Row>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** Pauses before a request is repeated, in milliseconds. */
const PAUSES = [200, 1_000, 4_000];
const CONNECT_MS = 10_000;
/** Passages that one walk of the vector graph finds. A search for more walks again, which takes much longer. */
export const GRAPH_VISITS = 400;
/** The vector graph is walked again if filters leave too few passages. JIT is off, because compiling takes longer than running. */
const SESSION = `SET jit = off; SET hnsw.ef_search = ${GRAPH_VISITS}; SET hnsw.iterative_scan = 'strict_order'`;

/** @throws DocfuseError `package_missing` without the client */
export async function connectPostgres(place: PostgresPlace) {
  const loaded = await import('pg').catch(notInstalled('An index in PostgreSQL needs', 'pg'));
  const url = new URL(place.url);
  const mode = url.searchParams.get('sslmode') ?? 'disable';
  const pool: Pool = new loaded.default.Pool({
    host: url.hostname,
    ...(url.port && { port: Number(url.port) }),
    database: decodeURIComponent(url.pathname.slice(1)),
    user: decodeURIComponent(url.username) || process.env.PGUSER || userInfo().username,
    ...(place.password !== undefined && { password: place.password }),
    ssl: mode === 'disable' ? false : { rejectUnauthorized: mode === 'verify-full' },
    max: place.connections,
    connectionTimeoutMillis: CONNECT_MS,
    allowExitOnIdle: true,
    application_name: 'docfuse',
  });
  // Ignores errors of connections: a request that fails says so itself. Without a listener, a lost connection ends the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    client.query(SESSION).catch(() => {});
  });

  /** Runs `work`. Repeats it if the connection was lost or the server is busy. */
  async function patiently<T>(work: (client: PoolClient) => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      signal?.throwIfAborted();
      try {
        const client = await pool.connect();
        try {
          const done = await work(client);
          client.release();
          return done;
        } catch (error) {
          client.release(mayPass(error));
          throw error;
        }
      } catch (error) {
        const pause = PAUSES[attempt];
        if (pause === undefined || !mayPass(error)) throw explained(error, place);
        await sleep(pause, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
      }
    }
  }

  const queryOf =
    (client: PoolClient): Query =>
    async (text, values = []) =>
      (await client.query(text, [...values])).rows;

  return {
    place,
    /** Runs one statement. @throws DocfuseError `remote`, `index_missing`; after an abort, the reason of `signal` */
    query: <Row>(text: string, values?: readonly unknown[], signal?: AbortSignal) =>
      patiently((client) => queryOf(client)<Row>(text, values), signal),
    /** Runs `work` as one transaction: all of its statements take effect, or none. Repeats it if the connection is lost. */
    transaction: <T>(work: (query: Query) => Promise<T>, signal?: AbortSignal) =>
      patiently(async (client) => {
        await client.query('BEGIN');
        try {
          const done = await work(queryOf(client));
          await client.query('COMMIT');
          return done;
        } catch (error) {
          if (!mayPass(error)) await client.query('ROLLBACK').catch(() => {});
          throw error;
        }
      }, signal),
    close: () => pool.end(),
  };
}

/** Returns the SQLSTATE of an error of the server; undefined if there was no answer. */
export function stateOf(error: unknown): string | undefined {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** Whether the server did not answer, so that waiting may help. @param error as thrown by a connection */
export function isAway(error: unknown): boolean {
  return (
    error instanceof DocfuseError &&
    error.code === 'remote' &&
    error.cause !== undefined &&
    mayPass(error.cause)
  );
}

/** Whether another attempt may succeed: no answer, connection lost, too many connections, shutdown, deadlock. */
function mayPass(error: unknown): boolean {
  if (error instanceof DocfuseError) return false;
  const state = stateOf(error);
  return state === undefined ? isNetwork(error) : /^(?:08|53|57P|40)/.test(state);
}

function isNetwork(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return typeof code === 'string' || /connection|timeout/i.test(String(message));
}

function explained(error: unknown, place: PostgresPlace): unknown {
  if (error instanceof DocfuseError) return error;
  const state = stateOf(error);
  const { host, pathname, username } = new URL(place.url);
  const where = `PostgreSQL at ${host}`;
  const said = saidIn(error);
  const failed = (message: string, remedy: string) =>
    new DocfuseError('remote', message, remedy, { cause: error });
  if (state === undefined && isNetwork(error) && !/password/i.test(said))
    return failed(
      `${where} does not answer: ${said}.`,
      'Start the server, or correct its address. To continue a publication, run docfuse index.',
    );
  if (state === undefined || /^28/.test(state))
    return failed(
      place.password
        ? `${where} refuses the password in ${place.passwordEnv}${username && ` for ${username}`}.`
        : `${where} needs a password, but neither the environment variable ${place.passwordEnv} nor ~/.pgpass has one: ${said}.`,
      `Put the password into ${place.passwordEnv}, and the user into the address: postgres://USER@HOST/DATABASE.`,
    );
  if (state === '3D000')
    return failed(
      `${where} has no database ${pathname.slice(1)}.`,
      'Create it with createdb, or correct the address.',
    );
  if (state === '42501')
    return failed(
      `${where} does not allow this${username && ` to ${username}`}: ${said}.`,
      'To search, a role needs USAGE on the schema docfuse and SELECT on its tables; to publish, CREATE on the database or on that schema; to embed, SELECT and UPDATE on docfuse.jobs.',
    );
  if (state === '42704' && /\brole\b/.test(said))
    return failed(`${where} refuses a request: ${said}.`, 'Create the role, or correct postgres.readers.');
  // A table or schema is missing: nothing is published, or another edition has replaced this one.
  if (state === '42P01' || state === '3F000') return notPublished(place, error);
  return failed(`${where} refuses a request (${state}): ${said}.`, 'See the log of the server.');
}

export function notPublished({ url, name }: PostgresPlace, cause?: unknown): DocfuseError {
  return new DocfuseError(
    'index_missing',
    `PostgreSQL at ${new URL(url).host} has no published index ${name}.`,
    'Publish it where the documents are: set postgres.url there, and run docfuse index.',
    { cause },
  );
}

function saidIn(error: unknown): string {
  const { message, code } = error as { readonly message?: string; readonly code?: string };
  return (message || code || String(error)).replace(/\s+/g, ' ').slice(0, 300).replace(/\.$/, '');
}
