import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { readQdrantAddress } from '../../src/engine/config/qdrant-address.ts';
import { open } from '../../src/engine/open.ts';
import { bridgeMissing, openBridge } from '../support/qdrant/open-bridge.ts';

test('an address in Qdrant has a host and a name, and no key', () => {
  expect(readQdrantAddress('qdrant://host:6333/notes')).toEqual({ url: 'http://host:6333', name: 'notes' });
  expect(readQdrantAddress('qdrant+https://host/notes')).toEqual({ url: 'https://host', name: 'notes' });
  expect(readQdrantAddress('/a/qdrant')).toBeUndefined();
  for (const wrong of ['qdrant://host', 'qdrant://host/a/b', 'qdrant:///notes'])
    expect(() => readQdrantAddress(wrong)).toThrow('address of the index in Qdrant is wrong');
  expect(() => readQdrantAddress('qdrant://me:secret@host/notes')).toThrow('holds a key');
  expect(() => readQdrantAddress('qdrant://me:secret@host/notes')).not.toThrow('secret');
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

describe.skipIf(bridgeMissing)(`an index in Qdrant${bridgeMissing ? `: ${bridgeMissing}` : ''}`, async () => {
  if (bridgeMissing) return;
  const bridge = await openBridge();
  afterAll(() => bridge.close());
  const address = `${bridge.url.replace('http', 'qdrant')}/notes`;

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
      settings: { qdrant: { url: bridge.url, name: 'notes' }, ...settings },
    });
    await index.sync({ embed: false, publish: true });
    return (query: string) => index.search(query, { mode: 'keyword', minConfidence: 0 });
  }

  test('answers as the index that was published does, without its files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'docfuse-published-'));
    await publish(folder);
    await using own = await open({ roots: [join(folder, 'docs')], indexPath: join(folder, 'index') });
    await using there = await open({ indexPath: address, cwd: folder });
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
      const [mine, theirs] = [await own.search(query, asked), await there.search(query, asked)];
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

  test('says what it is, and where to do what it cannot', async () => {
    await using there = await open({ indexPath: address });
    const { index, indexPath, warnings } = await there.status();
    expect(index).toMatchObject({ documents: 3, chunks: 3, embedded: 0 });
    expect(indexPath).toBe(address);
    expect(warnings.map(({ message }) => message).join(' ')).toMatch(
      /published it .*docs \(3\).*not split in two/,
    );
    const checks = await there.check();
    expect(checks.map(({ name }) => name)).toEqual(['published', 'abilities', 'model', 'query']);
    for (const call of [() => there.list(), () => there.export('x'), () => there.sync({ rebuild: true })])
      await expect(call()).rejects.toMatchObject({
        code: 'usage',
        remedy: expect.stringContaining('publishes'),
      });
    await expect(there.sync()).resolves.toMatchObject({ added: 0 });
    await expect(open({ indexPath: address, roots: ['docs'] })).rejects.toMatchObject({ code: 'usage' });
  }, 60_000);

  test('an index that nobody published, and an address with a key, are said', async () => {
    await using nothing = await open({ indexPath: `${bridge.url.replace('http', 'qdrant')}/nothing` });
    await expect(nothing.search('x')).rejects.toMatchObject({ code: 'index_missing' });
    const folder = await mkdtemp(join(tmpdir(), 'docfuse-published-'));
    const url = bridge.url.replace('//', '//me:secret@');
    const wrong = await publish(folder, { qdrant: { url } }).catch((error) => error);
    expect(wrong).toMatchObject({ code: 'config', message: expect.not.stringContaining('secret') });
  }, 60_000);
});
