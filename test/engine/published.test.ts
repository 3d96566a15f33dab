import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { OLDEST_READABLE, SCHEMA } from '../../src/adapters/published/format.ts';
import type { SettingsOverride } from '../../src/engine/api.ts';
import { locateIndex } from '../../src/engine/config/locate-index.ts';
import { readPublishedAddress } from '../../src/engine/config/published-address.ts';
import { open } from '../../src/engine/open.ts';
import { openEngine } from '../../src/engine/published/open-engine.ts';
import { keepFresh } from '../../src/engine/watch/keep-fresh.ts';
import { makeOtherModel } from '../support/other-model.ts';
import { openCuttingProxy } from '../support/postgres/cutting-proxy.ts';
import { onEachServer } from '../support/published/each-server.ts';
import { SMALL_MODEL } from '../support/small-model.ts';
import { createVault } from './vault.ts';

test('an address in Qdrant has a host and a name, and no key', () => {
  expect(readPublishedAddress('qdrant://host:6333/notes')).toMatchObject({
    ...{ url: 'http://host:6333', name: 'notes' },
  });
  expect(readPublishedAddress('qdrant+https://host/notes')).toMatchObject({
    ...{ url: 'https://host', name: 'notes' },
  });
  expect(readPublishedAddress('/a/qdrant')).toBeUndefined();
  for (const wrong of ['qdrant://host', 'qdrant://host/a/b', 'qdrant:///notes'])
    expect(() => readPublishedAddress(wrong)).toThrow('address of the index in Qdrant is wrong');
  expect(() => readPublishedAddress('qdrant://me:secret@host/notes')).toThrow('holds a key');
  expect(() => readPublishedAddress('qdrant://me:secret@host/notes')).not.toThrow('secret');
});

test('the key comes from the variable that the settings name', async () => {
  const keys: unknown[] = [];
  const server = createServer(({ headers }, response) => {
    keys.push(headers['api-key']);
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"status":{"error":"no"}}');
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.on('listening', listening));
  const indexPath = `qdrant://127.0.0.1:${(server.address() as AddressInfo).port}/notes`;
  const settings = { qdrant: { api_key_env: 'DOCFUSE_TEST_QDRANT_KEY' } };
  const problem = async () => {
    await using index = await open({ indexPath, settings });
    return index.search('x').catch((error: Error) => error.message);
  };
  expect(await problem()).toContain('the environment variable DOCFUSE_TEST_QDRANT_KEY is not set');
  vi.stubEnv('DOCFUSE_TEST_QDRANT_KEY', 'right');
  expect(await problem()).toContain('refuses the key in DOCFUSE_TEST_QDRANT_KEY');
  vi.unstubAllEnvs();
  expect([keys[0], keys.at(-1)]).toEqual([undefined, 'right']);
  server.close();
});

test('while a server does not answer, others write the index', async () => {
  const asked = Promise.withResolvers<void>();
  const server = createServer(() => asked.resolve()).listen(0, '127.0.0.1');
  await new Promise((listening) => server.on('listening', listening));
  const vault = createVault({ 'a.md': '# A\n' });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await using index = await vault.open({ settings: { qdrant: { url, name: 'notes' } } });
  const publishing = index.sync({ embed: false, publish: true });
  await asked.promise;
  vault.write('b.md', '# B\n');
  await using other = await vault.open();
  expect(await other.sync({ embed: false })).toMatchObject({ added: 1, unchanged: 1 });
  server.close();
  server.closeAllConnections();
  await expect(publishing).rejects.toThrow('does not answer');
}, 60_000);

test('an address in PostgreSQL has a host, a database and no password', () => {
  expect(readPublishedAddress('postgres://me@host:5433/db?name=notes')).toEqual({
    ...{ engine: 'postgres', url: 'postgres://me@host:5433/db', name: 'notes' },
    shown: 'postgres://host:5433/db?name=notes',
  });
  expect(readPublishedAddress('postgresql://host/db?sslmode=require')).toMatchObject({
    ...{ url: 'postgres://host/db?sslmode=require', name: 'docfuse' },
  });
  for (const wrong of [
    'postgres://host',
    'postgres:///db',
    'postgres://host/a/b',
    'postgres://host/db?name=a b',
    'postgres://host/db?sslmode=perhaps',
    'postgres://host/db?options=x',
  ])
    expect(() => readPublishedAddress(wrong)).toThrow('address of the index in PostgreSQL is wrong');
  for (const secret of ['postgres://me:secret@host/db', 'postgres://host/db?password=secret']) {
    expect(() => readPublishedAddress(secret)).toThrow('holds a password');
    expect(() => readPublishedAddress(secret)).not.toThrow('secret');
  }
});

onEachServer('notes', ({ engine, at, settings: own, secret }) => {
  const address = at('notes');
  const there = (indexPath = address) => open({ indexPath, settings: { [engine]: own } });

  async function publish(folder: string, settings: object = {}) {
    await mkdir(join(folder, 'docs'), { recursive: true });
    for (const name of ['tokens', 'backups', 'keys'])
      await writeFile(
        join(folder, 'docs', `${name}.md`),
        `---\ntags: [ops]\n---\n# About ${name}\n\nHow ${name} are rotated. See [[keys]].\n`,
      );
    await using index = await open({
      roots: [join(folder, 'docs')],
      indexPath: join(folder, 'index'),
      settings: { [engine]: { ...own, ...settings } },
    });
    await index.sync({ embed: false, publish: true });
    return (query: string) => index.search(query, { mode: 'keyword', minConfidence: 0 });
  }

  test('answers as the index that was published does, without its files', async () => {
    await using work = await mkdtempDisposable(join(tmpdir(), 'docfuse-published-'));
    const folder = work.path;
    await publish(folder);
    await using own = await open({ roots: [join(folder, 'docs')], indexPath: join(folder, 'index') });
    await using published = await there();
    for (const query of [
      'tokens rotated',
      '"are rotated" -backups',
      'backup*',
      'title:keys',
      'tag:ops',
      'path:tokens.md rotated',
      'tokns rotatd',
      'back ups',
      'rotat*',
    ]) {
      const asked = { mode: 'keyword', minConfidence: 0, parents: false } as const;
      const [mine, theirs] = [await own.search(query, asked), await published.search(query, asked)];
      const shown = (hits: typeof mine.hits) =>
        hits.map(({ path, score, snippet, startLine }) => ({
          path,
          score: score.toFixed(6),
          snippet,
          startLine,
        }));
      expect(shown(theirs.hits)).toEqual(shown(mine.hits));
      expect(mine.hits.length).toBeGreaterThan(0);
    }
  }, 120_000);

  test('says what lets no passage pass, as the index that was published does', async () => {
    await using vault = await mkdtempDisposable(join(tmpdir(), 'docfuse-published-'));
    await publish(vault.path, { name: 'excluding' });
    await using own = await open({ roots: [join(vault.path, 'docs')], indexPath: join(vault.path, 'index') });
    await using published = await there(at('excluding'));
    const asked = { mode: 'keyword', minConfidence: 0 } as const;
    for (const [query, said] of [
      ['tokens -rotated tag:ops', 'Every passage holds a word that the query excludes.'],
      ['tokens tag:opz', 'No document passes the filter tag:opz (nearest: tag:ops).'],
      ['tokens path:key.md', 'No document passes the filter path:key.md (nearest: path:keys.md).'],
      ['tokens tag:ops title:nothing', 'No document that passes the filters has title:nothing.'],
    ] as const) {
      expect((await own.search(query, asked)).notice).toBe(said);
      expect((await published.search(query, asked)).notice).toBe(said);
    }
  }, 60_000);

  test('an index that is watched publishes what changes', async () => {
    await using work = await mkdtempDisposable(join(tmpdir(), 'docfuse-watched-'));
    const folder = work.path;
    await mkdir(join(folder, 'docs'));
    const place = { roots: [join(folder, 'docs')], indexPath: join(folder, 'index') };
    const settings = { [engine]: { ...own, name: 'watched' } };
    await using _watched = keepFresh(await open({ ...place, settings }), { publish: true });
    const file = (name: string) =>
      writeFile(join(folder, 'docs', name), `# ${name}\n\nHow ${name} is rotated.\n`);
    await file('first.md');
    const found = async (query: string) => {
      await using published = await open({ indexPath: at('watched'), settings });
      const { hits } = await published.search(query, { mode: 'keyword', minConfidence: 0 });
      return hits.map(({ path }) => path);
    };
    await expect.poll(() => found('rotated').catch(() => []), { timeout: 60_000 }).toEqual(['first.md']);
    await file('second.md');
    await expect.poll(() => found('second'), { timeout: 60_000 }).toContain('second.md');
  }, 120_000);

  test('says what it is, and where to do what it cannot', async () => {
    await using published = await there();
    const { index, indexPath, warnings } = await published.status();
    expect(index).toMatchObject({ documents: 3, chunks: 3, embedded: 0 });
    expect(indexPath).toBe(address);
    expect(warnings.map(({ message }) => message).join(' ')).toMatch(
      /published it .*docs \(3\).*not split in two/,
    );
    const checks = await published.check();
    expect(checks.map(({ name }) => name)).toEqual(['published', 'abilities', 'model', 'query']);
    for (const call of [
      () => published.map(),
      () => published.export('x'),
      () => published.sync({ rebuild: true }),
    ])
      await expect(call()).rejects.toMatchObject({
        code: 'usage',
        remedy: expect.stringContaining('publishes'),
      });
    await expect(published.sync()).resolves.toMatchObject({ added: 0 });
    await expect(open({ indexPath: address, roots: ['docs'] })).rejects.toMatchObject({ code: 'usage' });
  }, 60_000);

  test('of two models, the one that embeds every passage is published, and embeds the questions', async () => {
    await using work = await mkdtempDisposable(join(tmpdir(), 'docfuse-published-'));
    const folder = work.path;
    const models = { model: SMALL_MODEL, multilingual_model: makeOtherModel(join(folder, 'second')) };
    const settings = { [engine]: { ...own, name: 'models' } };
    await mkdir(join(folder, 'docs'));
    await writeFile(join(folder, 'docs/light.md'), '# Light\n\nThe keeper lights the lantern.\n');
    await writeFile(join(folder, 'docs/фонарь.md'), '# Маяк\n\nСмотритель зажигает фонарь вечером.\n');
    await using index = await open({
      ...{ roots: [join(folder, 'docs')], indexPath: join(folder, 'index') },
      settings: { ...settings, embedding: models },
    });
    await index.sync({ publish: true });
    const { index: facts } = await index.status();
    expect(facts.models?.map(({ embedded }) => embedded)).toEqual([1, 2]);
    const search = async (embedding: NonNullable<SettingsOverride['embedding']>) => {
      await using elsewhere = await open({
        indexPath: at('models'),
        settings: { ...settings, embedding },
      });
      return elsewhere.search('когда зажигают фонарь?', { mode: 'semantic', minConfidence: 0 });
    };
    const answer = await search(models);
    expect(answer.index).toMatchObject({
      embedded: 2,
      chunks: 2,
      stale: false,
      model: facts.models![1]!.model,
    });
    expect(answer.hits.map(({ path }) => path)).toContain('фонарь.md');
    // It may also be the only model of the machine that searches.
    expect((await search({ model: models.multilingual_model })).hits).toHaveLength(2);
    await expect(search({ model: SMALL_MODEL })).rejects.toMatchObject({
      code: 'config',
      message: expect.stringMatching(/were made by other@.*name overlap-embedder@/),
      remedy: expect.stringContaining('multilingual_model'),
    });
  }, 60_000);

  test('a server that dies under an open index is said, and answers when it is back', async () => {
    await using work = await mkdtempDisposable(join(tmpdir(), 'docfuse-published-'));
    await publish(work.path, { name: 'dying' });
    const gate = await openCuttingProxy(at('dying'), () => false);
    onTestFinished(gate.close);
    await using index = await there(gate.url);
    const found = async () => (await index.search('tokens', { mode: 'keyword' })).hits.length;
    const before = await found();
    expect(before).toBeGreaterThan(0);
    gate.shut(true);
    await expect(found()).rejects.toMatchObject({ code: 'remote' });
    gate.shut(false);
    expect(await found()).toBe(before);
  }, 60_000);

  test('a publication that is too new, too old or of vectors of another length is not searched', async () => {
    await using work = await mkdtempDisposable(join(tmpdir(), 'docfuse-published-'));
    await publish(work.path, { name: 'unread' });
    const settings = { [engine]: own, embedding: { model: SMALL_MODEL } };
    const { config, published } = locateIndex({ indexPath: at('unread'), settings });
    const opened = await openEngine(published!, config.settings);
    onTestFinished(opened.close);
    const state = (await opened.state())!;
    const writer = await opened.writer(state.edition, state.dimensions);
    await opened.claim('here', 0);
    const problemWith = async (change: object) => {
      await writer.show({ ...state, ...change }, 'here');
      await using index = await open({ indexPath: at('unread'), settings });
      return index.search('tokens', { mode: 'semantic' }).catch((error) => error);
    };
    expect(await problemWith({ schema: SCHEMA + 1 })).toMatchObject({ code: 'index_newer' });
    expect(await problemWith({ schema: OLDEST_READABLE - 1 })).toMatchObject({
      code: 'index_missing',
      message: expect.stringContaining('older docfuse'),
    });
    expect(await problemWith({ dimensions: 5 })).toMatchObject({
      code: 'config',
      message: expect.stringContaining('(5 numbers)'),
    });
    // A publisher replaces what is too old.
    await writer.show({ ...state, schema: OLDEST_READABLE - 1 }, 'here');
    await publish(work.path, { name: 'unread' });
    await using index = await there(at('unread'));
    expect((await index.search('tokens', { mode: 'keyword' })).hits.length).toBeGreaterThan(0);
  }, 60_000);

  test('an index that nobody published, and an address with a key, are said', async () => {
    await using nothing = await there(at('nothing'));
    await expect(nothing.search('x')).rejects.toMatchObject({ code: 'index_missing' });
    await using work = await mkdtempDisposable(join(tmpdir(), 'docfuse-published-'));
    const folder = work.path;
    const wrong = await publish(folder, secret).catch((error) => error);
    expect(wrong).toMatchObject({ code: 'config', message: expect.not.stringContaining('secret') });
  }, 60_000);
});
