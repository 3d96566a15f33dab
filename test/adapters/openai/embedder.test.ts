import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createOnnxEmbedder } from '../../../src/adapters/onnx/embedder.ts';
import { createOpenaiEmbedder } from '../../../src/adapters/openai/embedder.ts';
import type { Embedder } from '../../../src/core/ports.ts';
import { embedderContract } from '../../contracts/embedder-contract.ts';
import { DEFAULT_MODEL } from '../onnx/models.ts';
import { type Service, startService } from './service.ts';

let local: Embedder;
let service: Service;
let locked: Service;
beforeAll(async () => {
  local = await createOnnxEmbedder({ folder: DEFAULT_MODEL, workers: 2 });
  service = await startService({ embedder: local });
  locked = await startService({ embedder: local, key: 'right' });
});
afterAll(async () => {
  await Promise.all([service[Symbol.asyncDispose](), locked[Symbol.asyncDispose]()]);
  await local.close();
});
afterEach(() => {
  service.replies.length = 0;
  service.requests.length = 0;
});

const options = () => ({ baseUrl: service.url, model: 'bge-small', apiKeyEnv: 'SOME_KEY', dimensions: 384 });
const at = (baseUrl: string, apiKey?: string) => createOpenaiEmbedder({ ...options(), baseUrl, apiKey });

embedderContract('a service with the protocol of OpenAI', () =>
  createOpenaiEmbedder({ baseUrl: `${service.url}/`, model: 'bge-small', apiKeyEnv: 'SOME_KEY' }),
);

test('its identity is the model and its dimensions, not the address', async () => {
  const embedder = await createOpenaiEmbedder({
    baseUrl: service.url,
    model: 'bge-small',
    apiKeyEnv: 'SOME_KEY',
  });
  expect([embedder.model, embedder.dimensions]).toEqual(['openai:bge-small@384', 384]);
  expect((await at('http://127.0.0.1:9/v1')).model).toBe(embedder.model);
  expect(service.requests[0]?.body.dimensions).toBeUndefined();
});

test('many texts go in several requests, in their order, and ask for the dimensions that are set', async () => {
  const embedder = await createOpenaiEmbedder(options());
  const texts = Array.from({ length: 100 }, (_, i) => `Text ${i}`);
  expect(await embedder.embedPassages(texts)).toHaveLength(100);
  expect(service.requests.map(({ body }) => body.input?.length)).toEqual([96, 4]);
  expect(service.requests[0]?.body).toMatchObject({ model: 'bge-small', dimensions: 384 });
  expect(service.requests[0]?.body.input_type).toBeUndefined();
});

test('a request has 8,000 tokens at most, by estimate, or one text', async () => {
  const embedder = await createOpenaiEmbedder(options());
  const lengths = [9_000, 9_000, 9_000, 30_000, 3];
  for (const count of [2, 1, 1, 1]) {
    const data = new Array(count).fill({ embedding: new Array(384).fill(1) });
    service.replies.push({ body: JSON.stringify({ data }) });
  }
  await embedder.embedPassages(lengths.map((length) => 'word '.repeat(length / 5).padEnd(length)));
  expect(service.requests.map(({ body }) => body.input?.map(({ length }) => length))).toEqual([
    [9_000, 9_000],
    [9_000],
    [30_000],
    [3],
  ]);
});

describe('a model that embeds queries and passages differently', () => {
  const forms = {
    query: { prefix: 'search_query: ', inputType: 'query' },
    passage: { prefix: 'search_document: ', inputType: 'document' },
  };

  test('is told by prefixes and input types', async () => {
    const embedder = await createOpenaiEmbedder({ ...options(), ...forms });
    await embedder.embedQuery('moon');
    await embedder.embedPassages(['', 'tides']);
    expect(service.requests.map(({ body: { input, input_type } }) => [input_type, input])).toEqual([
      ['query', ['search_query: moon']],
      ['document', ['search_document: ', 'search_document: tides']],
    ]);
  });

  test('has another identity for another form of passages, not of queries', async () => {
    const identity = async (given: object) => (await createOpenaiEmbedder({ ...options(), ...given })).model;
    expect(await identity(forms)).toBe('openai:bge-small@384 prefix search_document:  input_type document');
    expect(await identity({ query: forms.query })).toBe('openai:bge-small@384');
  });
});

describe('texts that a service does not take', () => {
  test('are sent apart, and a text that is too long alone is cut', async () => {
    await using strict = await startService({ embedder: local, longest: 1_000 });
    const embedder = await createOpenaiEmbedder({ ...options(), baseUrl: strict.url });
    const long = 'The moon pulls on the water. '.repeat(100);
    const texts = ['Yeast turns sugar into gas.', long, 'Bread rises.'];
    const vectors = await embedder.embedPassages(texts);
    const taken = ['Yeast turns sugar into gas.', long.slice(0, 725), 'Bread rises.'];
    const expected = await local.embedPassages(taken);
    vectors.forEach((vector, index) => {
      expect(Math.max(...vector.map((value, at) => Math.abs(value - expected[index]![at]!)))).toBeLessThan(
        1e-5,
      );
    });
  });

  test('are asked for again if an answer lacks some of them', async () => {
    const embedder = await createOpenaiEmbedder(options());
    const [vector] = await local.embedPassages(['Bread rises.']);
    service.replies.push({ body: JSON.stringify({ data: [{ index: 0, embedding: [...vector!] }] }) });
    expect(await embedder.embedPassages(['Bread rises.', 'Yeast turns sugar into gas.'])).toHaveLength(2);
    expect(service.requests.map(({ body }) => body.input?.length)).toEqual([2, 1, 1]);
  });

  test('end with the reason of the service if it takes no text at all', async () => {
    await using deaf = await startService({ embedder: local, longest: 0 });
    const embedder = await createOpenaiEmbedder({ ...options(), baseUrl: deaf.url });
    await expect(embedder.embedPassages(['x', 'y'])).rejects.toMatchObject({
      message: 'The embedding service answered 400 Bad Request: The input is too long.',
    });
    expect(deaf.requests).toHaveLength(2);
  });
});

describe('a service that is busy', () => {
  test('is asked again when it says', async () => {
    const embedder = await createOpenaiEmbedder(options());
    service.replies.push({ status: 429, headers: { 'retry-after': '1' } }, { status: 503 });
    const start = performance.now();
    expect(await embedder.embedPassages(['x'])).toHaveLength(1);
    expect(performance.now() - start).toBeGreaterThan(1_000);
    expect(service.requests).toHaveLength(3);
  });

  test('for ever ends with its reason', async () => {
    const embedder = await createOpenaiEmbedder(options());
    const busy = { status: 429, headers: { 'retry-after': '0' }, body: '{"error":"Too many requests."}' };
    service.replies.push(...new Array(10).fill(busy));
    await expect(embedder.embedPassages(['x', 'y'])).rejects.toMatchObject({
      code: 'remote',
      message: 'The embedding service answered 429 Too Many Requests: Too many requests.',
      remedy: 'Try again later.',
    });
    expect(service.requests).toHaveLength(6);
    await expect(embedder.embedQuery('x')).rejects.toMatchObject({ code: 'remote' });
    expect(service.requests).toHaveLength(8);
  });

  test('keeps no query waiting', async () => {
    const embedder = await createOpenaiEmbedder(options());
    service.replies.push({ status: 429, headers: { 'retry-after': '30' } });
    await expect(embedder.embedQuery('x')).rejects.toMatchObject({ code: 'remote' });
    expect(service.requests).toHaveLength(1);
  });
});

describe('a service that cannot be used is named, with what to do:', () => {
  test('the key is missing, wrong, right', async () => {
    const without = await at(locked.url);
    await expect(without.embedQuery('x')).rejects.toMatchObject({
      code: 'remote',
      message: expect.stringContaining('SOME_KEY is not set'),
    });
    const wrong = await at(locked.url, 'wrong');
    await expect(wrong.embedQuery('x')).rejects.toMatchObject({
      message: 'The embedding service refuses the key in SOME_KEY (401): Incorrect API key provided.',
    });
    expect(await (await at(locked.url, 'right')).embedQuery('x')).toHaveLength(384);
  });

  test.each([
    [
      502,
      '<!DOCTYPE html>\n<html><body>Bad gateway</body></html>',
      'answered 502 Bad Gateway (an HTML page).',
    ],
    [500, '\n<html lang="en"></html>', 'answered 500 Internal Server Error (an HTML page).'],
    [400, '{"error":{"message":"<b> is too long."}}', 'answered 400 Bad Request: <b> is too long.'],
    [400, '', 'answered 400 Bad Request.'],
  ])('it answers %d with %j', async (status, body, said) => {
    const reply = { status, body, headers: { 'retry-after': '60' } };
    service.replies.push(reply);
    const embedder = await createOpenaiEmbedder(options());
    const message = `The embedding service ${said}`;
    await expect(embedder.embedQuery('x')).rejects.toMatchObject({ message });
  });

  test('nobody listens', async () => {
    await expect((await at('http://127.0.0.1:9/v1')).embedQuery('x')).rejects.toMatchObject({
      code: 'remote',
      message: expect.stringContaining('http://127.0.0.1:9'),
    });
  });

  test('it points elsewhere, where nothing is sent', async () => {
    service.replies.push({ status: 307, headers: { location: `${locked.url}/embeddings` } });
    const requests = locked.requests.length;
    await expect((await at(service.url)).embedQuery('x')).rejects.toMatchObject({
      code: 'remote',
      message: expect.stringMatching(/cannot be reached at .*redirect/),
    });
    expect(locked.requests).toHaveLength(requests);
  });

  test('the path is wrong', async () => {
    await expect((await at(service.url.replace('/v1', ''))).embedQuery('x')).rejects.toMatchObject({
      code: 'remote',
      remedy: expect.stringContaining('/v1'),
    });
  });

  test('the address is none', async () => {
    await expect(at('localhost:11434')).rejects.toMatchObject({ code: 'config' });
  });

  test('the dimensions are others', async () => {
    const embedder = await createOpenaiEmbedder({ ...options(), dimensions: 256 });
    await expect(embedder.embedPassages(['x'])).rejects.toMatchObject({
      code: 'model_invalid',
      message: 'bge-small gave a vector of 384 dimensions instead of 256.',
      remedy: expect.stringContaining('embedding.dimensions'),
    });
  });

  test.each([
    ['no JSON', '<html>'],
    ['no embeddings', '{"data":[{"embedding":"AAAA"}]}'],
    ['too few', '{"data":[]}'],
    ['a vector of zeros', JSON.stringify({ data: [{ embedding: new Array(384).fill(0) }] })],
  ])('the answer is %s', async (_, body) => {
    service.replies.push({ body });
    const embedder = await createOpenaiEmbedder(options());
    await expect(embedder.embedQuery('x')).rejects.toMatchObject({ code: 'remote' });
  });
});

test.each([
  ['null, as services write NaN', 'null'],
  ['1e999, which is read as Infinity', '1e999'],
  ['-1e999', '-1e999'],
  ['a number whose square is too large for the length', '1.7e308'],
])('a vector with %s is refused and names the model', async (_, component) => {
  const body = `{"data":[{"embedding":[${component}${`,${component}`.repeat(383)}]}]}`;
  service.replies.push({ body });
  const embedder = await createOpenaiEmbedder(options());
  await expect(embedder.embedPassages(['x'])).rejects.toMatchObject({
    code: 'remote',
    message: 'The embedding service computes vectors with bge-small that are not made of finite numbers.',
    remedy: expect.stringContaining('embedding.model'),
  });
});

test('closing it ends what is under way', async () => {
  const embedder = await createOpenaiEmbedder(options());
  service.replies.push({ silent: true });
  const asked = embedder.embedQuery('x');
  setTimeout(() => embedder.close(), 50);
  await expect(asked).rejects.toMatchObject({ code: 'aborted' });
});
