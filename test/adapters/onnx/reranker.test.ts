import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createOnnxReranker } from '../../../src/adapters/onnx/reranker.ts';
import { rerankerContract } from '../../contracts/reranker-contract.ts';
import { makeCrossEncoder } from '../../support/cross-encoder.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { DEFAULT_MODEL } from './models.ts';

const folder = sharedFolder();
const oneLogit = makeCrossEncoder(join(folder, 'one-logit'));
const twoLogits = makeCrossEncoder(join(folder, 'two-logits'), 'two_logits.onnx');

rerankerContract('a cross-encoder with one logit', async () => createOnnxReranker({ folder: oneLogit }));
rerankerContract('a cross-encoder with two logits', async () => createOnnxReranker({ folder: twoLogits }));

const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit));

describe('relevance', () => {
  test('is the sigmoid of one logit: here, of the share of query tokens in the passage', async () => {
    const reranker = createOnnxReranker({ folder: oneLogit });
    const scores = await reranker.score('red green blue grey', ['red and blue', 'a green one', 'none']);
    [0.5, 0.25, 0].forEach((share, i) => {
      expect(scores[i]).toBeCloseTo(sigmoid(share), 6);
    });
    await reranker.close();
  });

  test('is the softmax of the second of two logits: the same, for logits 0 and x', async () => {
    const one = createOnnxReranker({ folder: oneLogit });
    const two = createOnnxReranker({ folder: twoLogits });
    const passages = ['red and blue', 'none', 'blue green red grey'];
    const ask = ['red green blue grey', passages] as const;
    expect(await two.score(...ask)).toEqual(await one.score(...ask));
    await Promise.all([one.close(), two.close()]);
  });

  test('hundreds of passages are split into runs and stay in their order', async () => {
    const reranker = createOnnxReranker({ folder: oneLogit });
    const long = 'other words. '.repeat(200);
    const passages = Array.from({ length: 60 }, (_, i) => `${i % 3 === 0 ? 'tide' : 'none'} ${long}`);
    const scores = await reranker.score('tide', passages);
    expect(scores.map((score) => score > 0.6)).toEqual(passages.map((_, i) => i % 3 === 0));
    await reranker.close();
  });
});

describe('what is longer than the model reads', () => {
  test('is cut off the passage, never off the query', async () => {
    const reranker = createOnnxReranker({ folder: oneLogit });
    const query = `${'then '.repeat(200)}tide`;
    const [early, late] = await reranker.score(query, [
      `tide ${'other '.repeat(600)}`,
      `${'other '.repeat(600)} tide`,
    ]);
    expect(early).toBeCloseTo(sigmoid(1 / 201), 6);
    expect(late).toBeCloseTo(sigmoid(0), 6);
    await reranker.close();
  });

  test('is cut off a query that alone is too long, and the passage keeps its share', async () => {
    const reranker = createOnnxReranker({ folder: oneLogit });
    const [score] = await reranker.score('tide '.repeat(900), [
      `${'other '.repeat(100)} tide ${'other '.repeat(900)}`,
    ]);
    expect(score).toBeCloseTo(sigmoid(1), 6);
    await reranker.close();
  });

  test('is what config.json says, where that is less than 512', async () => {
    const short = makeCrossEncoder(join(folder, 'short'));
    writeFileSync(join(short, 'config.json'), JSON.stringify({ max_position_embeddings: 16 }));
    const reranker = createOnnxReranker({ folder: short });
    const passage = `${'other '.repeat(20)} tide`;
    expect(await reranker.score('tide', [passage])).toEqual([0.5]);
    const whole = createOnnxReranker({ folder: oneLogit });
    expect((await whole.score('tide', [passage]))[0]).toBeGreaterThan(0.7);
    await Promise.all([reranker.close(), whole.close()]);
  });
});

describe('a model that cannot be used is named at the first score, with what to do:', () => {
  const remedy = expect.stringContaining('search.rerank_model');

  test('no such name and no such folder', async () => {
    const reranker = createOnnxReranker({ folder: join(folder, 'org/model'), name: 'org/model' });
    await expect(reranker.score('x', ['y'])).rejects.toMatchObject({
      code: 'model_missing',
      message: expect.stringContaining('There is no reranking model org/model'),
      remedy,
    });
    await reranker.close();
  });

  test('an empty folder, which can be filled and used later', async () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    const reranker = createOnnxReranker({ folder: empty });
    await expect(reranker.score('x', ['y'])).rejects.toMatchObject({ code: 'model_missing', remedy });
    makeCrossEncoder(empty);
    expect(await reranker.score('x', ['y'])).toEqual([0.5]);
    await reranker.close();
  });

  test('an embedding model', async () => {
    const reranker = createOnnxReranker({ folder: DEFAULT_MODEL });
    await expect(reranker.score('x', ['y'])).rejects.toMatchObject({
      code: 'model_invalid',
      message: expect.stringContaining('is not a cross-encoder: its outputs are sentence_embedding.'),
      remedy,
    });
    await reranker.close();
  });

  test.each(['three_logits', 'named_logits'])('one that sorts into three classes: %s', async (model) => {
    const classifier = makeCrossEncoder(join(folder, model), `${model}.onnx`);
    const reranker = createOnnxReranker({ folder: classifier });
    await expect(reranker.score('x', ['y', 'z'])).rejects.toMatchObject({
      code: 'model_invalid',
      message: expect.stringContaining('is not a cross-encoder: it has 3 classes instead of 1 or 2.'),
      remedy,
    });
    await reranker.close();
  });

  test.each([
    [
      'a tokenizer that is none',
      'tokenizer.json',
      '{"model": {"type": "Nonsense", "vocab": {}}}',
      'model_invalid',
    ],
    ['a tokenizer that is no JSON', 'tokenizer.json', 'hello', 'model_invalid'],
    ['settings that are no JSON', 'config.json', '{', 'model_invalid'],
    ['an empty model', 'model.onnx', '', 'model_invalid'],
    ['no model', 'model.onnx', undefined, 'model_missing'],
    ['no tokenizer', 'tokenizer.json', undefined, 'model_missing'],
  ] as const)('a folder with %s', async (name, file, text, code) => {
    const other = makeCrossEncoder(join(folder, name));
    if (text === undefined) rmSync(join(other, file));
    else writeFileSync(join(other, file), text);
    const reranker = createOnnxReranker({ folder: other });
    await expect(reranker.score('x', ['y'])).rejects.toMatchObject({
      code,
      message: expect.stringContaining(file),
      remedy: expect.stringMatching(/^(Fetch the file again|Set search\.rerank_model)/),
    });
    await reranker.close();
  });

  test('a file that is no model', async () => {
    const broken = makeCrossEncoder(join(folder, 'broken'));
    writeFileSync(join(broken, 'model.onnx'), 'version https://git-lfs.github.com/spec/v1');
    const reranker = createOnnxReranker({ folder: broken });
    await expect(reranker.score('x', ['y'])).rejects.toMatchObject({
      code: 'model_invalid',
      message: expect.stringContaining(join(broken, 'model.onnx')),
    });
    await reranker.close();
  });
});
