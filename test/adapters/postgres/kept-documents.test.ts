/** A search keeps what it has read of documents. */
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../../src/adapters/postgres/engine.ts';
import { keepDocuments } from '../../../src/adapters/published/kept-documents.ts';
import { publish } from '../../../src/adapters/published/publish.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { openPglite } from '../../support/postgres/open-pglite.ts';
import { memorySource, openRetrieval } from '../../support/published/publish-memory.ts';

const page = (number: number, text: string) => ({
  path: `${number}.md`,
  text: `# Page ${number}\n\n${text}\n`,
});

async function openEngine() {
  const pglite = await openPglite();
  onTestFinished(() => pglite.close());
  const place = { url: pglite.url, password: 'none', passwordEnv: 'PGPASSWORD', connections: 1 };
  const engine = await openPostgres({ ...place, name: 'kept' });
  onTestFinished(() => engine.close());
  return engine;
}

test('a retrieval of the former publication knows new passages of a document that it has read', async () => {
  const engine = await openEngine();
  const files = Array.from({ length: 30 }, (_, number) =>
    page(number, `word${number} and ${'more '.repeat(50)}`),
  );
  await publish(engine, memorySource(files), { now: Date.now });
  const retrieval = await openRetrieval(engine);
  const ask = () =>
    retrieval.retrieve({ query: parseQuery('word0 word29'), filters: {}, lanes: ['keyword'], depth: 5 });
  expect((await ask()).documents.toSorted((a, b) => a - b)).toEqual([0, 29]);
  const longer = page(29, `word29\n\n## More\n\n${'word0 and others. '.repeat(150)}`);
  await publish(engine, memorySource([...files.slice(0, 29), longer]), { now: Date.now });
  const { documents } = await ask();
  expect(new Set(documents)).toEqual(new Set([0, 29]));
  expect(documents.length).toBeGreaterThan(2);
});

test('a retrieval of the former publication knows new passages of a document that it finds by its name', async () => {
  const engine = await openEngine();
  const files = [page(0, 'word0'), page(1, 'word1')];
  await publish(engine, memorySource(files), { now: Date.now });
  const retrieval = await openRetrieval(engine);
  const ask = () =>
    retrieval.retrieve({
      ...{ query: parseQuery('page 1'), filters: { lang: ['ts'] }, lanes: ['title'], depth: 5 },
    });
  expect((await ask()).documents).toEqual([]);
  const longer = page(
    1,
    `word1\n\n## More\n\n${'and so on '.repeat(200)}\n\n\`\`\`ts\nconst one = 1;\n\`\`\``,
  );
  await publish(engine, memorySource([files[0]!, longer]), { now: Date.now });
  expect((await ask()).documents).toEqual([1]);
}, 60_000);

test('a document with long front matter takes the place of many', async () => {
  const engine = await openEngine();
  const long = `---\ndescription: ${'long '.repeat(400)}\n---\n`;
  const { text, path } = page(2, 'word2');
  const files = [page(0, 'word0'), page(1, 'word1'), { path, text: long + text }];
  await publish(engine, memorySource(files), { now: Date.now });
  const reader = engine.reader((await engine.state())!);
  const asked: (readonly number[])[] = [];
  const counting: typeof reader = {
    ...reader,
    read: (kind, ids, wanted) => {
      asked.push(ids);
      return reader.read(kind, ids, wanted);
    },
  };
  const kept = keepDocuments(counting, 25);
  for (const number of [0, 1, 0, 2, 0, 1]) await kept.read([number]);
  expect(asked).toEqual([[0], [1], [], [2], [0], [1]]);
}, 60_000);
