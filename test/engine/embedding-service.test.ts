import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOnnxEmbedder } from '../../src/adapters/onnx/embedder.ts';
import type { Embedder } from '../../src/core/ports.ts';
import type { SettingsOverride, SyncProgress } from '../../src/engine/api.ts';
import { open } from '../../src/engine/open.ts';
import { estimateTokens } from '../../src/engine/sync/estimate-tokens.ts';
import { keepFresh } from '../../src/engine/watch/keep-fresh.ts';
import { startServer } from '../../src/surfaces/http/start-server.ts';
import { DEFAULT_MODEL } from '../adapters/onnx/models.ts';
import { type Service, startService } from '../adapters/openai/service.ts';
import { makeOlder } from '../support/make-older.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const folder = sharedFolder();
const roots = [join(folder, 'notes')];
let local: Embedder;
let service: Service;

beforeAll(async () => {
  mkdirSync(roots[0]!);
  writeFileSync(
    join(roots[0]!, 'bread.md'),
    '# Bread\n\nYeast turns sugar into carbon dioxide, and so it rises.\n',
  );
  writeFileSync(join(roots[0]!, 'tides.md'), '# Tides\n\nThe moon pulls on the water twice a day.\n');
  local = await createOnnxEmbedder({ folder: DEFAULT_MODEL, workers: 1 });
  service = await startService({ embedder: local });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await local.close();
});

const openWith = (embedding: SettingsOverride['embedding'], indexPath = 'index') =>
  open({
    roots,
    indexPath: join(folder, indexPath),
    settings: { embedding: { provider: 'openai', model: 'bge', base_url: service.url, ...embedding } },
  });
const QUESTION = 'why does dough get bigger';

test('indexes and searches with the vectors of a service', async () => {
  await using index = await openWith({});
  expect((await index.sync()).embedded).toBe(2);
  const { hits, index: facts } = await index.search(QUESTION, { mode: 'semantic', minConfidence: 0 });
  expect(hits[0]?.path).toBe('bread.md');
  expect(facts).toMatchObject({ model: 'openai:bge@384', embedded: 2 });
});

test('the same model elsewhere has the same vectors, other dimensions have others', async () => {
  await using twin = await startService({ embedder: local });
  await using index = await openWith({ base_url: twin.url, dimensions: 384 });
  expect((await index.sync()).embedded).toBe(0);
  // Another model may stand behind the name by now.
  expect((await index.sync({ rebuild: true })).embedded).toBe(2);
  await using other = await openWith({ dimensions: 256 });
  await expect(other.sync()).rejects.toMatchObject({ code: 'model_invalid' });
});

test('queries and passages have the forms of the settings; another form of passages makes other vectors', async () => {
  const forms = { query_prefix: 'query: ', query_input_type: 'query', passage_input_type: 'document' };
  await using index = await openWith({ dimensions: 384, ...forms }, 'forms');
  const before = service.requests.length;
  expect((await index.sync()).embedded).toBe(2);
  await index.search(QUESTION, { mode: 'semantic' });
  const bodies = service.requests.slice(before).map(({ body }) => body);
  expect(bodies.map(({ input_type }) => input_type)).toEqual(['document', 'query']);
  expect(bodies[1]?.input).toEqual([`query: ${QUESTION}`]);
  await using prefixed = await openWith({ dimensions: 384, passage_prefix: 'passage: ' }, 'forms');
  expect((await prefixed.sync()).embedded).toBe(2);
  expect(service.requests.at(-1)?.body.input?.[0]).toMatch(/^passage: /);
});

test('before a service elsewhere gets more than 1,000 passages, the number of tokens is said', async () => {
  const many = join(folder, 'many');
  mkdirSync(many);
  const bread = {
    en: 'The dough rests for an hour before it is baked. ',
    zh: '面团在烤之前需要休息一个小时。',
  };
  let tokens = 0;
  for (let n = 0; n < 1_040; n++) {
    const text = `Note ${n}\n\n${(n < 520 ? bread.en : bread.zh).repeat(5).trim()}`;
    writeFileSync(join(many, `${1_000 + n}.md`), `# ${text}\n`);
    tokens += estimateTokens(`Note ${n}\n\n# ${text}`); // as it is embedded, below its headings
  }
  const stop = new AbortController();
  const said: unknown[] = [];
  const sync = async (base_url: string) => {
    const embedding = { provider: 'openai', model: 'bge', base_url, dimensions: 384 } as const;
    await using index = await open({
      roots: [many],
      indexPath: join(folder, 'sent'),
      settings: { embedding },
    });
    const onProgress = ({ phase, sending }: SyncProgress) => {
      if (phase !== 'embed') return;
      said.push(sending);
      stop.abort();
    };
    await expect(index.sync({ onProgress, signal: stop.signal })).rejects.toThrow();
  };
  await sync(service.url.replace('127.0.0.1', '0.0.0.0')); // this machine, under a name that is not a loopback address
  expect(said[0]).toMatchObject({ host: expect.stringMatching(/^0\.0\.0\.0:/), passages: 1_040 });
  // From a part of the documents, in both languages.
  expect(Math.abs((said[0] as { tokens: number }).tokens / tokens - 1)).toBeLessThan(0.02);
});

test('an address with a key in it is refused, and not printed', async () => {
  for (const base_url of ['https://me:hidden@api.example/v1', 'https://api.example/v1?key=hidden']) {
    const failed = openWith({ base_url }).then(
      () => 'opened',
      (error: Error) => error.message,
    );
    expect(await failed).toMatch(/embedding\.base_url.*keys belong in the environment variable/);
    expect(await failed).not.toContain('hidden');
  }
});

test('an index of an older format keeps the vectors of a service', async () => {
  {
    await using index = await openWith({}, 'older');
    expect((await index.sync()).embedded).toBe(2);
  }
  const database = new DatabaseSync(join(folder, 'older/index.sqlite'));
  makeOlder(database, 6);
  database.close();
  await using index = await openWith({}, 'older');
  expect(await index.sync()).toMatchObject({ added: 2, embedded: 0 });
});

test('a service that is away leaves search by words, and says so; search by meaning fails', async () => {
  for (const dimensions of [undefined, 384]) {
    const away = { base_url: 'http://127.0.0.1:9/v1', ...(dimensions && { dimensions }) };
    await using index = await openWith(away);
    const { hits, notice } = await index.search('yeast sugar', { minConfidence: 0 });
    expect(hits[0]?.path).toBe('bread.md');
    expect(notice).toMatch(/^This answer was found by words only, not by meaning\. .*127\.0\.0\.1:9/);
    await expect(index.search(QUESTION, { mode: 'semantic' })).rejects.toMatchObject({ code: 'remote' });
    await using fresh = await openWith(away, `fresh-${dimensions}`);
    const { embedded, warnings } = await fresh.sync();
    expect(embedded).toBe(0);
    expect(warnings.at(-1)?.message).toContain('127.0.0.1:9');
  }
});

test('a server is ready once the service has made all vectors, and then asks it what is asked of the server alone', async () => {
  await using flaky = await startService({ embedder: local });
  flaky.replies.push(...Array.from({ length: 1_000 }, () => ({ status: 404 })));
  const told: boolean[] = [];
  const options = {
    roots,
    indexPath: join(folder, 'ready'),
    settings: { embedding: { provider: 'openai', model: 'bge', base_url: flaky.url, dimensions: 384 } },
  } as const;
  await using index = await open(options);
  const ready = async () => told.push((await index.status()).index.stale);
  const fresh = keepFresh(index, { poll: true, everyMs: 50, onReady: ready });
  await expect.poll(() => flaky.requests.length).toBeGreaterThan(2);
  expect(told).toEqual([]);
  flaky.replies.length = 0;
  await expect.poll(() => told).toEqual([false]);
  await fresh.close();

  const before = flaky.requests.length;
  const { promise, resolve } = Promise.withResolvers<void>();
  const server = await startServer({ open: options, port: 0, onReady: resolve });
  await promise;
  await fetch(`${server.url}/api/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: QUESTION }),
  });
  await server.close();
  expect(flaky.requests.slice(before).map(({ body }) => body.input)).toEqual([[QUESTION]]);
});

test('without an address it is a mistake in the configuration', async () => {
  await using index = await open({
    roots,
    indexPath: join(folder, 'none'),
    settings: { embedding: { provider: 'openai', model: 'bge' } },
  });
  await expect(index.sync()).rejects.toMatchObject({
    code: 'config',
    message: expect.stringContaining('base_url'),
  });
});

test('without the name of a model, too', async () => {
  await using index = await open({
    roots,
    indexPath: join(folder, 'unnamed'),
    settings: { embedding: { provider: 'openai', base_url: service.url } },
  });
  await expect(index.sync()).rejects.toMatchObject({
    code: 'config',
    message: expect.stringContaining('embedding.model is missing'),
  });
});

test('offline, no other machine is asked', async () => {
  process.env.DOCFUSE_OFFLINE = '1';
  try {
    await using index = await openWith({ base_url: 'https://embeddings.example/v1' });
    const { notice } = await index.search('yeast', { minConfidence: 0 });
    expect(notice).toContain('DOCFUSE_OFFLINE');
    await using here = await openWith({});
    expect((await here.search('yeast')).notice).toBeUndefined();
  } finally {
    delete process.env.DOCFUSE_OFFLINE;
  }
});
