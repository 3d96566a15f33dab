/** Passages that need a vector, in a table that indexers and embedding workers share. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { connectPostgres, type PostgresPlace } from './client.ts';
import { migrate, requireLayout } from './layout.ts';

export type EmbeddingJobs = Awaited<ReturnType<typeof openJobs>>;

/** A passage to embed, by the key of its text. */
export interface Job {
  readonly key: string;
  readonly text: string;
}

/** If a process is killed, others wait this long for its passages. */
const LEASE = "interval '12 seconds'";
const RENEW_MS = 4_000;
/** After this number of leases without a vector, a passage is left to the indexer: it may be its text that makes the model fail. */
const MAX_LEASES = 3;
/** Vectors are kept so long for other indexers that ask for the same text; then the row is deleted. */
const KEPT = "interval '10 minutes'";
const TIDY_MS = 60_000;

/** Connects at the first request. */
export async function openJobs(place: PostgresPlace) {
  const { query, transaction, close } = await connectPostgres(place);
  const owner = `${hostname()} ${process.pid} ${randomUUID()}`;
  let tidied = Number.NEGATIVE_INFINITY;

  /** Leases at most `$3` passages of `model`, oldest first. Rows that another process is leasing now are skipped. */
  const leasing = (which: string) => `
    taken AS MATERIALIZED (SELECT key FROM docfuse.jobs WHERE model = $1 AND vector IS NULL AND until <= clock_timestamp() AND ${which}
      ORDER BY asked, key LIMIT $3 FOR UPDATE SKIP LOCKED),
    leased AS (UPDATE docfuse.jobs j SET owner = $2, until = clock_timestamp() + ${LEASE}, leases = leases + 1
      FROM taken WHERE j.model = $1 AND j.key = taken.key RETURNING j.key, j.body)`;

  return {
    /** Makes the table if it is missing. For indexers; a worker needs no right to do that. */
    prepare: () => transaction(migrate),
    /** @throws DocfuseError `index_newer`; `index_missing` without the table */
    async check(): Promise<void> {
      const [layout] = await query<{ readonly version: number }>('SELECT version FROM docfuse.layout');
      requireLayout(layout!.version);
    },
    /** Adds passages that are not there yet, and deletes old ones. */
    async add(model: string, jobs: readonly Job[]): Promise<void> {
      if (performance.now() - tidied > TIDY_MS) {
        tidied = performance.now();
        await query(`DELETE FROM docfuse.jobs WHERE asked < clock_timestamp() - ${KEPT}`);
      }
      // Equal order in all processes: they wait for each other and do not deadlock.
      const sorted = jobs.toSorted((a, b) => (a.key < b.key ? -1 : 1));
      // As JSON, because PostgreSQL refuses U+0000 and unpaired surrogates, and a changed text has another vector.
      await query(
        'INSERT INTO docfuse.jobs (model, key, body) SELECT $1, * FROM unnest($2::text[], $3::text[]) ON CONFLICT DO NOTHING',
        [model, sorted.map(({ key }) => key), sorted.map(({ text }) => JSON.stringify(text))],
      );
    },
    /**
     * For an indexer: leases some of its own passages.
     * @returns passages that are done, with their vectors; `mine`: passages to embed now, leased or no longer in the table
     */
    async takeOwn(model: string, keys: readonly string[], limit: number) {
      const rows = await query<{
        readonly key: string;
        readonly vector: Buffer | null;
        readonly mine: boolean;
      }>(
        `WITH ${leasing('key = ANY($4::text[])')}
          SELECT j.key, j.vector, leased.key IS NOT NULL AS mine FROM docfuse.jobs j LEFT JOIN leased ON leased.key = j.key
          WHERE j.model = $1 AND j.key = ANY($4::text[])`,
        [model, owner, limit, keys],
      );
      const known = new Set(rows.map(({ key }) => key));
      const lost = keys.filter((key) => !known.has(key)).slice(0, limit);
      return {
        done: rows.flatMap(({ key, vector }) => (vector ? [{ key, vector: toVector(vector) }] : [])),
        mine: [...rows.flatMap(({ key, mine }) => (mine ? [key] : [])), ...lost].slice(0, limit),
      };
    },
    /** For a worker: leases passages of any indexer. */
    async take(model: string, limit: number): Promise<readonly Job[]> {
      const rows = await query<{ readonly key: string; readonly body: string }>(
        `WITH ${leasing(`leases < ${MAX_LEASES}`)} SELECT key, body FROM leased`,
        [model, owner, limit],
      );
      return rows.map(({ key, body }) => ({ key, text: JSON.parse(body) }));
    },
    /** Renews the lease of some passages while `work` runs. */
    async during<T>(model: string, keys: readonly string[], work: () => Promise<T>): Promise<T> {
      const renew = () =>
        query(
          `UPDATE docfuse.jobs SET until = clock_timestamp() + ${LEASE} WHERE model = $1 AND key = ANY($2::text[]) AND owner = $3`,
          [model, keys, owner],
        ).catch(() => {}); // the lease then ends, and another process embeds the passages, too
      const timer = setInterval(renew, RENEW_MS);
      return work().finally(() => clearInterval(timer));
    },
    /** Stores vectors, and forgets the texts. Also after the end of a lease: all processes make the same vectors. */
    finish: (model: string, keys: readonly string[], vectors: readonly Float32Array[]) =>
      query(
        `UPDATE docfuse.jobs j SET vector = made.vector, body = '', owner = NULL FROM unnest($2::text[], $3::bytea[]) made (key, vector)
          WHERE j.model = $1 AND j.key = made.key AND j.vector IS NULL`,
        [model, keys, vectors.map(toBytes)],
      ),
    /** Ends leases at once, so that another process can try. */
    release: (model: string, keys: readonly string[]) =>
      query(
        "UPDATE docfuse.jobs SET until = '-infinity' WHERE model = $1 AND key = ANY($2::text[]) AND owner = $3",
        [model, keys, owner],
      ),
    /** Returns models whose passages wait for a worker. */
    async waitingModels(): Promise<readonly string[]> {
      const asked = `SELECT DISTINCT model FROM docfuse.jobs WHERE vector IS NULL AND leases < ${MAX_LEASES} ORDER BY model`;
      return (await query<{ readonly model: string }>(asked)).map(({ model }) => model);
    },
    close,
  };
}

/** The four bytes of each number, with the lowest first, as all processors that docfuse runs on store them. */
function toBytes({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

function toVector(bytes: Buffer): Float32Array {
  // A copy, because the bytes of a row may begin anywhere, and numbers must begin at a multiple of four.
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
