import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createOnnxReranker } from '../../../src/adapters/onnx/reranker.ts';
import { createServiceReranker } from '../../../src/adapters/openai/reranker.ts';
import type { Reranker } from '../../../src/core/ports.ts';
import { rerankerContract } from '../../contracts/reranker-contract.ts';
import { makeCrossEncoder } from '../../support/cross-encoder.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { type Service, startService } from './service.ts';

const folder = makeCrossEncoder(sharedFolder());
let local: Reranker;
let service: Service;
beforeAll(async () => {
  local = createOnnxReranker({ folder });
  service = await startService({ reranker: local, key: 'right' });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await local.close();
});
afterEach(() => {
  service.replies.length = 0;
  service.requests.length = 0;
});

const make = (apiKey = 'right') =>
  createServiceReranker({ baseUrl: service.url, model: 'overlap', apiKeyEnv: 'SOME_KEY', apiKey });

rerankerContract('a service with the protocol of Cohere', async () => make());

test('asks with the model, the query and the passages', async () => {
  await make().score('tides', ['moon', '']);
  expect(service.requests).toMatchObject([
    {
      path: '/v1/rerank',
      key: 'Bearer right',
      body: { model: 'overlap', query: 'tides', documents: ['moon', ' '] },
    },
  ]);
});

test.each([
  ['results, in any order', { results: [score(1, 0.2), score(0, 0.9)] }, [0.9, 0.2]],
  ['data, as Voyage calls them', { data: [score(0, 0.9), score(1, 0.2)] }, [0.9, 0.2]],
  ['logits, which have no bounds', { results: [score(0, 0), score(1, -2)] }, [0.5, 1 / (1 + Math.exp(2))]],
])('reads %s', async (_, body, relevances) => {
  service.replies.push({ body: JSON.stringify(body) });
  expect(await make().score('q', ['a', 'b'])).toEqual(relevances);
});

describe('names a service that cannot be used, and what to do:', () => {
  test('the key is wrong', async () => {
    await expect(make('wrong').score('q', ['a'])).rejects.toMatchObject({
      code: 'remote',
      message: 'The reranking service refuses the key in SOME_KEY (401): Incorrect API key provided.',
      remedy: 'Put a valid key into SOME_KEY, or name another variable with search.rerank_api_key_env.',
    });
  });

  test.each([
    ['a score is missing', { results: [score(0, 0.9)] }, 'it holds 1 scores for 2 passages'],
    ['a passage is unknown', { results: [score(0, 0.9), score(2, 0.1)] }, 'it holds 2 scores for 2 passages'],
    ['a score is no number', { results: [{ index: 0, relevance_score: null }] }, 'it holds no scores'],
  ])('%s', async (_, body, said) => {
    service.replies.push({ body: JSON.stringify(body) });
    await expect(make().score('q', ['a', 'b'])).rejects.toMatchObject({
      code: 'remote',
      message: expect.stringContaining(said),
    });
  });
});

function score(index: number, relevance_score: number) {
  return { index, relevance_score };
}
