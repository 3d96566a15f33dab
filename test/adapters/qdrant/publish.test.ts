import { afterAll, describe, expect, test } from 'vitest';
import { publish } from '../../../src/adapters/qdrant/publish.ts';
import { readState, requireReadable } from '../../../src/adapters/qdrant/read-state.ts';
import { createQdrantRetrieval } from '../../../src/adapters/qdrant/retrieval.ts';
import { documentId, STATE_ID } from '../../../src/adapters/qdrant/schema.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { bridgeMissing, openBridge } from '../../support/qdrant/open-bridge.ts';
import { connect, memorySource } from '../../support/qdrant/publish-memory.ts';

const page = (number: number, text: string) => ({
  path: `${number}.md`,
  text: `# Page ${number}\n\n${text}\n`,
});
const files = Array.from({ length: 30 }, (_, number) =>
  page(number, `word${number} and ${'more '.repeat(50)}`),
);
const options = { now: Date.now };

describe.skipIf(bridgeMissing)(
  `publishing to Qdrant${bridgeMissing ? `: ${bridgeMissing}` : ''}`,
  async () => {
    if (bridgeMissing) return;
    const bridge = await openBridge();
    afterAll(() => bridge.close());
    let count = 0;
    const fresh = () => connect(bridge.url, `index${++count}`);

    async function find(connection: Awaited<ReturnType<typeof fresh>>, word: string) {
      const retrieval = createQdrantRetrieval(connection, (await readState(connection))!);
      const request = { query: parseQuery(word), filters: {}, lanes: ['keyword'] as const, depth: 5 };
      const { documents } = await retrieval.retrieve(request);
      return (await retrieval.documents(documents)).map((document) => document?.path);
    }

    test('sends what has changed, removes what is gone, and changes nothing else', async () => {
      const connection = await fresh();
      expect(await publish(connection, memorySource(files), options)).toMatchObject({ sent: 30, removed: 0 });
      expect(await publish(connection, memorySource(files), options)).toMatchObject({ sent: 0, removed: 0 });
      const changed = [page(0, 'fresh text'), ...files.slice(1, 28)];
      expect(await publish(connection, memorySource(changed), options)).toMatchObject({
        sent: 1,
        removed: 2,
      });
      expect(await find(connection, 'fresh')).toEqual(['0.md']);
      expect(await find(connection, 'word0')).toEqual([]);
      expect(await find(connection, 'word29')).toEqual([]);
      expect(await find(connection, 'word7')).toEqual(['7.md']);
      expect(await readState(connection)).toMatchObject({ generation: 3, documents: { count: 28 } });
    });

    test('goes on where it was stopped, and shows nothing before it is complete', async () => {
      const connection = await fresh();
      const stop = new AbortController();
      const stopped = publish(connection, memorySource(files), {
        ...options,
        signal: stop.signal,
        onProgress: (done) => done === 20 && stop.abort(new Error('stopped')),
      });
      await expect(stopped).rejects.toThrow('stopped');
      expect(await readState(connection)).toBeUndefined();
      const { sent } = await publish(connection, memorySource(files), options);
      expect(sent).toBeLessThanOrEqual(30);
      expect(await find(connection, 'word29')).toEqual(['29.md']);
    });

    test('an index that was rebuilt fills another collection, and the alias is switched', async () => {
      const connection = await fresh();
      const first = await publish(connection, memorySource(files), options);
      const asked: Promise<unknown>[] = [];
      const second = await publish(connection, memorySource(files.slice(0, 3), 'two'), {
        ...options,
        onProgress: () => void asked.push(find(connection, 'word29').catch(({ code }) => code)),
      });
      // A search that was under way when the former collection was deleted is told so, and asks again.
      for (const found of await Promise.all(asked))
        expect([['29.md'], 'index_missing']).toContainEqual(found);
      expect(second.collection).not.toBe(first.collection);
      expect(await find(connection, 'word2')).toEqual(['2.md']);
      expect(await find(connection, 'word29')).toEqual([]);
      const { exists } = await connection.call((client) => client.collectionExists(first.collection));
      expect(exists).toBe(false);
    });

    test('of two that publish at once, the second is told', async () => {
      const connection = await fresh();
      await publish(connection, memorySource(files.slice(0, 2)), options);
      const other = { ...memorySource(files), publisher: 'here' };
      let second: Promise<unknown> | undefined;
      const first = publish(connection, other, {
        ...options,
        onProgress() {
          second ??= publish(connection, { ...memorySource(files), publisher: 'here' }, options).catch(
            (error) => error,
          );
        },
      });
      await first;
      // One process has one lease: it may take its own again.
      expect(await second).toMatchObject({ collection: expect.any(String) });

      const { collection } = await first;
      const lease = {
        id: STATE_ID + 1,
        vector: {},
        payload: { owner: 'another 7', until: Date.now() + 60_000 },
      };
      await connection.call((client) => client.upsert(collection, { points: [lease] }));
      await expect(publish(connection, other, options)).rejects.toMatchObject({
        code: 'index_busy',
        message: expect.stringContaining('another 7 is publishing'),
      });
      // A lease that nobody renews ends.
      const later = { now: () => Date.now() + 61_000 };
      await expect(publish(connection, other, later)).resolves.toMatchObject({ sent: 0 });
    });

    test('what another machine has published is replaced on request only', async () => {
      const connection = await fresh();
      await publish(connection, memorySource(files.slice(0, 2)), options);
      const theirs = { ...memorySource(files.slice(2, 4), 'theirs'), publisher: 'there' };
      await expect(publish(connection, theirs, options)).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringContaining('here published it'),
      });
      await publish(connection, theirs, { ...options, replace: true });
      expect(await find(connection, 'word3')).toEqual(['3.md']);
    });

    test('a newer schema is neither read nor replaced', async () => {
      const connection = await fresh();
      const { collection } = await publish(connection, memorySource(files.slice(0, 2)), options);
      const state = { ...(await readState(connection))!, schema: 99 };
      const point = { id: STATE_ID, vector: {}, payload: { ...state } };
      await connection.call((client) => client.upsert(collection, { points: [point] }));
      expect(() => requireReadable(state, connection.place)).toThrow('newer docfuse');
      const replacing = publish(connection, memorySource(files), { ...options, replace: true });
      await expect(replacing).rejects.toMatchObject({ code: 'index_newer' });
    });

    test('shards, replicas and write consistency are asked of the server', async () => {
      const connection = await fresh();
      const asked: unknown[] = [];
      const spy = {
        ...connection,
        call: <T>(send: Parameters<typeof connection.call<T>>[0]) =>
          connection.call((client) =>
            send(
              new Proxy(client, {
                get: (target, name: keyof typeof client) =>
                  name === 'createCollection'
                    ? (given: string, more: Parameters<typeof client.createCollection>[1]) => {
                        asked.push(more);
                        return client.createCollection(given, more);
                      }
                    : Reflect.get(target, name),
              }),
            ),
          ),
      };
      await publish(spy, memorySource(files.slice(0, 1)), {
        ...options,
        shards: 3,
        replicas: 2,
        writeConsistency: 2,
      });
      expect(asked).toEqual([
        expect.objectContaining({ shard_number: 3, replication_factor: 2, write_consistency_factor: 2 }),
      ]);
    });

    test('a document that is sent again keeps no passage of before', async () => {
      const connection = await fresh();
      const long = { path: '0.md', text: `# One\n\n${'## Part\n\nlong text of a part here. '.repeat(60)}` };
      const { collection } = await publish(connection, memorySource([long]), options);
      await publish(connection, memorySource([page(0, 'short')]), options);
      const filter = { must: [{ key: 'document', match: { value: 0 } }] };
      const { count } = await connection.call((client) => client.count(collection, { filter, exact: true }));
      expect(count).toBe(1);
      const [point] = await connection.call((client) =>
        client.retrieve(collection, { ids: [documentId(0)] }),
      );
      expect(point?.payload).toMatchObject({ heads: [expect.anything()] });
    });

    test('a server that is away, and a key that is wrong or missing, are said', async () => {
      const locked = await openBridge({ key: 'secret' });
      const away = await openBridge();
      away.kill();
      try {
        await expect(readState(await connect(locked.url, 'x'))).rejects.toMatchObject({
          code: 'remote',
          message: expect.stringContaining('QDRANT_KEY is not set'),
        });
        const refused = readState(await connect(locked.url, 'x', 'wrong'));
        await expect(refused).rejects.toMatchObject({ message: expect.stringContaining('refuses the key') });
        await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('wrong') });
        expect(await readState(await connect(locked.url, 'x', 'secret'))).toBeUndefined();
        await expect(readState(await connect(away.url, 'x'))).rejects.toMatchObject({
          code: 'remote',
          message: expect.stringContaining('does not answer'),
        });
      } finally {
        locked.close();
      }
    }, 60_000);
  },
);
