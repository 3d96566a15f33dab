/**
 * Requests made from the OpenAPI document: right ones, nearly right ones and nonsense. No answer is a failure of the
 * server, every answer and every event is what the document says, and what the document allows is not called wrong usage.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEvents } from '../../../src/surfaces/attach/read-events.ts';
import {
  checkOf,
  complaintsAbout,
  complaintsAboutEvents,
  type Described,
  EVENTS,
  eventsOf,
  type OperationItem,
} from './described.ts';
import { createServed, type Served } from './served.ts';

const RUNS = 25;
let served: Served;
let described: Described;
/** Files written, and answers that came as events. */
let written = 0;
let streamed = 0;

beforeAll(async () => {
  served = await createServed();
  described = (await (await served.get('/openapi.json')).json()) as Described;
});
afterAll(() => served?.[Symbol.asyncDispose]());

/** The part of JSON Schema that inputs use. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

const WORDS = [
  'token',
  'backup.md',
  'notes/backup.md',
  'guide',
  'auth',
  '2026-01-01',
  '7d',
  '"',
  '-',
  '*',
  'tag:',
  '../x',
  '%2e',
];

/** Text that means something here, and text that means nothing anywhere. */
const text = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }).map((words) => words.join(' ')),
);

const anything = fc.oneof(
  text,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 3 }),
  fc.dictionary(text, text, { maxKeys: 3 }),
);

/** Values that a schema allows. */
function allowed(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === 'integer')
    return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 200, 10_000) });
  if (schema.type === 'number')
    return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 1, noNaN: true });
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'array') return fc.array(allowed(schema.items ?? {}), { maxLength: 3 });
  if (schema.type === 'object' && schema.properties) {
    return fc.record(
      Object.fromEntries(Object.entries(schema.properties).map(([name, each]) => [name, allowed(each)])),
      { requiredKeys: [...(schema.required ?? [])] },
    );
  }
  if (schema.type === 'object')
    return fc.dictionary(fc.constantFrom('status', 'x', 'toString'), text, { maxKeys: 2 });
  return text.filter((each) => each.length >= (schema.minLength ?? 0));
}

/** An allowed value with one thing about it changed. */
function nearly(schema: Schema): fc.Arbitrary<unknown> {
  const fields = Object.keys(schema.properties ?? {});
  return fc
    .tuple(allowed(schema), fc.constantFrom(...fields, 'unknown', '__proto__'), anything, fc.boolean())
    .map(([value, field, other, leaveOut]) => {
      const entries = Object.entries(value as object).filter(([name]) => name !== field);
      return Object.fromEntries(leaveOut ? entries : [...entries, [field, other]]);
    });
}

function queryOf(value: unknown, prefix = ''): [string, string][] {
  return Object.entries(value as object).flatMap(([name, each]): [string, string][] => {
    if (Array.isArray(each)) return each.map((item) => [prefix + name, String(item)]);
    if (typeof each === 'object' && each !== null) return queryOf(each, `${prefix}${name}.`);
    return [[prefix + name, String(each)]];
  });
}

async function check(item: OperationItem, answer: Response, request: string): Promise<void> {
  expect(await complaintsAbout(described, item, answer), request).toEqual([]);
}

interface OutcomeFacts {
  readonly status: number;
  readonly code?: string;
  readonly detail?: string;
}

/** What became of a request, also where that is the last of some events. */
async function outcomeOf(answer: Response): Promise<OutcomeFacts> {
  if (answer.headers.get('content-type') !== EVENTS)
    return answer.status === 200 ? { status: 200 } : ((await answer.json()) as OutcomeFacts);
  streamed++;
  const { event, data } = (await eventsOf(answer)).at(-1)!;
  return event === 'answer' ? { status: 200 } : (data as OutcomeFacts);
}

/** Text of UTF-16 halves cannot be sent. */
const place = text.filter((each) => each.isWellFormed() && !/^\.{0,2}$/.test(each));
const OPERATIONS = [
  '/api/search',
  '/api/hypothesis',
  '/api/documents/{document}',
  '/api/related',
  '/api/documents',
  '/api/tags',
  '/api/collections',
  '/api/graph',
  '/api/map',
  '/api/status',
  '/api/judged',
  '/api/audit',
  '/api/doctor',
];

/** Routes that take POST alone. No language model is set up here, and no grades are saved. */
const GUARDED = ['/api/ask', '/api/judge', '/api/tune'];

test('every operation with a route is tried', () => {
  const others = ['/api/events', '/healthz'];
  expect([...OPERATIONS, ...GUARDED].sort()).toEqual(
    Object.keys(described.paths)
      .filter((path) => !others.includes(path))
      .sort(),
  );
});

describe.each([...OPERATIONS, ...GUARDED])('%s', (path) => {
  const post = () => described.paths[path]!.post!;
  const get = () => described.paths[path]!.get!;
  const input = () => {
    const { $ref } = post().requestBody!.content['application/json'].schema as { readonly $ref: string };
    return described.components.schemas[$ref.split('/').at(-1)!]! as Schema;
  };
  const at = (name: string) => path.replace('{document}', encodeURIComponent(name));

  test('takes what the document allows', async () => {
    await fc.assert(
      fc.asyncProperty(allowed(input()), place, fc.boolean(), async (body, name, listens) => {
        // With something to do there is progress to tell.
        if (listens) served.write('written.md', `# Written\n\nBefore request ${written++}.\n`);
        const answer = await served.post(at(name), body, listens ? { accept: EVENTS } : {});
        await check(post(), answer.clone(), JSON.stringify(body));
        const { status, code, detail } = await outcomeOf(answer);
        // A date that is none, a line or a cursor that is not there: the schema cannot know.
        if (status === 400)
          expect(detail).toMatch(/date|cursor|line|character|empty|holds no|is set up|saves no grades/i);
        else expect([200, 404], code).toContain(status);
      }),
      { numRuns: RUNS },
    );
  });

  test('refuses what the document does not allow', async () => {
    await fc.assert(
      fc.asyncProperty(nearly(input()), place, async (body, name) => {
        const text = JSON.stringify(body);
        const answer = await served.post(at(name), text);
        if (!checkOf(described, input() as never).safeParse(JSON.parse(text)).success) {
          expect(answer.status, text).toBe(400);
        }
        await check(post(), answer, text);
      }),
      { numRuns: RUNS },
    );
  });

  test('takes any bytes for what they are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.json(),
          fc.string({ unit: 'binary' }),
          anything.map((each) => JSON.stringify(each)),
        ),
        async (body) => {
          await check(post(), await served.post(at('x'), body.toWellFormed()), body);
        },
      ),
      { numRuns: RUNS },
    );
  });

  if (!GUARDED.includes(path)) {
    test('answers GET with any query', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(allowed(input()), nearly(input())).map((value) => queryOf(value)),
          place,
          async (pairs, name) => {
            const query = new URLSearchParams(
              pairs.map(([key, value]): [string, string] => [key.toWellFormed(), value.toWellFormed()]),
            );
            await check(get(), await served.get(`${at(name)}?${query}`), String(query));
          },
        ),
        { numRuns: RUNS },
      );
    });
  }
});

test('progress was told, and all that /api/events tells is described, wherever a listener says it left off', async () => {
  // The watcher may read a new file before the request does, and then there is no progress to tell.
  await expect
    .poll(async () => {
      served.write('written.md', `# Written\n\nBefore request ${written++}.\n`);
      await outcomeOf(await served.post('/api/search', { query: 'written' }, { accept: EVENTS }));
      return streamed;
    })
    .toBeGreaterThan(0);
  const { get } = described.paths['/api/events']!;
  const ids = fc.oneof(fc.constant(''), fc.string({ maxLength: 20 }), fc.constantFrom('x:0', ':', '1:-1'));
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(ids, async (id) => {
      const stop = new AbortController();
      const answer = await fetch(`${served.server.url}/api/events`, {
        headers: { 'last-event-id': id.replaceAll(/[^ -~]/g, '') },
        signal: stop.signal,
      });
      served.write('written.md', `# Written\n\nWhile someone listens, ${written++}.\n`);
      const events = [];
      for await (const event of readEvents(answer.body!.pipeThrough(new TextDecoderStream()))) {
        events.push(event);
        seen.add(event.event);
        if (event.event === 'changed') break;
      }
      stop.abort();
      expect(complaintsAboutEvents(described, get!, events)).toEqual([]);
    }),
    { numRuns: 10 },
  );
  expect([...seen].sort()).toEqual(['changed', 'progress', 'reset']);
});
