/** Every operation answers the same in process, over HTTP and on the command line; mcp/tools.test.ts compares tools. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { locateIndex } from '../../src/engine/config/locate-index.ts';
import { open } from '../../src/engine/open.ts';
import { askServer } from '../../src/surfaces/attach/ask-server.ts';
import { findServer, type KnownServer } from '../../src/surfaces/attach/discovery-file.ts';
import { commandOf, spellField } from '../../src/surfaces/cli/options.ts';
import { fieldsOf, nameOf } from '../../src/surfaces/operations/fields.ts';
import {
  type Operation,
  type OperationContext,
  runOperation,
} from '../../src/surfaces/operations/operation.ts';
import { operations } from '../../src/surfaces/operations/operations.ts';
import { SMALL_ENV, SMALL_SETTINGS } from '../support/small-model.ts';
import { BIN } from './cli/docfuse.ts';
import { executeHere } from './cli/execute-here.ts';
import { comparable } from './comparable.ts';
import { createServed, NOTES, type Served } from './http/served.ts';

let served: Served;
let context: OperationContext;
let note: KnownServer;

beforeAll(async () => {
  served = await createServed({ token: 'secret', settings: SMALL_SETTINGS, files: { ...NOTES, ...BY_ADA } });
  await served.ready({ authorization: 'Bearer secret' });
  const options = { roots: [served.folder], indexPath: served.indexPath, settings: SMALL_SETTINGS };
  const now = Date.now();
  context = { options, now: () => now, open: () => open(options) };
  note = findServer(locateIndex(options))!;
});
afterAll(() => served?.[Symbol.asyncDispose]());

const BY_ADA = {
  'keys.md':
    '---\nauthor: Ada\ncategory: Guide\ntags: [auth]\nstatus: draft\n---\n# Keys\n\nA key is no token.\n\n```ts\nkey();\n```\n',
};

/** Every filter; one document passes them all. */
const NARROW = {
  ...{
    collection: ['notes'],
    path: ['**/*.md', 'backup.md'],
    exclude: ['gone/'],
    tag: ['auth'],
    lang: ['ts'],
  },
  ...{ author: ['Ada', 'Nobody'], category: ['Guide'], after: '2000-01-01', before: '2999-01-01' },
  where: { status: 'draft' },
};

/** Inputs that work and inputs that fail, by operation. */
const INPUTS: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  search: [
    { query: 'how do I rotate a token', explain: true, min_confidence: 0 },
    { query: 'getUserById', mode: 'code', filters: { lang: ['ts'], where: { status: 'draft' } } },
    { query: 'token', filters: NARROW, mode: 'keyword' },
    { query: 'token', preset: 'research', top_n: 20, sync: false },
    { query: 'token', parents: false, wait: false, rerank: false },
    { query: 'token', filters: { after: 'soon' } },
    { query: 'token', per_document: 1, preset: 'research', min_confidence: 0, sync: false },
    { query: 'token', per_document: 0 },
    { query: 'token', top_n: 0 },
    { query: '' },
    { query: 'x'.repeat(16_001) },
  ],
  search_with_hypothesis: [
    { hypothesis: 'A token is renewed.', query: '"token"' },
    { hypothesis: 'A token is renewed.' },
    {
      hypothesis: 'No token.',
      query: 'keys',
      filters: NARROW,
      top_n: 3,
      per_document: 1,
      min_confidence: 0,
      preset: 'notes',
    },
    {
      hypothesis: 'A token.',
      query: 'x',
      parents: false,
      explain: true,
      sync: false,
      wait: false,
      rerank: false,
    },
    {},
  ],
  read: [
    { document: 'notes/backup.md' },
    { document: 'guide/tokens.md', start_line: 5, end_line: 6 },
    { document: 'guide/tokens.md', max_chars: 60 },
    { document: 'gone & lost' },
  ],
  related: [{ document: 'guide/tokens.md', depth: 2, direction: 'out' }, { document: 'nowhere' }],
  list: [{}, { sort: 'title', limit: 1, filters: { tag: ['auth'] } }, { filters: NARROW }, { cursor: '%%' }],
  list_tags: [{}, { limit: 1 }, { filters: NARROW }],
  list_collections: [{}],
  list_judged: [{}],
  graph: [{}, { limit: 1 }, { filters: { exclude: ['guide/'] } }, { filters: NARROW }],
  map: [{}, { limit: 1, wait: false }, { filters: NARROW }, { limit: 0 }],
  status: [{}],
  audit: [{}, { limit: 1, filters: NARROW }, { limit: 0 }],
};

const remote = (operations as readonly Operation[]).filter(
  ({ http }) => http !== undefined && http.attach !== false,
);

test('every operation that a server is asked for is compared', () => {
  expect(Object.keys(INPUTS).sort()).toEqual(remote.map(({ name }) => name).sort());
});

test.each(remote)('every field of $name is compared', (operation) => {
  const inputs = INPUTS[operation.name] ?? [];
  const missing = fieldsOf(operation).filter(({ path }) =>
    inputs.every((input) => valueAt(input, path) === undefined),
  );
  expect(missing.map(({ path }) => path.join('.'))).toEqual([]);
});

const CASES = remote.flatMap((operation) =>
  (INPUTS[operation.name] ?? []).map((input) => ({ operation, input })),
);

test.each(CASES)('$operation.name $input', async ({ operation, input }) => {
  const here = comparable(await outcome(runOperation(operation, context, input)));
  expect(comparable(await outcome(askServer(note, operation, input)))).toEqual(here);
  const typed = typedAs(operation, input);
  if (typed) {
    const { code, stdout, stderr } = await executeHere([BIN, ...typed], {
      cwd: served.folder,
      env: SMALL_ENV,
    });
    if (isProblem(here)) {
      expect(code).toBe(here.code === 'usage' ? 2 : 1);
      // The command line speaks of options where other surfaces speak of fields.
      expect(JSON.parse(stderr).code).toBe(here.code);
    } else expect(comparable(JSON.parse(stdout))).toEqual(here);
  }
});

test('nearly all are typed', () => {
  expect(CASES.filter(({ operation, input }) => typedAs(operation, input)).length).toBeGreaterThan(
    CASES.length * 0.8,
  );
});

/** The command for an input; undefined where what must be typed is missing, which makes another command of it. */
function typedAs(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
): readonly string[] | undefined {
  const fields = fieldsOf(operation);
  if (fields.some((field) => field.required && valueAt(input, field.path) === undefined)) return undefined;
  const positional: readonly string[] = operation.cli?.arguments ?? [];
  if (positional.some((name) => input[name] === undefined)) return undefined;
  const spell = spellField(operation);
  const places: string[] = [];
  const options: string[] = [];
  for (const field of fields) {
    const value = valueAt(input, field.path);
    const name = nameOf(field);
    if (value === undefined) continue;
    if (positional.includes(name)) places.push(String(value));
    else if (field.kind === 'switch' || field.kind === 'off-switch')
      options.push(spell(field.path.join('.')));
    else for (const each of valuesOf(value)) options.push(spell(field.path.join('.')), each);
  }
  const words = [...commandOf(operation).split(' '), ...options, '--json', '--index', served.indexPath];
  return [...words, '--', ...places, served.folder];
}

function valueAt(input: Readonly<Record<string, unknown>>, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], input);
}

/** A map is typed as `key=value`, a list as the option again and again. */
function valuesOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  if (Array.isArray(value)) return value.map(String);
  return Object.entries(value).map(([key, each]) => `${key}=${each}`);
}

interface Failure {
  readonly code: unknown;
  readonly message: string;
  readonly remedy: unknown;
}

function isProblem(value: unknown): value is Failure {
  return typeof value === 'object' && value !== null && 'remedy' in value;
}

async function outcome(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    const { code, message, remedy } = error as Failure;
    return { code, message, remedy };
  }
}
