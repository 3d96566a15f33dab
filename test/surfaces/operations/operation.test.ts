import { expect, test } from 'vitest';
import * as z from 'zod';
import { settingsSchema } from '../../../src/engine/config/settings.ts';
import {
  checkInput,
  defineOperation,
  type Operation,
  type OperationContext,
  runOperation,
} from '../../../src/surfaces/operations/operation.ts';
import { operations } from '../../../src/surfaces/operations/operations.ts';
import { search } from '../../../src/surfaces/operations/search.ts';
import { status } from '../../../src/surfaces/operations/status.ts';

const double = defineOperation({
  name: 'double',
  summary: 'Double a number',
  input: () => ({ value: z.int().max(10) }),
  output: () => ({ value: z.int() }),
  readOnly: true,
  run: async (_, { value }) => ({ value: 2 * value }),
});
const context: OperationContext = {
  options: {},
  now: () => 0,
  open: () => Promise.reject(new Error('not used')),
};

test('a checked input is run', async () => {
  expect(await runOperation(double, context, { value: 4 })).toEqual({ value: 8 });
});

test('an unknown field is refused by name, with the known ones', async () => {
  const run = runOperation(double, context, { value: 4, valeu: 1 });
  await expect(run).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('valeu'),
    remedy: expect.stringContaining('value'),
  });
});

test('a key that a map would lose is refused, for without it a filter lets everything through', () => {
  const filters = JSON.parse('{ "where": { "status": "draft", "__proto__": "b" } }');
  expect(() => checkInput(search, { query: 'x', filters })).toThrow(/“__proto__” cannot name a field/);
});

test('an unknown field inside another is refused with those that may stand there', () => {
  expect(() => checkInput(search, { query: 'x', filters: { tags: ['a'] } })).toThrow(
    expect.objectContaining({
      remedy: expect.stringMatching(/^Fields of filters: collection, path, .*, where\.$/),
    }),
  );
});

test.each([
  ['search', { query: 3 }, 'query: 3 is not text.'],
  ['search', { query: 'x'.repeat(16_001) }, 'query: it is longer than 16,000 characters.'],
  ['search_with_hypothesis', { hypothesis: 'x'.repeat(16_001) }, 'hypothesis: it is longer than'],
  ['ask', { question: 'x'.repeat(16_001) }, 'question: it is longer than'],
  ['search', { query: 'x', top_n: 1.5 }, 'top_n: 1.5 is not a whole number.'],
  [
    'search',
    { query: 'x', top_n: 0, explain: 'no' },
    'top_n: 0 is less than 1; explain: “no” is not true or false.',
  ],
  ['search', { query: 'x', filters: { tags: ['a'] } }, 'filters: unknown field tags (nearest: tag).'],
  ['search', { query: 'x', filters: { tag: 'a' } }, 'tag: “a” is not a list; write ["a"].'],
  ['search', { query: 'x', filters: { tag: [''] } }, /^filters\.tag: it is empty\.$/],
  ['search', { query: 'x', filters: { where: { a: 1 } } }, 'a: 1 is not text, and 1 is not a list.'],
  ['search', [], 'a list is not a set of fields.'],
  ['related', { document: '' }, 'document: it is empty.'],
  ['related', { document: 'a', depth: 4 }, 'depth: 4 is more than 3.'],
  ['mcp_install', {}, /^client is missing: name one of claude-desktop, .*, opencode\.$/],
] as const)('%s refuses %j by field, in plain words', (name, input, message) => {
  const operation: Operation = operations.find((each) => each.name === name)!;
  expect(() => checkInput(operation, input)).toThrow(message);
});

test.each([
  [{ query: 'x', top_n: 101 }, 'Give at most 100.'],
  [{ query: 'x', top_n: 0 }, 'Give at least 1.'],
  [{ query: 'x'.repeat(16_001) }, 'Use fewer words.'],
  [{ query: 'x', filters: { path: [''] } }, 'Give an allowed value, or leave it out.'],
  [{ query: 5 }, /^Give text\.$/],
  [{ query: 5, min_confidence: 'x' }, /^Give text\. Give an allowed value, or leave it out\.$/],
  [{ query: 'x', top_n: 101, top_m: 1 }, /^Fields of search: query, top_n, /],
  [{}, /^Fields of search: query, top_n, /],
] as const)('the remedy for %j mends it', (input, remedy) => {
  const said = expect.objectContaining({ remedy: expect.stringMatching(remedy) });
  expect(() => checkInput(search, input)).toThrow(said);
});

test.each(operations.map((operation) => [operation.name, operation] as const))(
  '%s refuses unknown fields, describes every field, and speaks snake_case',
  (_, { input, output }) => {
    const schema = z.toJSONSchema(input, { io: 'input' });
    expect(schema.additionalProperties).toBe(false);
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      expect(name).toMatch(/^[a-z_]+$/);
      expect(field).toHaveProperty('description');
    }
    expect(z.toJSONSchema(output).additionalProperties).toBe(false);
  },
);

test('names, commands, routes and tools are each of one operation, and name fields it has', () => {
  const table: readonly Operation[] = operations;
  const distinct = (values: readonly unknown[]) => expect(new Set(values).size).toBe(values.length);
  distinct(table.map(({ name }) => name));
  distinct(table.flatMap(({ http }) => (http ? [http.path] : [])));
  distinct(table.flatMap(({ mcp }) => (mcp ? [mcp.name] : [])));
  for (const { input, http, mcp, cli } of table) {
    const inPath = [...(http?.path ?? '').matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
    for (const field of [...inPath, ...(mcp?.arguments ?? []), ...(cli?.arguments ?? [])]) {
      expect(Object.keys(input.shape)).toContain(field);
    }
  }
});

test('defaults that descriptions name are those of the settings', () => {
  const { search: settings } = settingsSchema.parse({});
  const { top_n, min_confidence } = operations[0].input.shape;
  expect(operations[0].name).toBe('search');
  expect(top_n.description).toContain(`(default: ${settings.top_n})`);
  expect(min_confidence.description).toContain(`(default: ${settings.min_confidence})`);
});

test('an operation without fields says so', async () => {
  const { remedy } = await runOperation(status, context, { colour: 'red' }).catch((error) => error);
  expect(remedy).toBe('status takes no fields.');
});
