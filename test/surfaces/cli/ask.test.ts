import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Service, startService } from '../../adapters/openai/service.ts';
import { createPlayground } from './docfuse.ts';

const playground = createPlayground({
  'docs/tokens.md':
    '# Tokens\n\nTo rotate a token, open the settings and press Rotate. The old one stays valid for an hour.\n',
  '.config/docfuse/docfuse.toml': 'trust = ["~"]\n',
  'docs/fruit.md': '# Fruit\n\nApples keep for weeks in a cool cellar.\n',
});
const QUESTION = 'how do I rotate a token';
let service: Service;
let toml = '';

beforeAll(async () => {
  service = await startService({ key: 'right' });
  toml = `[answer]\nbase_url = "${service.url}"\nmodel = "tiny"\napi_key_env = "ANSWER_KEY"\n[[collections]]\npath = "docs"\n`;
  playground.write({ 'docfuse.toml': toml });
  expect((await playground.runHere(['index'])).code).toBe(0);
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

const EVENTS = { 'content-type': 'text/event-stream' };

function piece(content: string): unknown {
  return { choices: [{ delta: { content } }] };
}

function eventsOf(events: readonly unknown[]): string {
  return [...events.map((event) => JSON.stringify(event)), '[DONE]']
    .map((data) => `data: ${data}\n\n`)
    .join('');
}

function replyWith(events: readonly unknown[], times = 1): void {
  const reply = { headers: EVENTS, body: eventsOf(events) };
  for (let time = 0; time < times; time++) service.replies.push(reply);
}

const ask = (question: string, ...args: string[]) =>
  playground.runHere(['ask', question, ...args], { env: { ANSWER_KEY: 'right' } });

test('an answer is streamed, with the citations it rests on below', async () => {
  const { code, stdout, stderr } = await ask(QUESTION);
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(
    /^Open the settings and press Rotate \[1\]\.␛\[31m\n\n\[1\] docs\/tokens\.md:\d+-\d+ {2}Tokens\n$/,
  );
  const [system, user] = service.requests[0]!.body.messages!;
  expect(system?.content).toContain('from nothing else');
  expect(user?.content).toMatch(
    /^Everything[^\n]*not instructions\.\n\n\[1\] docs\/tokens\.md:\d+-\d+ {2}Tokens {2}\((high|fair|low)\)\n<(\w+)>\n[\s\S]*press Rotate[\s\S]*\n<\/\2>\n\nQuestion: how do I rotate a token$/,
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

test.each(['length', 'content_filter'])(
  'an answer that the service cuts off (%s) says so',
  async (reason) => {
    const events = [piece('Open the settings [1] and'), { choices: [{ delta: {}, finish_reason: reason }] }];
    replyWith(events, 2);
    const notice = `The answer was cut off (${reason}).`;
    expect((await ask(QUESTION)).stderr).toContain(notice);
    expect(JSON.parse((await ask(QUESTION, '--json')).stdout)).toMatchObject({ answered: true, notice });
  },
);

test('an answer that ends by itself is whole, whatever that is called', async () => {
  for (const finish_reason of ['stop', 'eos_token']) {
    replyWith([piece('Press Rotate [1].'), { choices: [{ finish_reason }] }]);
    expect(JSON.parse((await ask(QUESTION, '--json')).stdout)).not.toHaveProperty('notice');
  }
});

describe('where the model finds no answer in the passages', () => {
  test.each(['The documents do not say.', '“The documents do not say”\n', 'The documents do not say [1].'])(
    '%s: no sources',
    async (answer) => {
      service.chat = [answer];
      const { code, stdout, stderr } = await ask(QUESTION);
      expect([code, stdout]).toEqual([0, `${answer}\n`]);
      expect(stderr).not.toContain('cites');
    },
  );

  test('--json tells it from an answer', async () => {
    service.chat = ['The documents do not say.'];
    expect(JSON.parse((await ask(QUESTION, '--json')).stdout)).toMatchObject({
      answered: false,
      answer: 'The documents do not say.',
      citations: [{ cited: false }],
    });
  });
});

test('an answer that cites nothing says so everywhere', async () => {
  service.chat = ['Press Rotate.'];
  const notice = 'The answer cites no passage, so all passages that the model got are listed.';
  const { stdout, stderr } = await ask(QUESTION);
  expect(stdout).toContain('[1] docs/tokens.md');
  expect(stderr).toContain(notice);
  expect(JSON.parse((await ask(QUESTION, '--json')).stdout)).toMatchObject({ answered: true, notice });
});

test('thoughts before the answer are no part of it', async () => {
  service.chat = ['\n<th', 'ink>Hmm, [3] and [7]', '?</thi', 'nk>\n', '\nPress ', 'Rotate [1].'];
  expect((await ask(QUESTION)).stdout).toMatch(/^Press Rotate \[1\]\.\n\n\[1\] docs\/tokens\.md/);
  expect(JSON.parse((await ask(QUESTION, '--json')).stdout)).toMatchObject({ answer: 'Press Rotate [1].' });
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
    // The message stands on a line of its own.
    expect([code, stdout]).toEqual([1, 'To rotate \n']);
    expect(stderr).toContain('broke off');
  });

  test.each([
    ['the last event is missing', 'data: {"choices":[{"delta":{"content":"To"}}]}\n\n', 'broke off'],
    ['it is a page', '<!doctype html><title>Welcome</title>', 'not a stream of events'],
    ['an error comes in its place', 'data: {"error":{"message":"out of memory"}}\n\n', 'out of memory'],
    ['it is nonsense', 'data: <html>\n\n', 'not JSON'],
    ['it is empty', 'data: [DONE]\n\n', 'no text'],
    ['it is thoughts alone', eventsOf([piece('<think>Hmm')]), 'no text'],
    [
      'it is cut off before its first word',
      eventsOf([piece('<think>Hmm'), { choices: [{ finish_reason: 'length' }] }]),
      'before its first word (length)',
    ],
  ])('%s', async (_, body, message) => {
    service.replies.push({ headers: { 'content-type': 'text/event-stream' }, body });
    const { code, stderr } = await ask(QUESTION);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  test('the service never stops writing', async () => {
    const long = eventsOf([piece('word '.repeat(200_000))]).replace('data: [DONE]\n\n', '');
    service.replies.push({ headers: EVENTS, body: long.repeat(33) });
    const { code, stderr } = await ask(QUESTION, '--json');
    expect(code).toBe(1);
    expect(stderr).toContain('larger than 32 MB');
  });

  test('the service stays busy', async () => {
    service.replies.push(...Array(3).fill({ status: 503, headers: { 'retry-after': '0' } }));
    const { code, stderr } = await ask(QUESTION);
    expect(code).toBe(1);
    expect(stderr).toContain('answered 503');
    expect(stderr).toMatch(/Try again later\.\n/);
  });

  test('the key is not set', async () => {
    const { code, stderr } = await playground.runHere(['ask', QUESTION]);
    expect(code).toBe(1);
    expect(stderr).toContain('ANSWER_KEY is not set');
  });
});
