/** A search keeps what it has read of documents. */
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../../src/adapters/postgres/engine.ts';
import { publish } from '../../../src/adapters/published/publish.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { openPglite } from '../../support/postgres/open-pglite.ts';
import { memorySource, openRetrieval } from '../../support/published/publish-memory.ts';

const page = (number: number, text: string) => ({
  path: `${number}.md`,
  text: `# Page ${number}\n\n${text}\n`,
});

test('a retrieval of the former publication knows new passages of a document that it has read', async () => {
  const pglite = await openPglite();
  onTestFinished(() => pglite.close());
  const place = {
    url: pglite.url,
    name: 'kept',
    password: 'none',
    passwordEnv: 'PGPASSWORD',
    connections: 1,
  };
  const engine = await openPostgres(place);
  onTestFinished(() => engine.close());
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
