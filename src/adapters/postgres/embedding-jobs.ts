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
/** Two minutes. Then the model hangs, and other processes may take the passages. */
const MAX_RENEWALS = 30;
/** After this number of leases without a vector, a passage is left to the indexer: it may be its text that makes the model fail. */
const MAX_LEASES = 3;
/** Vectors are kept so long for other indexers that ask for the same text. A passage that no indexer asks for waits as long. */
const KEPT = "interval '10 minutes'";
const TIDY_MS = 60_000;
/** In a row with a vector, `until` is the time at which it may be deleted. */
const TIDY = `DELETE FROM docfuse.jobs
  WHERE until < clock_timestamp() AND (vector IS NOT NULL OR asked < clock_timestamp() - ${KEPT})`;

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
    /** Makes the table if it is missing, and deletes old rows. For indexers; a worker needs no right to do that. */
    async prepare(): Promise<void> {
      await transaction(migrate);
      await query(TIDY);
    },
    /** @throws DocfuseError `index_newer`; `index_missing` without the table */
    async check(): Promise<void> {
      const [layout] = await query<{ readonly version: number }>('SELECT version FROM docfuse.layout');
      requireLayout(layout!.version);
    },
    /** Adds passages that are not there yet. Those that wait there are kept for longer. */
    async add(model: string, jobs: readonly Job[]): Promise<void> {
      // Equal order in all processes: they wait for each other and do not deadlock. Each key once: a statement updates a row once.
      const texts = new Map(jobs.map(({ key, text }) => [key, text]));
      const keys = [...texts.keys()].sort();
      // As JSON, because PostgreSQL refuses U+0000 and unpaired surrogates, and a changed text has another vector.
      await query(
        `INSERT INTO docfuse.jobs (model, key, body) SELECT $1, * FROM unnest($2::text[], $3::text[])
          ON CONFLICT (model, key) DO UPDATE SET asked = excluded.asked WHERE jobs.vector IS NULL`,
        [model, keys, keys.map((key) => JSON.stringify(texts.get(key)))],
      );
    },
    /** Keeps waiting passages for longer, and deletes old rows; at most once a minute. */
    async tidy(model: string, keys: readonly string[]): Promise<void> {
      if (performance.now() - tidied < TIDY_MS) return;
      tidied = performance.now();
      const asking =
        'UPDATE docfuse.jobs SET asked = clock_timestamp() WHERE model = $1 AND key = ANY($2::text[])';
      await query(`${asking} AND vector IS NULL`, [model, keys]);
      await query(TIDY);
    },
    /** Deletes passages that have no vector, unless another process embeds them now. An indexer that asked for them, too, adds them again. */
    forget: (model: string, keys: readonly string[]) =>
      query(
        `DELETE FROM docfuse.jobs
          WHERE model = $1 AND key = ANY($2::text[]) AND vector IS NULL AND (owner = $3 OR until <= clock_timestamp())`,
        [model, keys, owner],
      ),
    /**
     * For an indexer: leases some of its own passages.
     * @returns passages that are done, with their vectors; `mine`: leased, to embed now; `lost`: no longer in the table
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
      return {
        // Copies the bytes: those of a row may begin anywhere, and numbers must begin at a multiple of four.
        done: rows.flatMap(({ key, vector: bytes }) =>
          bytes ? [{ key, vector: new Float32Array(Uint8Array.from(bytes).buffer) }] : [],
        ),
        mine: rows.flatMap(({ key, mine }) => (mine ? [key] : [])),
        lost: keys.filter((key) => !known.has(key)),
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
    /** Renews the lease of some passages while `work` runs, for two minutes at most. */
    async during<T>(model: string, keys: readonly string[], work: () => Promise<T>): Promise<T> {
      let renewals = 0;
      const renew = () => {
        if (++renewals > MAX_RENEWALS) return;
        query(
          `UPDATE docfuse.jobs SET until = clock_timestamp() + ${LEASE} WHERE model = $1 AND key = ANY($2::text[]) AND owner = $3`,
          [model, keys, owner],
        ).catch(() => {}); // the lease then ends, and another process embeds the passages, too
      };
      const timer = setInterval(renew, RENEW_MS);
      return work().finally(() => clearInterval(timer));
    },
    /** Stores vectors, and forgets the texts. Also after the end of a lease: all processes make the same vectors. */
    finish: (model: string, keys: readonly string[], vectors: readonly Float32Array[]) =>
      query(
        `UPDATE docfuse.jobs j SET vector = made.vector, body = '', owner = NULL, until = clock_timestamp() + ${KEPT}
          FROM unnest($2::text[], $3::bytea[]) made (key, vector)
          WHERE j.model = $1 AND j.key = made.key AND j.vector IS NULL`,
        [model, keys, vectors.map(toBytes)],
      ),
    /** Ends leases at once, so that another process can try. `blamed`: whether they count, because the model fails with these texts. */
    release: (model: string, keys: readonly string[], blamed: boolean) =>
      query(
        `UPDATE docfuse.jobs SET until = '-infinity', owner = NULL, leases = leases - $4::int
          WHERE model = $1 AND key = ANY($2::text[]) AND owner = $3`,
        [model, keys, owner, blamed ? 0 : 1],
      ),
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
