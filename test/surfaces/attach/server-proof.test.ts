/** What a server must show before it is asked, against servers that cannot, over real connections. */
import { chmodSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { locateIndex } from '../../../src/engine/config/locate-index.ts';
import { askServer } from '../../../src/surfaces/attach/ask-server.ts';
import { findServer } from '../../../src/surfaces/attach/discovery-file.ts';
import { openChanges } from '../../../src/surfaces/attach/follow-server.ts';
import { answers } from '../../../src/surfaces/attach/send-request.ts';
import { attachKey, isProof, proofOf } from '../../../src/surfaces/attach/server-proof.ts';
import { listDocuments } from '../../../src/surfaces/operations/list.ts';
import { createServed, type Served } from '../http/served.ts';
import { knownServer } from './known-server.ts';
import { listenOn } from './listen-on.ts';

const known = {
  ...{ version: '0', run: 'run', host: '127.0.0.1', port: 1, index_path: '/index', config: 'config' },
  ...{ pid: process.pid, process_start: '', secret: new Uint8Array(32).fill(7) },
};
const CHALLENGE = 'a'.repeat(64);

test('a proof is for one challenge, one key and one server', () => {
  const proof = proofOf(known.secret, known, CHALLENGE);
  expect(isProof(proof, proofOf(known.secret, { ...known }, CHALLENGE))).toBe(true);
  const others = [
    proofOf(known.secret, known, 'b'.repeat(64)),
    proofOf(new Uint8Array(32), known, CHALLENGE),
    ...[{ run: 'r' }, { host: '::1' }, { port: 2 }, { index_path: '/' }, { config: '' }].map((other) =>
      proofOf(known.secret, { ...known, ...other }, CHALLENGE),
    ),
    proofOf(known.secret, { ...known, run: 'run,127.0.0.1', host: '' }, CHALLENGE),
    attachKey(known.secret, known.run),
    ...['', proof.slice(1), `${proof}0`, proof.toUpperCase(), 'é'.repeat(64)],
  ];
  for (const other of others) expect(isProof(other, proof)).toBe(false);
  for (const other of [undefined, null, 0, [proof], { proof }]) expect(isProof(other, proof)).toBe(false);
});

test.each<[string, (challenge: string, port: number) => string]>([
  ['nothing', () => ''],
  ['no JSON', () => '<p>hello</p>'],
  ['null', () => 'null'],
  ['no proof', () => '{"status":"ok","run":"run"}'],
  ['the challenge', (challenge) => JSON.stringify({ proof: challenge })],
  ['a text of the right form', () => JSON.stringify({ proof: CHALLENGE })],
  ['the proof of another challenge', (_, port) => prove(CHALLENGE, { port })],
  ['the proof of another port', (challenge) => prove(challenge, { port: 1 })],
  ['the proof of another index', (challenge, port) => prove(challenge, { port, index_path: '/other' })],
  ['more than any proof', () => `"${'x'.repeat(1_000_000)}`],
])('a server that answers a challenge with %s gets no question', async (_, answer) => {
  const asked: string[] = [];
  const { port } = await fake(asked, (challenge) => answer(challenge, port));
  const server = { ...known, port };
  expect(await askServer(server, listDocuments, {})).toBeUndefined();
  expect(await openChanges(server, { signal: new AbortController().signal })).toBeUndefined();
  expect(await answers(server)).toBe(false);
  expect(asked).toEqual([]);
});

test('a question goes over the connection that was proven, and over no other', async () => {
  const asked: string[] = [];
  const { port } = await fake(asked, (challenge) => prove(challenge, { port }), { connection: 'close' });
  const server = { ...known, port };
  expect(await answers(server)).toBe(true);
  expect(await askServer(server, listDocuments, {})).toBeUndefined();
  expect(asked).toEqual([]);
});

test('what anyone may ask tells nothing by which a server could be imitated', async () => {
  await using served = await createServed({ token: 'a-token' });
  const { run, secret } = knownServer(served.indexPath);
  for (const path of ['/healthz', '/healthz?challenge=x', `/healthz?challenge=${run}`]) {
    const answer = await served.get(path);
    expect(await answer.json()).toEqual({ status: 'ok', version: expect.any(String) });
    expect(JSON.stringify([...answer.headers])).not.toContain(run);
  }
  // The note opens nothing either.
  for (const key of [run, 'key', Buffer.from(secret).toString('hex')])
    expect((await served.get('/api/status', { authorization: `Bearer ${key}` })).status).toBe(401);
  const server = knownServer(served.indexPath);
  expect(await askServer(server, listDocuments, {})).toMatchObject({ total: expect.any(Number) });
});

test.skipIf(process.platform === 'win32')(
  'a discovery file counts only where no one else can have written it',
  async () => {
    await using served = await createServed();
    const note = join(served.indexPath, 'server.json');
    expect(find(served)).toMatchObject({ port: served.port });
    for (const [path, mode] of [
      [note, 0o620],
      [note, 0o602],
      [served.indexPath, 0o770],
      [served.indexPath, 0o707],
    ] as const) {
      chmodSync(path, mode);
      expect(find(served)).toBeUndefined();
      chmodSync(path, path === note ? 0o600 : 0o700);
      expect(find(served)).toBeDefined();
    }
    renameSync(note, `${note}.moved`);
    symlinkSync(`${note}.moved`, note);
    expect(find(served)).toBeUndefined();
    renameSync(`${note}.moved`, note);
    expect(find(served)).toBeDefined();
    writeFileSync(note, JSON.stringify({ ...knownServer(served.indexPath), filler: 'x'.repeat(20_000) }));
    expect(find(served)).toBeUndefined();
  },
);

function find({ folder, indexPath }: Served) {
  return findServer(locateIndex({ roots: [folder], indexPath, cwd: folder }), folder);
}

function prove(challenge: string, other: object): string {
  return JSON.stringify({ proof: proofOf(known.secret, { ...known, ...other }, challenge) });
}

/** Gathers what it is asked beside challenges. */
async function fake(
  asked: string[],
  answer: (challenge: string) => string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly port: number }> {
  const listener: RequestListener = ({ url }, response) => {
    const challenge = /^\/healthz\?challenge=(\w+)$/.exec(url!)?.[1];
    if (challenge === undefined) asked.push(url!);
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    response.end(challenge === undefined ? '{"documents":[],"total":666}' : answer(challenge));
  };
  const server = createServer(listener);
  onTestFinished(() => server.closeAllConnections());
  return { port: await listenOn(server) };
}
