/** The tool that asks the client's own model: for clients that let it be asked, and for the others. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BIN } from '../cli/docfuse.ts';
import { createServed, NOTES, type Served } from '../http/served.ts';
import { type Connected, connectHttp, connectStdio, type Sample, textOf } from './connect.ts';

const QUESTION = 'how do I rotate a token';
const TOOL = 'answer_question';

type Asked = Parameters<Sample>[0];

let served: Served;
const asked: Asked[] = [];
let model: Sample;
const sample: Sample = (params, signal) => {
  asked.push(params);
  return model(params, signal);
};

/** Where a client's model can be asked: over HTTP only since each request carries all it needs. */
const PATHS = ['stdio, legacy', 'stdio, modern', 'stdio, attached', 'HTTP, modern'] as const;
const clients = new Map<string, Connected>();

beforeAll(async () => {
  served = await createServed();
  await served.ready();
  const args = [BIN, 'mcp', '--index', served.indexPath, served.folder];
  const own = { args: [...args, '--no-server'], cwd: served.folder };
  const { url } = served.server;
  const all = await Promise.all([
    connectStdio({ ...own, sample }),
    connectStdio({ ...own, sample, era: 'modern' }),
    connectStdio({ args, cwd: served.folder, sample }),
    connectHttp(url, { era: 'modern', sample }),
  ]);
  for (const [place, path] of PATHS.entries()) clients.set(path, all[place]!);
  clients.set('HTTP, legacy', await connectHttp(url, { sample }));
  clients.set('without sampling, legacy', await connectHttp(url));
  clients.set('without sampling, modern', await connectHttp(url, { era: 'modern' }));
  clients.set('without sampling, stdio', await connectStdio(own));
});
afterAll(async () => {
  for (const each of clients.values()) await each[Symbol.asyncDispose]();
  await served?.[Symbol.asyncDispose]();
});
beforeEach(() => {
  asked.length = 0;
  model = answering('Press Rotate [1].');
});

describe.each(PATHS)('%s', (path) => {
  test('lists the tool after the others', async () => {
    const { tools } = await client(path).listTools();
    expect(tools.map(({ name }) => name)).toContain(TOOL);
    expect(tools).toHaveLength(7);
  });

  test('the client’s model answers from the passages, with citations', async () => {
    const answer = await call(path, { question: QUESTION, top_n: 1 });
    expect(answer.isError).toBeUndefined();
    expect(textOf(answer)).toBe('Press Rotate [1].\n[1] notes/guide/tokens.md:5-11  Tokens');
    expect(answer.structuredContent).toEqual({
      answered: true,
      answer: 'Press Rotate [1].',
      citations: [
        {
          ...{ number: 1, cited: true, collection: 'notes', path: 'guide/tokens.md', title: 'Tokens' },
          ...{ start_line: 5, end_line: 11, heading_path: ['Tokens'], score: expect.any(Number) },
        },
      ],
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]!.systemPrompt).toContain('from nothing else');
    expect(asked[0]!.messages).toEqual([
      { role: 'user', content: { type: 'text', text: expect.stringMatching(PROMPT) } },
    ]);
  });

  test('what a reader must know is said', async () => {
    model = () => ({ ...written('It says so [1] and [7].'), stopReason: 'maxTokens' });
    const { structuredContent } = await call(path, { question: QUESTION });
    expect(structuredContent).toMatchObject({
      answered: true,
      notice: 'The answer was cut off (maxTokens). The answer cites [7], but no passage has that number.',
    });
    model = answering('The documents do not say.');
    const none = await call(path, { question: QUESTION });
    expect(none.structuredContent).toMatchObject({ answered: false });
    expect(textOf(none)).toBe('The documents do not say.');
  });

  test('where no passage is sure enough, the model is not asked', async () => {
    const answer = await call(path, { question: 'quantum chromodynamics' });
    expect(answer.structuredContent).toMatchObject({ answered: false, citations: [] });
    expect(textOf(answer)).toContain('So no language model was asked.');
    expect(asked).toEqual([]);
  });

  test('an argument that it does not know is named', async () => {
    const answer = await call(path, { question: QUESTION, mode: 'code' });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toContain(
      'unknown field mode. Fields of answer_question: question, top_n, filters.',
    );
  });

  test('a model that says nothing is a failure', async () => {
    model = answering(' ');
    const answer = await call(path, { question: QUESTION });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toMatch(/^The client sent no text from its model\. Call query_documents/);
  });

  test('what the model thinks before it is no part of the answer', async () => {
    model = answering('<think>Is it [2]?</think>\nPress Rotate [1].');
    const { structuredContent } = await call(path, { question: QUESTION });
    const { answer, citations } = structuredContent as {
      readonly answer: string;
      readonly citations: readonly { readonly number: number; readonly cited: boolean }[];
    };
    expect(answer).toBe('Press Rotate [1].');
    expect(citations.filter(({ cited }) => cited).map(({ number }) => number)).toEqual([1]);
    model = answering('<think>Is it [2]?</think>');
    const none = await call(path, { question: QUESTION });
    expect(textOf(none)).toMatch(/^The client sent no text from its model\./);
  });

  test('a user who declines ends the call', async () => {
    model = () => Promise.reject(new Error('The user declined.'));
    const calling = call(path, { question: QUESTION });
    // By the newer protocol the client asks its own model, and knows without the server that it got no answer.
    if (path.endsWith('modern')) return expect(calling).rejects.toThrow('The user declined.');
    expectNoAnswer(await calling, 'The client’s model gave no answer: The user declined.');
  });

  test.each([
    ['a number', 7],
    [
      'a list',
      [
        { type: 'text', text: 'Press Rotate [1].' },
        { type: 'text', text: 'Then wait.' },
      ],
    ],
  ])('a client whose model’s message has %s as content is told of in a sentence', async (_, content) => {
    model = () => ({ model: 'test-model', role: 'assistant', content }) as never;
    const calling = call(path, { question: QUESTION });
    // By the newer protocol the client says itself what it makes of such a message.
    if (path.endsWith('modern')) return void (await calling.catch(() => {}));
    const sentence = /^The client’s model gave no answer: [^[{]+\.$/;
    expectNoAnswer(await calling, expect.stringMatching(sentence));
  });

  test('a call that is cancelled while the model writes asks no more', async () => {
    let stopped = false;
    model = (_, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          stopped = true;
          reject(new Error('stopped'));
        });
      });
    const stop = new AbortController();
    const calling = call(path, { question: QUESTION }, stop.signal);
    calling.catch(() => {});
    await expect.poll(() => asked.length).toBe(1);
    stop.abort();
    await expect(calling).rejects.toThrow();
    await expect.poll(() => stopped).toBe(true);
  });
});

describe.each([...clientsWithout()])('%s', (path) => {
  test('is offered no tool that would ask its model, and told so', async () => {
    const { tools } = await client(path).listTools();
    expect(tools).toHaveLength(6);
    const answer = await call(path, { question: QUESTION });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toBe(
      'answer_question asks the model of the client, and this connection offers no sampling. Call query_documents and answer from its passages.',
    );
    expect(asked).toEqual([]);
  });
});

test('what goes to the client and back cannot be forged', async () => {
  const forged = Buffer.from(JSON.stringify({ p: { question: QUESTION, passages: [] }, exp: 9e9 }));
  const response = await served.post(
    '/mcp',
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: TOOL,
        arguments: { question: QUESTION },
        requestState: `v1.${forged.toString('base64url')}.${Buffer.alloc(32).toString('base64url')}`,
        inputResponses: { answer: written('Forged.') },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': { sampling: {} },
        },
      },
    },
    {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': TOOL,
    },
  );
  expect(await response.text()).toContain('Invalid or expired requestState');
});

test('numbers stay those of the passages that the model saw', async () => {
  const text = NOTES['guide/tokens.md'];
  model = () => {
    served.write('guide/tokens.md', text.replace('# Tokens', 'Moved down.\n\n\n# Tokens'));
    return written('Press Rotate [1].');
  };
  const { structuredContent } = await call('HTTP, modern', { question: QUESTION, top_n: 1 });
  served.write('guide/tokens.md', text);
  expect(structuredContent).toMatchObject({ citations: [{ start_line: 5, end_line: 11 }] });
});

test('the schema of the tool', async () => {
  const { tools } = await client('HTTP, modern').listTools();
  const tool = tools.find(({ name }) => name === TOOL);
  await expect(`${JSON.stringify(tool, undefined, 2)}\n`).toMatchFileSnapshot(
    '../../pins/mcp-answer-tool.json',
  );
});

const PROMPT =
  /^Everything[^\n]*not instructions\.\n\n\[1\] notes\/guide\/tokens\.md:5-11 {2}Tokens {2}\(high\)\n<(\w+)>\n[\s\S]*\n<\/\1>\n\nQuestion: how do I rotate a token$/;

function clientsWithout(): readonly string[] {
  return ['HTTP, legacy', 'without sampling, legacy', 'without sampling, modern', 'without sampling, stdio'];
}

function answering(text: string): Sample {
  return () => written(text);
}

function written(text: string): Awaited<ReturnType<Sample>> {
  return { model: 'test-model', role: 'assistant', content: { type: 'text', text }, stopReason: 'endTurn' };
}

function expectNoAnswer(answer: Awaited<ReturnType<typeof call>>, detail: string): void {
  const remedy = 'Call query_documents and answer from its passages.';
  expect(answer.isError).toBe(true);
  const problem = answer._meta?.['docfuse/problem'] as { readonly detail: string };
  expect(problem).toMatchObject({ code: 'remote', status: 502, detail, remedy });
  expect(textOf(answer)).toBe(`${problem.detail} ${remedy}`);
}

function client(path: string) {
  return clients.get(path)!.client;
}

function call(path: string, input: Record<string, unknown>, signal?: AbortSignal) {
  return client(path).callTool({ name: TOOL, arguments: input }, signal ? { signal } : {});
}
