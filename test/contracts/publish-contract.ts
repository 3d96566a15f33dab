/** What publishing does, whatever engine holds the index. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { DOCUMENTS, isOf, narrowed, PASSAGES } from '../../src/adapters/published/conditions.ts';
import type { PublishedEngine } from '../../src/adapters/published/engine.ts';
import type { PassagePayload } from '../../src/adapters/published/format.ts';
import { publish, requireReadable } from '../../src/adapters/published/publish.ts';
import { parseQuery } from '../../src/core/query/parse.ts';
import { longFiles } from '../support/published/long-files.ts';
import { memorySource, openRetrieval } from '../support/published/publish-memory.ts';

const page = (number: number, text: string) => ({
  path: `${number}.md`,
  text: `# Page ${number}\n\n${text}\n`,
});
const files = Array.from({ length: 30 }, (_, number) =>
  page(number, `word${number} and ${'more '.repeat(50)}`),
);
const options = { now: Date.now };

const CHILD = fileURLToPath(new URL('../support/published/publish-and-hang.ts', import.meta.url));

/**
 * @param open opens a name; a new one each time
 * @param at kind and address of the server, by which another process opens it
 * @param remove deletes what is published under a name, as the guide says
 */
export function publishContract(
  title: string,
  open: (name: string) => Promise<PublishedEngine>,
  at: readonly [kind: 'postgres' | 'qdrant', url: string],
  remove: (name: string) => Promise<void>,
): void {
  describe(`publishing to ${title}`, () => {
    const names: string[] = [];
    const nextName = () => {
      const name = `contract${process.pid}-p${names.length}`;
      names.push(name);
      return name;
    };
    afterAll(async () => {
      for (const name of names) await remove(name);
    });
    const fresh = () => open(nextName());

    async function find(engine: PublishedEngine, word: string) {
      const retrieval = await openRetrieval(engine);
      const request = { query: parseQuery(word), filters: {}, lanes: ['keyword'] as const, depth: 5 };
      const { documents } = await retrieval.retrieve(request);
      return (await retrieval.documents(documents)).map((document) => document?.path);
    }

    test('sends what has changed, removes what is gone, and changes nothing else', async () => {
      const engine = await fresh();
      expect(await publish(engine, memorySource(files), options)).toMatchObject({ sent: 30, removed: 0 });
      expect(await publish(engine, memorySource(files), options)).toMatchObject({ sent: 0, removed: 0 });
      const changed = [page(0, 'fresh text'), ...files.slice(1, 28)];
      expect(await publish(engine, memorySource(changed), options)).toMatchObject({
        sent: 1,
        removed: 2,
      });
      expect(await find(engine, 'fresh')).toEqual(['0.md']);
      expect(await find(engine, 'word0')).toEqual([]);
      expect(await find(engine, 'word29')).toEqual([]);
      expect(await find(engine, 'word7')).toEqual(['7.md']);
      expect(await engine.state()).toMatchObject({ generation: 3, documents: { count: 28 } });
    });

    test('a passage keeps its context prefix, under the key that earlier publications have', async () => {
      const engine = await fresh();
      const rows = Array.from({ length: 55 }, (_, row) => `| port ${row} | ${row}0 ms, as measured |\n`);
      const table = page(0, `| name | latency |\n|---|---|\n${rows.join('')}`);
      await publish(engine, memorySource([table]), options);
      const stored = new Map<number, string | undefined>();
      const reader = engine.reader((await engine.state())!);
      for await (const found of reader.pages<Pick<PassagePayload, 'chunk'>>(PASSAGES, { keys: ['chunk'] }))
        for (const { id, payload } of found) stored.set(id, payload.chunk.lead);
      expect([...stored.values()]).toEqual([undefined, '| name | latency |']);
      const chunks = await (await openRetrieval(engine)).chunks([...stored.keys()]);
      expect(chunks.map((chunk) => chunk?.contextPrefix)).toEqual([...stored.values()]);
    });

    test('goes on where it was stopped, and shows nothing before it is complete', async () => {
      const engine = await fresh();
      const stop = new AbortController();
      const stopped = publish(engine, memorySource(files), {
        ...options,
        signal: stop.signal,
        onProgress: (done) => done === 20 && stop.abort(new Error('stopped')),
      });
      await expect(stopped).rejects.toThrow('stopped');
      expect(await engine.state()).toBeUndefined();
      const { sent } = await publish(engine, memorySource(files), options);
      expect(sent).toBeLessThanOrEqual(30);
      expect(await find(engine, 'word29')).toEqual(['29.md']);
    });

    test('an index that was rebuilt fills another edition, which is then shown', async () => {
      const engine = await fresh();
      const first = await publish(engine, memorySource(files), options);
      const asked: Promise<unknown>[] = [];
      const second = await publish(engine, memorySource(files.slice(0, 3), 'two'), {
        ...options,
        onProgress: () => void asked.push(find(engine, 'word29').catch(({ code }) => code)),
      });
      // A search that was under way when the former edition was deleted is told so, and asks again; a later one reads the new one.
      for (const found of await Promise.all(asked))
        expect([['29.md'], 'index_missing', []]).toContainEqual(found);
      expect(second.edition).not.toBe(first.edition);
      expect(await find(engine, 'word2')).toEqual(['2.md']);
      expect(await find(engine, 'word29')).toEqual([]);
      const former = engine.reader({ ...(await engine.state())!, edition: first.edition });
      await expect(former.vectors([1])).rejects.toMatchObject({ code: 'index_missing' });
    });

    test('of two machines that publish under one name, the second is told who is at it, and since when', async () => {
      const engine = await fresh();
      const theirs = { ...memorySource(files.slice(0, 3), 'theirs'), publisher: 'there' };
      let second: Promise<unknown> | undefined;
      const { edition } = await publish(engine, memorySource(files), {
        ...options,
        onProgress() {
          second ??= publish(engine, theirs, { ...options, replace: true }).catch((error) => error);
        },
      });
      expect(await second).toMatchObject({
        code: 'index_busy',
        message: expect.stringMatching(/^here \d+ [\da-f]{8} has been publishing .* since \d{4}-\d\d-\d\dT/),
        remedy: expect.stringMatching(/try again after \d{4}-.*another (?:postgres|qdrant)\.name/),
      });
      expect(await engine.state()).toMatchObject({ edition, publisher: 'here' });
    });

    test('a lease that nobody renews ends, and one that is renewed keeps its beginning', async () => {
      const engine = await fresh();
      const first = await engine.claim('there 7', 50_000);
      const renewed = await engine.claim('there 7', 60_000);
      expect(renewed.since).toEqual(first.since);
      expect(renewed.until.getTime()).toBeGreaterThan(first.until.getTime());
      const publishing = () => publish(engine, memorySource(files), options);
      await expect(publishing()).rejects.toMatchObject({ code: 'index_busy' });
      await engine.claim('there 7', 100);
      await sleep(150);
      await expect(publishing()).resolves.toMatchObject({ sent: 30 });
      // It ended its lease.
      expect(await engine.claim('there 7', 400)).toMatchObject({ owner: 'there 7' });
    });

    test('a publisher whose lease another one has taken shows nothing', async () => {
      const engine = await fresh();
      const { edition } = await publish(engine, memorySource(files.slice(0, 2)), options);
      const state = (await engine.state())!;
      const writer = await engine.writer(`${edition.slice(0, -16)}0123456789abcdef`, 16);
      await engine.claim('there 7', 60_000);
      await expect(writer.show({ ...state, generation: 9 }, 'here 6')).rejects.toMatchObject({
        code: 'index_busy',
        message: expect.stringContaining('there 7'),
      });
      expect(await engine.state()).toEqual(state);
    });

    test('what a rebuild left that was given up is deleted', async () => {
      const engine = await fresh();
      const { edition } = await publish(engine, memorySource(files.slice(0, 2)), options);
      const left = `${edition.slice(0, -16)}0123456789abcdef`;
      await engine.writer(left, 16);
      const reader = engine.reader({ ...(await engine.state())!, edition: left });
      expect(await reader.counts([PASSAGES])).toEqual([0]);
      await publish(engine, memorySource(files.slice(0, 2)), options);
      await expect(reader.counts([PASSAGES])).rejects.toMatchObject({ code: 'index_missing' });
      expect(await find(engine, 'word1')).toEqual(['1.md']);
    });

    test('a publisher that is killed leaves the former edition, and the next run goes on after its lease', async () => {
      const name = nextName();
      const engine = await open(name);
      await publish(engine, memorySource(files.slice(0, 3)), options);
      const before = await engine.state();
      const child = spawn(process.execPath, [CHILD, ...at, name], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [said] = await once(child.stdout, 'data');
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect(`${said}`).toBe('nearly\n');
      expect(await find(engine, 'word2')).toEqual(['2.md']);
      expect(await engine.state()).toEqual(before);

      const next = () => publish(engine, memorySource(longFiles, 'rebuilt'), options);
      const refused = await next().catch((error) => error);
      expect(refused).toMatchObject({
        code: 'index_busy',
        message: expect.stringContaining(`here ${child.pid}`),
      });
      // Its time is over.
      await engine.claim(/^here \d+ \S+/.exec(refused.message)![0], 0);
      const { sent } = await next();
      expect(sent).toBeGreaterThan(0);
      expect(sent).toBeLessThan(longFiles.length);
      for (const number of [0, 9, 19])
        expect(new Set(await find(engine, `word${number}`))).toEqual(new Set([`${number}.md`]));
      const { documents, passages } = (await engine.state())!;
      const reader = engine.reader((await engine.state())!);
      expect(await reader.counts([DOCUMENTS, PASSAGES])).toEqual([documents.count, passages.count]);
    }, 60_000);

    test('what another machine has published is replaced on request only', async () => {
      const engine = await fresh();
      await publish(engine, memorySource(files.slice(0, 2)), options);
      const theirs = { ...memorySource(files.slice(2, 4), 'theirs'), publisher: 'there' };
      await expect(publish(engine, theirs, options)).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringContaining('here published it'),
      });
      await publish(engine, theirs, { ...options, replace: true });
      expect(await find(engine, 'word3')).toEqual(['3.md']);
    });

    test('a newer schema is neither read nor replaced', async () => {
      const engine = await fresh();
      const { edition } = await publish(engine, memorySource(files.slice(0, 2)), options);
      const state = { ...(await engine.state())!, schema: 99 };
      await engine.claim('newer 1', 0);
      await (await engine.writer(edition, 16)).show(state, 'newer 1');
      expect(() => requireReadable(state, engine)).toThrow('newer docfuse');
      const replacing = publish(engine, memorySource(files), { ...options, replace: true });
      await expect(replacing).rejects.toMatchObject({ code: 'index_newer' });
    });

    test('a document that is sent again keeps no passage of before', async () => {
      const engine = await fresh();
      const long = { path: '0.md', text: `# One\n\n${'## Part\n\nlong text of a part here. '.repeat(60)}` };
      await publish(engine, memorySource([long]), options);
      await publish(engine, memorySource([page(0, 'short')]), options);
      const reader = engine.reader((await engine.state())!);
      expect(await reader.counts([narrowed(PASSAGES, [isOf(0)])])).toEqual([1]);
      const [document] = (await reader.read('document', [0], { keys: ['heads'] })).values();
      expect(document).toMatchObject({ heads: [expect.anything()] });
    });

    test('vectors of another length fill another edition', async () => {
      const engine = await fresh();
      const source = memorySource(files.slice(0, 2));
      const long = await publish(engine, source, options);
      const short = await publish(
        engine,
        {
          ...source,
          dimensions: 8,
          read(number) {
            const document = source.read(number)!;
            return { ...document, vectors: document.vectors.map((vector) => vector?.slice(0, 8)) };
          },
        },
        options,
      );
      expect(short).toMatchObject({ sent: 2, edition: expect.not.stringMatching(long.edition) });
      const state = (await engine.state())!;
      expect(state.dimensions).toBe(8);
      expect((await engine.reader(state).vectors([0])).get(0)).toHaveLength(8);
    });

    test('is deleted as the guide says, and can be made again', async () => {
      const name = nextName();
      const [engine, other] = [await open(name), await fresh()];
      for (const each of [engine, other]) await publish(each, memorySource(files.slice(0, 2)), options);
      await remove(name);
      expect(await engine.state()).toBeUndefined();
      expect(await find(other, 'word1')).toEqual(['1.md']);
      expect(await publish(engine, memorySource(files.slice(0, 2)), options)).toMatchObject({ sent: 2 });
      expect(await find(engine, 'word1')).toEqual(['1.md']);
    });

    test('the list of words follows the collection', async () => {
      const engine = await fresh();
      await publish(engine, memorySource(files), options);
      const before = (await openRetrieval(engine)).words!;
      expect([before.countOf('more'), before.countOf('word7'), before.countOf('fresh')]).toEqual([30, 1, 0]);
      expect(before.nearWords('mroe', 1)).toMatchObject([{ word: 'more', slips: 1 }]);
      const { words } = (await engine.state())!;
      await publish(engine, memorySource([page(0, 'fresh'), ...files.slice(1)]), options);
      expect((await engine.state())!.words.place).not.toBe(words.place);
      expect((await openRetrieval(engine)).words!.countOf('fresh')).toBe(1);
      await publish(engine, memorySource([page(0, 'fresh'), ...files.slice(1)]), options);
      expect((await engine.state())!.words).not.toEqual(words);
    });
  });
}
