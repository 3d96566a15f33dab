/** Every tool answers what its operation answers in process, over every transport and both eras of the protocol. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Index } from '../../../src/engine/api.ts';
import { open } from '../../../src/engine/open.ts';
import { mendSlips } from '../../../src/surfaces/mcp/mend-slips.ts';
import { toolText } from '../../../src/surfaces/mcp/tool-text.ts';
import { shortOutput, type ToolOptions, toolInput, toolsOf } from '../../../src/surfaces/mcp/tools.ts';
import {
  type Operation,
  type OperationContext,
  runOperation,
} from '../../../src/surfaces/operations/operation.ts';
import { operations } from '../../../src/surfaces/operations/operations.ts';
import { BIN } from '../cli/docfuse.ts';
import { comparable } from '../comparable.ts';
import { createServed, type Served } from '../http/served.ts';
import { type Connected, connectHttp, connectStdio, textOf } from './connect.ts';

const TOKEN = 'secret';
const PATHS = ['HTTP, legacy', 'HTTP, modern', 'stdio, index opened', 'stdio, attached, modern'] as const;

let served: Served;
let index: Index;
let context: OperationContext;
const clients = new Map<string, Connected>();

beforeAll(async () => {
  served = await createServed({ token: TOKEN });
  const options = { roots: [served.folder], indexPath: served.indexPath };
  await served.ready({ authorization: `Bearer ${TOKEN}` });
  const now = Date.now();
  index = await open(options);
  // One index, and so one model, for all operations; each closes what it opened.
  const kept = { ...index, close: async () => {}, [Symbol.asyncDispose]: async () => {} };
  context = { options, now: () => now, open: async () => kept };
  const { url } = served.server;
  const args = [BIN, 'mcp', '--index', served.indexPath, served.folder];
  const cwd = served.folder;
  const all = await Promise.all([
    connectHttp(url, { token: TOKEN }),
    connectHttp(url, { token: TOKEN, era: 'modern' }),
    connectStdio({ args: [...args, '--no-server'], cwd }),
    connectStdio({ args, cwd, era: 'modern' }),
  ]);
  for (const [place, path] of PATHS.entries()) clients.set(path, all[place]!);
});
afterAll(async () => {
  for (const each of clients.values()) await each[Symbol.asyncDispose]();
  await index?.close();
  await served?.[Symbol.asyncDispose]();
});

// A tool that asks the client's model is listed where that may be asked: sampling.test.ts.
const tools = (operations as readonly Operation[]).filter(({ mcp }) => mcp && !mcp.sampling);

/** Arguments that work and arguments that fail, by tool. */
const INPUTS: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  query_documents: [
    { query: 'how do I rotate a token', explain: true },
    { query: 'getUserById', mode: 'code', filters: { lang: ['ts'] } },
    { query: 'token', top_n: 20, parents: true },
    { question: 'token', limit: 2, filters: { tag: 'auth' } },
    { query: 'token', top_k: '2', mode: null, filters: null, parents: 'true' },
    { query: 'token', path: 'notes/guide/tokens.md:5-11' },
    { query: 'token', filters: { after: 'soon' } },
    { query: '' },
  ],
  search_with_hypothesis: [
    { answer: 'A token is renewed by pressing a button.', k: null },
    { hypothesis: 'A token is renewed by pressing a button.', top_n: 2 },
    {},
  ],
  read_document: [
    { document: 'notes/backup.md' },
    { path: 'docfuse://notes/guide/tokens.md' },
    { document: 'guide/tokens.md', start_line: 5, end_line: 9, max_chars: 60 },
    { document: 'guide/tokens.md', lines: '6-8' },
    { document: 'tokens' },
    { document: 'Backup#backup' },
    { document: 'Backup#nosuch' },
    { document: 'gone' },
  ],
  related_documents: [
    { document: 'guide/tokens.md', depth: 2, direction: 'out' },
    { document: 'tokens' },
    { document: 'nowhere' },
  ],
  list_documents: [{}, { limit: 1, filters: { tag: ['auth'] } }, { cursor: '%%' }],
  index_status: [{}],
};

test('the exact list of tools, with schemas and annotations', async () => {
  const { tools: list } = await client('HTTP, modern').listTools();
  expect(list.map(({ name }) => name)).toEqual(Object.keys(INPUTS));
  // Some clients want an object wherever a schema may stand.
  expect(JSON.stringify(list)).not.toContain('"items":false');
  await expect(`${JSON.stringify(list, undefined, 2)}\n`).toMatchFileSnapshot('../../pins/mcp-tools.json');
});

// Every conversation begins with the list, whatever is asked.
test('the list of tools is at most 10,000 characters, the one that asks the client’s model among them', () => {
  const { run, state } = {} as ToolOptions;
  const all = toolsOf(operations, { run, state }).map(({ declaration }) => declaration);
  expect(all).toHaveLength(Object.keys(INPUTS).length + 1);
  expect(JSON.stringify({ tools: all }).length).toBeLessThanOrEqual(10_000);
});

describe.each(PATHS)('%s', (path) => {
  test('lists the same tools', async () => {
    const { tools: list } = await client(path).listTools();
    expect(list).toEqual((await client('HTTP, modern').listTools()).tools);
  });

  test.each(
    tools.flatMap((operation) => INPUTS[operation.mcp!.name]!.map((input) => ({ operation, input }))),
  )('$operation.mcp.name $input', async ({ operation, input }) => {
    const meant = { ...operation.mcp!.defaults, ...mendSlips(input, toolInput(operation)) };
    const here = await outcome(runOperation(operation, context, meant));
    const { isError, structuredContent, content, _meta } = await client(path).callTool({
      name: operation.mcp!.name,
      arguments: { ...input },
    });
    const text = textOf({ content });
    if (here.error === undefined) {
      expect(isError).toBeUndefined();
      expect(comparable(structuredContent)).toEqual(comparable(shortOutput(operation, here.output, meant)));
      expect(text).not.toBe('');
    } else {
      expect(isError).toBe(true);
      expect(structuredContent).toBeUndefined();
      expect(_meta?.['docfuse/problem']).toMatchObject({
        detail: here.error.message,
        code: expect.stringMatching(/^(usage|not_found)$/),
        remedy: expect.any(String),
      });
      expect(text).toContain(here.error.message);
      // Fields are those of the tool, which are fewer.
      if (!here.error.remedy.startsWith('Fields of'))
        expect(text).toContain(here.error.remedy.replace('docfuse list', 'list_documents'));
    }
  });

  test('an argument that a tool does not know is named, though its operation knows it', async () => {
    const answer = await client(path).callTool({
      name: 'query_documents',
      arguments: { query: 'token', sync: false, colour: 'red' },
    });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toBe(
      'unknown field sync, colour. Fields of query_documents: query, top_n, mode, filters, parents, explain.',
    );
  });

  test('a tool that is not there is a failure of the protocol', async () => {
    const call = client(path).callTool({ name: 'write_document', arguments: {} });
    await expect(call).rejects.toThrow('write_document not found');
  });
});

describe('the text of an answer', () => {
  test('search: numbered passages under places that read_document takes', async () => {
    const answer = await call('query_documents', { query: 'rotate a token' });
    const [place = ''] = /^\[1\] (\S+)/m.exec(textOf(answer))!.slice(1);
    expect(place).toBe('notes/guide/tokens.md:5-11');
    expect(textOf(await call('read_document', { document: place }))).toMatch(/^# Tokens/m);
  });

  test('search: how scores came about, when asked', async () => {
    expect(textOf(await call('query_documents', { query: 'token', explain: true }))).toContain(
      'explanations:\n  - rank: 1',
    );
  });

  test('search: a sentence where nothing was found', async () => {
    const answer = await call('query_documents', { query: 'token', filters: { tag: ['nobody'] } });
    expect(textOf(answer)).toMatch(/tag.*\nNo passage matches the query\.$/);
    const notice = 'No passage matches the query.';
    const search = operations.find(({ name }) => name === 'search')!;
    expect(toolText(search, { hits: [], unsure: [], notice })).toEqual([{ type: 'text', text: notice }]);
    const unsure = await call('query_documents', { query: 'quantum chromodynamics' });
    // What the tool does not take is not advised.
    expect(textOf(unsure)).toMatch(
      /^Nothing here surely answers this: .* needed\. No passage contains “quantum” or “chromodynamics”\.\n/,
    );
    expect(textOf(unsure)).toMatch(
      /\nNot sure that these answer it:\n\n\[1\] notes\/[\w/]+\.md:\d+-\d+ {2}\w+.*\n<(\w+)>\n.+\n<\/\1>/,
    );
  });

  test('read: the lines, and where they were cut', async () => {
    const answer = await call('read_document', { document: 'guide/tokens.md', max_chars: 20 });
    expect(textOf(answer)).toMatch(
      /^notes\/guide\/tokens\.md:\d-6\n[\s\S]*\n\n<(\w+)>\n# Tokens\n<\/\1>\nCut after line 6 of 11: go on with start_line 7\.$/,
    );
    const blank = await call('read_document', { document: 'backup.md:2-2' });
    expect(textOf(blank)).toBe('notes/backup.md:2-2\nThe page shows no text in line 2.');
  });

  test('list: a line for each, and the cursor', async () => {
    const answer = await call('list_documents', { limit: 2 });
    expect(textOf(answer)).toMatch(
      /^notes\/backup.md {2}Backups\nnotes\/code.md {2}Code\n2 of 3 documents; more with cursor \S+$/,
    );
  });

  test('related: a line for each, with the direction and the line of the link', async () => {
    const related = (document: string, depth: number) => call('related_documents', { document, depth });
    const outgoing =
      'Linked:\nnotes/backup.md  Backups  \\(linked from here at line 7\\)\nIn the same community:\nnotes/backup.md  Backups\n';
    expect(textOf(await related('tokens', 1))).toMatch(
      new RegExp(`^${outgoing}Similar:\n(notes/\\S+  \\w+  \\(0\\.\\d\\d\\)\n?){2}$`),
    );
    const { structuredContent } = await related('backup', 1);
    expect(structuredContent).toMatchObject({
      linked: [{ document_id: 'notes/guide/tokens.md', link: 'links here at line 7' }],
    });
  });

  test('others: their fields', async () => {
    expect(textOf(await call('index_status', {}))).toContain('collections:\n  - name: notes\n');
  });
});

test('the instructions name the collections', () => {
  for (const path of PATHS) expect(client(path).getInstructions()).toContain('in the collection notes.');
});

function client(path: string) {
  return clients.get(path)!.client;
}

function call(name: string, input: Record<string, unknown>) {
  return client('HTTP, legacy').callTool({ name, arguments: input });
}

async function outcome(
  work: Promise<unknown>,
): Promise<{ output?: unknown; error?: { message: string; remedy: string } }> {
  try {
    return { output: await work };
  } catch (error) {
    return { error: error as { message: string; remedy: string } };
  }
}
