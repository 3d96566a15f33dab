import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HubServer, startHub } from '../../adapters/hub/hub-server.ts';
import { crossEncoderFile } from '../../support/cross-encoder.ts';
import { createPlayground } from './docfuse.ts';

const MODEL = 'cross-encoder/ms-marco-MiniLM-L-6-v2';
const playground = createPlayground({
  'docs/a.md': '# A\n\nRotation rotation rotation.\n',
  'docs/b.md': `# B\n\nHow do you rotate the access keys? ${'Ask whoever keeps the list of them. '.repeat(8)}\n`,
});

let hub: HubServer;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  const names = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'model.onnx'];
  hub = await startHub(
    MODEL,
    Object.fromEntries(names.map((name) => [name, readFileSync(crossEncoderFile(name))])),
  );
  env = { DOCFUSE_HUB: hub.url };
});
afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  playground[Symbol.dispose]();
});

const models = (...args: string[]) => playground.runHere(['models', ...args], { env });
const rerank = () =>
  playground.runHere(
    ['search', 'rotation the of them', 'docs', '--mode', 'keyword', '--min-confidence', '0', '--json'].concat(
      ['rerank_enabled=true', 'rerank_mode=replace'].flatMap((setting) => ['--set', setting]),
    ),
    { env },
  );

test('a model is asked for, pulled, used, listed, located and deleted', async () => {
  const before = await rerank();
  expect(before.code).toBe(1);
  expect(JSON.parse(before.stderr)).toMatchObject({
    code: 'model_missing',
    remedy: expect.stringContaining(`docfuse models pull ${MODEL}`),
  });
  expect(hub.log, 'nothing is fetched unasked').toEqual([]);

  const folder = join(playground.env.XDG_DATA_HOME!, 'docfuse', 'models', MODEL);
  const pulled = await models('pull', MODEL);
  expect([pulled.code, pulled.stdout]).toEqual([0, `${folder}\n`]);
  expect(pulled.stderr).toContain('pulled.');
  const after = await rerank();
  expect(after.code, after.stderr).toBe(0);
  expect(JSON.parse(after.stdout).hits[0].path).toBe('b.md');

  expect((await models('pull', MODEL)).stderr).toContain('is up to date.');
  expect((await models('list')).stdout).toMatch(
    /^cross-encoder\/ms-marco-MiniLM-L-6-v2 {2}.*\d [KM]B {2}\d{4}-\d\d-\d\d\n$/,
  );
  expect((await models('path', MODEL)).stdout).toBe(`${folder}\n`);
  expect((await models('path')).stdout).toBe(`${join(folder, '..', '..')}\n`);
  expect((await models('rm', MODEL)).code).toBe(0);
  expect((await models('path', MODEL)).code).toBe(1);
});

test('--offline and DOCFUSE_OFFLINE ask nobody and name the model', async () => {
  hub.log.length = 0;
  for (const outcome of [
    await models('pull', MODEL, '--offline'),
    await playground.runHere(['models', 'pull', MODEL], { env: { ...env, DOCFUSE_OFFLINE: '1' } }),
  ]) {
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain(MODEL);
  }
  expect(hub.log).toEqual([]);
});

test.each(['https://me:hidden@127.0.0.1:1/x', 'http://127.0.0.1:1/?key=hidden', 'ftp://me:hidden@127.0.0.1'])(
  'the hub at %s is refused without its key',
  async (DOCFUSE_HUB) => {
    const { code, stderr } = await playground.runHere(['models', 'pull', MODEL], { env: { DOCFUSE_HUB } });
    expect(code).toBe(1);
    expect(stderr).toMatch(/DOCFUSE_HUB .*(HF_TOKEN|https:\/\/)/s);
    expect(stderr).not.toMatch(/hidden|127/);
  },
);

test('a proxy is used as Node is told to', async () => {
  const seen: string[] = [];
  const to = new URL(hub.url).port;
  const proxy = createServer().on('connect', (request, socket) => {
    seen.push(request.url ?? '');
    const upstream = connect(Number(to), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [upstream, socket]) end.on('error', () => {});
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  const { port } = proxy.address() as AddressInfo;
  const { code } = await playground.run(['models', 'pull', MODEL], {
    env: {
      DOCFUSE_HUB: 'http://hub.invalid',
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: `http://127.0.0.1:${port}`,
      NO_PROXY: '127.0.0.1',
    },
  });
  proxy.closeAllConnections();
  proxy.close();
  expect(code).toBe(0);
  expect(new Set(seen)).toEqual(new Set(['hub.invalid:80']));
});

test.each([['models'], ['models', 'fetch', 'x']])('%s %s is wrong usage', async (...args) => {
  expect((await playground.runHere(args.filter(Boolean))).code).toBe(2);
});
