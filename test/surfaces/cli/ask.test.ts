import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Service, startService } from '../../adapters/openai/service.ts';
import { createPlayground } from './docfuse.ts';

const playground = createPlayground({
  'docs/tokens.md':
    '# Tokens\n\nTo rotate a token, open the settings and press Rotate. The old one stays valid for an hour.\n',
  'docs/fruit.md': '# Fruit\n\nApples keep for weeks in a cool cellar.\n',
});
const QUESTION = 'how do I rotate a token';
let service: Service;
let toml = '';

beforeAll(async () => {
  service = await startService({ key: 'right' });
  toml = `[answer]\nbase_url = "${service.url}"\nmodel = "tiny"\napi_key_env = "ANSWER_KEY"\n[[collections]]\npath = "docs"\n`;
  playground.write({ 'docfuse.toml': toml });
  expect((await playground.run(['index'])).code).toBe(0);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  playground[Symbol.dispose]();
});
beforeEach(() => {
  service.requests.length = 0;
  service.replies.length = 0;
  service.chat = ['Open the settings ', 'and press Rotate [1].\u001b[31m'];
});

const ask = (question: string, ...args: string[]) =>
  playground.run(['ask', question, ...args], { env: { ANSWER_KEY: 'right' } });

test('an answer is streamed, with the citations it rests on below', async () => {
  const { code, stdout, stderr } = await ask(QUESTION);
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(
    /^Open the settings and press Rotate \[1\]\.\n\n\[1\] docs\/tokens\.md:\d+-\d+ {2}Tokens\n$/,
  );
  const [system, user] = service.requests[0]!.body.messages!;
  expect(system?.content).toContain('from nothing else');
  expect(user?.content).toMatch(
    /^\[1\] docs\/tokens\.md:\d+-\d+ {2}Tokens\n```\n[\s\S]*press Rotate[\s\S]*Question: how do I rotate a token$/,
  );
  expect(service.requests[0]?.body).toMatchObject({ model: 'tiny', stream: true });
});

test('--json gives the answer whole, and every passage', async () => {
  service.chat = ['It says so [1] and [7].'];
  const { stdout } = await ask(QUESTION, '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    question: QUESTION,
    answer: 'It says so [1] and [7].',
    model: 'tiny',
    citations: [{ number: 1, cited: true, path: 'tokens.md' }],
    notice: expect.stringContaining('[7]'),
  });
});

test('where no passage is sure enough, nothing is asked', async () => {
  const { code, stdout, stderr } = await ask('who won the chess tournament in Reykjavik');
  expect([code, stdout]).toEqual([0, '']);
  expect(stderr).toContain('So no language model was asked.');
  expect(service.requests).toEqual([]);
});

test('a file that several collections have is called by its collection', async () => {
  playground.write({
    'more/docs/tokens.md': '# Badges\n\nTo rotate a token that opens a door, ask the porter.\n',
    'two.toml': toml.replace(
      'path = "docs"',
      'path = "docs"\n[[collections]]\nname = "more"\npath = "more/docs"',
    ),
  });
  expect((await ask('how do I rotate a token', '--config', 'two.toml')).code).toBe(0);
  const said = service.requests[0]!.body.messages![1]!.content;
  expect(said).toMatch(/^\[\d\] docs\/tokens\.md:\d/m);
  expect(said).toMatch(/^\[\d\] more\/tokens\.md:\d/m);
});

test('a service that does not stream is understood', async () => {
  const body = JSON.stringify({ choices: [{ message: { content: 'Press Rotate [1].' } }] });
  service.replies.push({ headers: { 'content-type': 'application/json' }, body });
  expect((await ask(QUESTION)).stdout).toMatch(/^Press Rotate \[1\]\.\n\n\[1\] docs/);
});

test('a busy service is asked again', async () => {
  service.replies.push({ status: 429, headers: { 'retry-after': '0' } });
  expect((await ask(QUESTION)).code).toBe(0);
  expect(service.requests).toHaveLength(2);
});

describe('fails with what to do when', () => {
  test('nobody is set up', async () => {
    playground.write({ 'docfuse.toml': '[[collections]]\npath = "docs"\n' });
    const { code, stderr } = await ask(QUESTION);
    playground.write({ 'docfuse.toml': toml });
    expect(code).toBe(1);
    expect(stderr).toMatch(/No language model is set up[\s\S]*\[answer\][\s\S]*--context/);
  });

  test('the answer breaks off in its middle', async () => {
    service.chat = 'cut';
    const { code, stdout, stderr } = await ask(QUESTION);
    expect([code, stdout]).toEqual([1, 'To rotate ']);
    expect(stderr).toContain('broke off');
  });

  test.each([
    ['the last event is missing', 'data: {"choices":[{"delta":{"content":"To"}}]}\n\n', 'broke off'],
    ['an error comes in its place', 'data: {"error":{"message":"out of memory"}}\n\n', 'out of memory'],
    ['it is nonsense', 'data: <html>\n\n', 'not JSON'],
    ['it is empty', 'data: [DONE]\n\n', 'no text'],
  ])('%s', async (_, body, message) => {
    service.replies.push({ headers: { 'content-type': 'text/event-stream' }, body });
    const { code, stderr } = await ask(QUESTION);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  test('the key is not set', async () => {
    const { code, stderr } = await playground.run(['ask', QUESTION]);
    expect(code).toBe(1);
    expect(stderr).toContain('ANSWER_KEY is not set');
  });
});
