import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { openPostgres } from '../../../src/adapters/postgres/engine.ts';
import { publish } from '../../../src/adapters/published/publish.ts';
import { openPglite } from '../../support/postgres/open-pglite.ts';
import { memorySource } from '../../support/published/publish-memory.ts';

const files = [{ path: '0.md', text: '# One\n\nsome text\n' }];
const connect = (url: string, password?: string) =>
  openPostgres({ url, name: 'notes', password, passwordEnv: 'DOCFUSE_TEST_PG', connections: 1 });

/** A server that asks for a password, and refuses it or the request. */
async function refusing(state: string, said: string) {
  const message = (kind: string, body: Buffer) => {
    const head = Buffer.alloc(5, kind, 'latin1');
    head.writeInt32BE(4 + body.length, 1);
    return Buffer.concat([head, body]);
  };
  const fields = Buffer.from(`SFATAL\0C${state}\0M${said}\0\0`);
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(message('R', Buffer.from([0, 0, 0, 3])));
      socket.once('data', () => socket.end(message('E', fields)));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `postgres://me@127.0.0.1:${port}/db`, close: () => void server.close() };
}

test.each([
  ['28P01', /refuses the password in DOCFUSE_TEST_PG for me/],
  ['3D000', /has no database db/],
  ['42501', /does not allow this to me: the server says why/],
])('a server that refuses with %s is explained, and no password is told', async (state, said) => {
  const { url, close } = await refusing(state, 'the server says why');
  const engine = await connect(url, 'secret');
  const problem = await engine.state().catch((error) => error);
  expect(problem).toMatchObject({ code: 'remote', message: expect.stringMatching(said) });
  expect(`${problem.message} ${problem.remedy}`).not.toContain('secret');
  await engine.close();
  close();
});

test('a server that is away, and a password that is missing, are said', async () => {
  const { url, close } = await refusing('28P01', 'no');
  const none = await connect(url);
  await expect(none.state()).rejects.toMatchObject({
    message: expect.stringContaining('neither the environment variable DOCFUSE_TEST_PG nor ~/.pgpass'),
  });
  close();
  const away = await connect(url, 'secret');
  await expect(away.state()).rejects.toMatchObject({ message: expect.stringContaining('does not answer') });
}, 30_000);

test('a database without pgvector can hold words alone', async () => {
  const pglite = await openPglite({ extensions: false });
  const engine = await connect(pglite.url, 'none');
  const refused = publish(engine, memorySource(files), { now: Date.now });
  await expect(refused).rejects.toMatchObject({
    message: expect.stringContaining('no extension vector'),
    remedy: expect.stringContaining('pgvector'),
  });
  const words = { ...memorySource(files), dimensions: 0, embedded: 0 };
  await expect(publish(engine, words, { now: Date.now })).resolves.toMatchObject({ sent: 1 });
  await engine.close();
  await pglite.close();
}, 60_000);

test('newer tables are neither read nor changed, and rights that are missing are named', async () => {
  const pglite = await openPglite();
  const engine = await connect(pglite.url, 'none');
  await publish(engine, memorySource(files), { now: Date.now });
  await pglite.db.exec('CREATE ROLE reader; SET ROLE reader');
  await expect(engine.state()).rejects.toMatchObject({
    message: expect.stringContaining('does not allow this'),
    remedy: expect.stringContaining('SELECT'),
  });
  await pglite.db.exec('RESET ROLE; UPDATE docfuse.layout SET version = 99');
  const newer = { code: 'index_newer', message: expect.stringContaining('version 99') };
  await expect(engine.state()).rejects.toMatchObject(newer);
  await expect(engine.writer('notes.1', 16)).rejects.toMatchObject(newer);
  await engine.close();
  await pglite.close();
}, 60_000);

test('a text with characters that the database refuses is sent without them', async () => {
  const pglite = await openPglite();
  const engine = await connect(pglite.url, 'none');
  const source = memorySource(files);
  const read = (number: number) => {
    const document = source.read(number)!;
    const chunks = document.chunks.map((chunk) => ({ ...chunk, text: 'a\0b \ud800' }));
    return { ...document, chunks };
  };
  await publish(engine, { ...source, read }, { now: Date.now });
  const reader = engine.reader((await engine.state())!);
  const [passage] = (await reader.read('passage', [0], { keys: ['chunk'] })).values();
  expect(passage).toMatchObject({ chunk: { text: 'a\uFFFDb \uFFFD' } });
  await engine.close();
  await pglite.close();
}, 60_000);
