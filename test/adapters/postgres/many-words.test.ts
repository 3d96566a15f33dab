/** A query of 26 prefixes asks for more words than PostgreSQL has columns in a record (1,600). */
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../../src/adapters/postgres/engine.ts';
import { PASSAGES } from '../../../src/adapters/published/conditions.ts';
import { dimensionOf } from '../../../src/adapters/published/format.ts';
import { publish } from '../../../src/adapters/published/publish.ts';
import { openPglite } from '../../support/postgres/open-pglite.ts';
import { memorySource } from '../../support/published/publish-memory.ts';

test('the occurrences of 1,700 words are read, and nothing for words that a text lacks', async () => {
  const pglite = await openPglite();
  onTestFinished(() => pglite.close());
  const place = { url: pglite.url, password: 'none', passwordEnv: 'PGPASSWORD', connections: 1 };
  const engine = await openPostgres({ ...place, name: 'many' });
  onTestFinished(() => engine.close());
  const file = { path: '0.md', text: '# One\n\nlantern and `otter()`\n' };
  await publish(engine, memorySource([file]), { now: Date.now });
  const reader = engine.reader((await engine.state())!);
  const held = [dimensionOf('lantern'), dimensionOf('otter')];
  const absent = Array.from({ length: 1_698 }, (_, number) => dimensionOf(`absent${number}`));
  const dimensions = [held[0]!, ...absent, held[1]!];
  const { payload } = await reader.search<{ readonly in: object }>([{ where: PASSAGES, limit: 1 }], {
    keys: ['document'],
    dimensions,
  });
  expect(Object.keys([...payload.values()][0]!.in).toSorted()).toEqual(held.map(String).toSorted());
  const read = await reader.read<{ readonly in: object }>('document', [0], { keys: [], dimensions });
  expect(read.get(0)!.in).toEqual(expect.objectContaining({ [held[0]!]: expect.anything() }));
}, 60_000);
