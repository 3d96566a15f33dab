/** Starts PostgreSQL in this process, with pgvector: the ordinary client speaks to it over a socket. */
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

/** The files of a new database, made once in each worker: to load them takes a fifth of the time. */
let initial: ReturnType<typeof makeInitial> | undefined;

async function makeInitial() {
  const db = await PGlite.create();
  const files = await db.dumpDataDir('none');
  await db.close();
  return files;
}

/**
 * Its connections share one session, and it mixes up what they ask at the same time: give each client one connection.
 * @param extensions whether pgvector can be installed. @default true
 */
export async function openPglite({ extensions = true } = {}) {
  initial ??= makeInitial();
  const db = await PGlite.create({
    loadDataDir: await initial,
    ...(extensions && { extensions: { vector } }),
  });
  const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: 64 });
  await server.start();
  const [, port] = /:(\d+)$/.exec(server.getServerConn())!;
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    db,
    async close(): Promise<void> {
      await server.stop();
      await db.close();
    },
  };
}
