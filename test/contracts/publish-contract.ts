/** What publishing does, whatever engine holds the index. */
import { describe, expect, test } from 'vitest';
import { isOf, narrowed, PASSAGES } from '../../src/adapters/published/conditions.ts';
import type { PublishedEngine } from '../../src/adapters/published/engine.ts';
import { publish, requireReadable } from '../../src/adapters/published/publish.ts';
import { parseQuery } from '../../src/core/query/parse.ts';
import { memorySource, openRetrieval } from '../support/published/publish-memory.ts';

const page = (number: number, text: string) => ({
  path: `${number}.md`,
  text: `# Page ${number}\n\n${text}\n`,
});
const files = Array.from({ length: 30 }, (_, number) =>
  page(number, `word${number} and ${'more '.repeat(50)}`),
);
const options = { now: Date.now };

/** @param open opens a name; a new one each time */
export function publishContract(title: string, open: (name: string) => Promise<PublishedEngine>): void {
  describe(`publishing to ${title}`, () => {
    let count = 0;
    const fresh = () => open(`index${++count}`);

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

    test('of two that publish at once, the second is told', async () => {
      const engine = await fresh();
      await publish(engine, memorySource(files.slice(0, 2)), options);
      const other = { ...memorySource(files), publisher: 'here' };
      let second: Promise<unknown> | undefined;
      const first = publish(engine, other, {
        ...options,
        onProgress() {
          second ??= publish(engine, { ...memorySource(files), publisher: 'here' }, options).catch(
            (error) => error,
          );
        },
      });
      await first;
      // One process has one lease: it may take its own again.
      expect(await second).toMatchObject({ edition: expect.any(String) });

      const { edition } = await first;
      const writer = await engine.writer(edition, 16);
      await writer.claim('another 7', Date.now() + 60_000, Date.now());
      await expect(publish(engine, other, options)).rejects.toMatchObject({
        code: 'index_busy',
        message: expect.stringContaining('another 7 is publishing'),
      });
      // A lease that nobody renews ends.
      const later = { now: () => Date.now() + 61_000 };
      await expect(publish(engine, other, later)).resolves.toMatchObject({ sent: 0 });
    });

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
      await (await engine.writer(edition, 16)).show(state);
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
