/** Every operation answers the same in process and over HTTP, through the client that commands attach with. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { locateIndex } from '../../src/engine/locate-index.ts';
import { open } from '../../src/engine/open.ts';
import {
  type Operation,
  type OperationContext,
  runOperation,
} from '../../src/surfaces/operations/operation.ts';
import { operations } from '../../src/surfaces/operations/operations.ts';
import { askServer } from '../../src/surfaces/remote/ask-server.ts';
import { findServer } from '../../src/surfaces/remote/find-server.ts';
import type { ServerLock } from '../../src/surfaces/remote/server-lock.ts';
import { comparable } from './comparable.ts';
import { createServed, type Served } from './http/served.ts';

let served: Served;
let context: OperationContext;
let lock: ServerLock;

beforeAll(async () => {
  served = await createServed({ token: 'secret' });
  await served.get('/api/search?query=token', { authorization: 'Bearer secret' });
  const options = { roots: [served.folder], indexPath: served.indexPath };
  const now = Date.now();
  context = { options, now: () => now, open: () => open(options) };
  lock = findServer(locateIndex(options))!;
});
afterAll(() => served?.[Symbol.asyncDispose]());

/** Inputs that work and inputs that fail, by operation. */
const INPUTS: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  search: [
    { query: 'how do I rotate a token', explain: true, min_confidence: 0 },
    { query: 'getUserById', mode: 'code', filters: { lang: ['ts'], where: { status: 'draft' } } },
    { query: 'token', preset: 'research', top_n: 20, sync: false },
    { query: 'token', filters: { after: 'soon' } },
    { query: 'token', top_n: 0 },
    { query: '' },
    { query: 'x'.repeat(16_001) },
  ],
  search_with_hypothesis: [{ hypothesis: 'A token is renewed.', query: '"token"' }, {}],
  read: [
    { document: 'notes/backup.md' },
    { document: 'guide/tokens.md', start_line: 5, end_line: 6 },
    { document: 'gone & lost' },
  ],
  related: [{ document: 'guide/tokens.md', depth: 2 }, { document: 'nowhere' }],
  list: [{}, { limit: 1, filters: { tag: ['auth'] } }, { cursor: '%%' }],
  list_tags: [{}],
  list_collections: [{}],
  graph: [{}, { limit: 1 }],
  status: [{}],
};

const remote = (operations as readonly Operation[]).filter(({ http }) => http !== undefined);

test('every operation with a route is compared', () => {
  expect(Object.keys(INPUTS).sort()).toEqual(remote.map(({ name }) => name).sort());
});

test.each(
  remote.flatMap((operation) => (INPUTS[operation.name] ?? []).map((input) => ({ operation, input }))),
)('$operation.name $input', async ({ operation, input }) => {
  const here = await outcome(runOperation(operation, context, input));
  const there = await outcome(askServer(lock, operation, input));
  expect(comparable(there)).toEqual(comparable(here));
});

async function outcome(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    const { code, message, remedy } = error as { code: unknown; message: unknown; remedy: unknown };
    return { code, message, remedy };
  }
}
