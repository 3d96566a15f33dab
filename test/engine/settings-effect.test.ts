/** Everything in the configuration file is effective: for each setting, one example whose answer it changes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { configSchema } from '../../src/engine/config/config-schema.ts';
import { EXAMPLES } from './settings-examples.ts';
import { createTrial, type Trial } from './settings-trial.ts';

let trial: Trial;
beforeAll(async () => {
  trial = await createTrial();
}, 120_000);
afterAll(() => trial?.[Symbol.asyncDispose]());

/** Where the index and its files lie is read before there is an index to ask: the tests that show each effect. */
const SHOWN_ELSEWHERE = [
  ...['index_path', 'collections.name', 'collections.path'], // config.test.ts
  ...['collections.include', 'collections.exclude'], // collections.test.ts
  'collections.kind', // git-source.test.ts
  'collections.language', // languages.test.ts
  'trust', // trust.test.ts
  ...['embedding.query_prefix', 'embedding.query_input_type'], // embedding-service.test.ts
  'embedding.multilingual_model', // two-models.test.ts
  ...['qdrant.url', 'qdrant.name', 'qdrant.api_key_env'], // published.test.ts
  ...['postgres.url', 'postgres.name', 'postgres.password_env', 'postgres.connections'], // published.test.ts
  'postgres.readers', // test/adapters/postgres/readers.test.ts
  'postgres.workers', // embedding-workers.test.ts
  ...['qdrant.shards', 'qdrant.replicas', 'qdrant.write_consistency'], // test/adapters/qdrant/publish.test.ts
];

test('every setting has an example, and every example a setting', () => {
  expect([...Object.keys(EXAMPLES), ...SHOWN_ELSEWHERE].sort()).toEqual(settingKeys().sort());
});

test.each(Object.entries(EXAMPLES))(
  '%s changes an answer',
  async (key, example) => {
    const [one, other] = example.values;
    const before = await trial.ask(key, one, example);
    expect(await trial.ask(key, one, example), 'the same value gives the same answer').toEqual(before);
    expect(await trial.ask(key, other, example)).not.toEqual(before);
  },
  60_000,
);

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** `search.advanced.min_factor` and all the others. */
function settingKeys(
  { properties = {} }: Schema = z.toJSONSchema(configSchema, { io: 'input' }) as Schema,
  prefix = '',
): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const group = schema.items?.properties ? schema.items : schema;
    return group.properties ? settingKeys(group, `${prefix}${name}.`) : [`${prefix}${name}`];
  });
}
