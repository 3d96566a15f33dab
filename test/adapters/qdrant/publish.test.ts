import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { publish } from '../../../src/adapters/published/publish.ts';
import { openQdrant } from '../../../src/adapters/qdrant/engine.ts';
import { publishContract } from '../../contracts/publish-contract.ts';
import { memorySource } from '../../support/published/publish-memory.ts';
import { unpublishQdrant } from '../../support/published/unpublish.ts';
import { bridgeMissing, openBridge } from '../../support/qdrant/open-bridge.ts';

const connect = (url: string, name: string, apiKey?: string, settings?: Parameters<typeof openQdrant>[1]) =>
  openQdrant({ url, name, apiKey, apiKeyEnv: 'QDRANT_KEY' }, settings);
const stateOf = async (url: string, key?: string) => (await connect(url, 'x', key)).state();

const contract = (title: string, url: string) =>
  publishContract(
    title,
    (name) => connect(url, name, process.env.QDRANT_API_KEY),
    ['qdrant', url],
    (name) => unpublishQdrant(url, name),
  );

const server = process.env.QDRANT_URL;
if (server) contract('Qdrant at QDRANT_URL', server);
else describe.skip('publishing to a Qdrant server: QDRANT_URL is not set', () => test('asks', () => {}));

describe.skipIf(bridgeMissing)(
  `publishing to Qdrant${bridgeMissing ? `: ${bridgeMissing}` : ''}`,
  async () => {
    if (bridgeMissing) return;
    const bridge = await openBridge();
    afterAll(() => bridge.close());
    contract('Qdrant', bridge.url);

    test('a name that a collection has is refused before anything is sent', async () => {
      const put = (path: string, body: object) =>
        fetch(`${bridge.url}/collections/${path}`, {
          method: path === 'aliases' ? 'POST' : 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      expect((await put('theirs', { vectors: { a: { size: 4, distance: 'Dot' } } })).status).toBe(200);
      const engine = await connect(bridge.url, 'theirs');
      const page = { path: '0.md', text: '# One\n\nsome text\n' };
      await expect(publish(engine, memorySource([page]), { now: Date.now })).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringContaining('a collection theirs'),
        remedy: expect.stringContaining('qdrant.name'),
      });
      const collections = await (await fetch(`${bridge.url}/collections`)).text();
      expect(collections).not.toContain('theirs.');
      // As the server does.
      const alias = { create_alias: { alias_name: 'theirs', collection_name: 'theirs' } };
      expect((await put('aliases', { actions: [alias] })).status).toBe(409);
    });

    test('the bridge refuses a body that the official client could not send', async () => {
      const wrong = { points: [{ id: 1, vector: 'none' }] };
      const { status } = await fetch(`${bridge.url}/collections/x/points`, {
        method: 'PUT',
        body: JSON.stringify(wrong),
      });
      expect(status).toBe(422);
    });

    test('shards, replicas and write consistency are asked of the server', async () => {
      const asked: unknown[] = [];
      const server = createServer((request, response) => {
        const parts: Buffer[] = [];
        request.on('data', (part: Buffer) => parts.push(part));
        request.on('end', () => {
          if (request.method === 'PUT' && /^\/collections\/[^/]+$/.test(request.url!.replace(/\?.*/, '')))
            asked.push(JSON.parse(Buffer.concat(parts).toString()));
          const exists = { result: { exists: false, collections: [] }, status: 'ok' };
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(exists));
        });
      }).listen(0, '127.0.0.1');
      await new Promise((listening) => server.on('listening', listening));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const engine = await connect(url, 'x', undefined, { shards: 3, replicas: 2, writeConsistency: 2 });
      await engine.writer('x.1', 16);
      server.close();
      expect(asked).toEqual([
        expect.objectContaining({ shard_number: 3, replication_factor: 2, write_consistency_factor: 2 }),
      ]);
    });

    test('a server that is away, and a key that is wrong or missing, are said', async () => {
      const locked = await openBridge({ key: 'secret' });
      const away = await openBridge();
      away.kill();
      try {
        await expect(stateOf(locked.url)).rejects.toMatchObject({
          code: 'remote',
          message: expect.stringContaining('QDRANT_KEY is not set'),
        });
        const refused = stateOf(locked.url, 'wrong');
        await expect(refused).rejects.toMatchObject({ message: expect.stringContaining('refuses the key') });
        await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('wrong') });
        expect(await stateOf(locked.url, 'secret')).toBeUndefined();
        await expect(stateOf(away.url)).rejects.toMatchObject({
          code: 'remote',
          message: expect.stringContaining('does not answer'),
        });
      } finally {
        locked.close();
      }
    }, 60_000);
  },
);
