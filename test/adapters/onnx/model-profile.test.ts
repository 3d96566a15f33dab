/** How a model takes texts: read from the files that repositories of known models have, in the form that they have there. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createOnnxEmbedder } from '../../../src/adapters/onnx/embedder.ts';
import { openModelFolder } from '../../../src/adapters/onnx/model-folder.ts';
import { SMALL_MODEL } from '../../support/small-model.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, 'tokenizer.json'), '{}');
  writeFileSync(join(folder, 'model.onnx'), 'x');
});

const profile = async (name = 'somebody/else') => (await openModelFolder(folder, name)).profile;
function write(files: Readonly<Record<string, object>>): void {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), JSON.stringify(content));
  }
}

const MODULES = ['Transformer', 'Pooling', 'Normalize'];
const modules = (types: readonly string[]) => ({
  'modules.json': types.map((type, idx) => ({
    ...{ idx, name: String(idx), path: idx === 0 ? '' : `${idx}_${type}` },
    type: `sentence_transformers.models.${type}`,
  })),
});
const BGE = 'Represent this sentence for searching relevant passages: ';

describe('a model whose files say', () => {
  test('nothing is pooled by the mean, without prefixes, up to 512 tokens', async () => {
    const usual = { queryPrefix: '', passagePrefix: '', pooling: 'mean', maxTokens: 512, layers: [] };
    expect(await profile()).toEqual(usual);
  });

  test('everything is read as they say, whatever its name', async () => {
    write({
      '1_Pooling/config.json': { word_embedding_dimension: 384, pooling_mode_cls_token: true },
      'sentence_bert_config.json': { max_seq_length: 128 },
      'config_sentence_transformers.json': { prompts: { query: 'Ask: ', document: 'Text: ' } },
      ...modules(MODULES),
    });
    const said = {
      queryPrefix: 'Ask: ',
      passagePrefix: 'Text: ',
      pooling: 'cls',
      maxTokens: 128,
      layers: [],
    };
    expect(await profile()).toEqual(said);
    expect(await profile('intfloat/multilingual-e5-small')).toEqual(said);
  });

  test.each([
    ['two poolings at once', { pooling_mode_cls_token: true, pooling_mode_mean_tokens: true }, 'and'],
    ['another pooling', { pooling_mode_cls_token: false, pooling_mode_max_tokens: true }, 'max_tokens'],
    ['another pooling in the newer form', { pooling_mode: 'lasttoken' }, 'lasttoken'],
  ])('%s is refused', async (_, pooling, named) => {
    write({ '1_Pooling/config.json': pooling });
    await expect(profile()).rejects.toMatchObject({
      code: 'model_invalid',
      message: expect.stringContaining(named),
    });
  });

  test.each([
    [{ pooling_mode: 'cls' }, 'cls'],
    [{ pooling_mode: 'mean' }, 'mean'],
    [{ pooling_mode_cls_token: false, pooling_mode_mean_tokens: true }, 'mean'],
  ])('the pooling %j', async (pooling, expected) => {
    write({ '1_Pooling/config.json': pooling });
    expect((await profile('BAAI/bge-small-en-v1.5')).pooling).toBe(expected);
  });

  test('odd values are left out', async () => {
    write({
      'modules.json': [null, 7, 'x', { type: 7 }],
      'config_sentence_transformers.json': { prompts: 'query: ' },
      'sentence_bert_config.json': { max_seq_length: '12' },
    });
    expect(await profile()).toMatchObject({ queryPrefix: '', maxTokens: 512, layers: [] });
  });
});

describe('the longest input', () => {
  const XLM_R = { model_type: 'xlm-roberta', max_position_embeddings: 8194, pad_token_id: 1 };
  test.each([
    ['BAAI/bge-m3', XLM_R, { model_max_length: 8192 }, {}, 8192],
    ['BAAI/bge-m3', XLM_R, {}, {}, 8192],
    ['a/model', { model_type: 'roberta', max_position_embeddings: 514, pad_token_id: 1 }, {}, {}, 512],
    ['a/model', { model_type: 'bert', max_position_embeddings: 514, pad_token_id: 1 }, {}, {}, 514],
    ['gte-modernbert', { model_type: 'modernbert', max_position_embeddings: 8192 }, {}, {}, 8192],
    ['a/model', { max_position_embeddings: 131_072 }, { model_max_length: 1e30 }, {}, 8192],
    ['a/model', { max_position_embeddings: 8192 }, {}, { max_seq_length: 1024 }, 1024],
    ['a/model', { max_position_embeddings: 512 }, {}, { max_seq_length: 1024 }, 512],
    ['all-MiniLM-L6-v2', { max_position_embeddings: 512 }, {}, {}, 256],
    ['multi-qa-MiniLM-L6-cos-v1', { max_position_embeddings: 512 }, {}, { max_seq_length: 512 }, 512],
    ['BAAI/bge-small-en-v1.5', { max_position_embeddings: 512 }, { model_max_length: 512 }, {}, 512],
  ])('of %s with %j, %j, %j is %d', async (name, config, tokenizer, sentences, expected) => {
    write({
      'config.json': config,
      'tokenizer_config.json': tokenizer,
      'sentence_bert_config.json': sentences,
    });
    expect((await profile(name)).maxTokens).toBe(expected);
  });
});

describe('what the files do not say is known by the name of', () => {
  test.each([
    ['BAAI/bge-small-en-v1.5', 'cls', BGE, ''],
    ['BAAI/bge-base-zh-v1.5', 'cls', '为这个句子生成表示以用于检索相关文章：', ''],
    ['BAAI/bge-m3', 'cls', '', ''],
    ['intfloat/multilingual-e5-base', 'mean', 'query: ', 'passage: '],
    ['e5-small-v2', 'mean', 'query: ', 'passage: '],
    ['sentence-transformers/all-MiniLM-L6-v2', 'mean', '', ''],
  ])('%s: %s pooling', async (name, pooling, queryPrefix, passagePrefix) => {
    const expected = { pooling, queryPrefix, passagePrefix };
    expect(await profile(name)).toMatchObject(expected);
    // Newer versions of sentence-transformers write empty prompts.
    write({ 'config_sentence_transformers.json': { prompts: { query: '', document: '' } } });
    expect(await profile(name)).toMatchObject(expected);
  });
});

test('layers after the pooling are named, and the length of the vectors is then that of the loaded model', async () => {
  write({ 'config.json': { hidden_size: 768 }, ...modules(MODULES) });
  expect((await openModelFolder(folder)).dimensions).toBe(768);
  write(modules(['Transformer', 'Pooling', 'Dense', 'Dense', 'Normalize']));
  expect(await profile()).toMatchObject({ layers: ['2_Dense', '3_Dense'] });
  expect((await openModelFolder(folder)).dimensions).toBeUndefined();
});

test('a model whose output lacks such layers is refused by their names', async () => {
  cpSync(SMALL_MODEL, folder, { recursive: true });
  write(modules(['Transformer', 'Pooling', 'Dense', 'Dense', 'Normalize']));
  await expect(createOnnxEmbedder({ folder })).rejects.toMatchObject({
    code: 'model_invalid',
    message: expect.stringContaining('it lacks the layers 2_Dense, 3_Dense of its model'),
    remedy: expect.stringContaining('sentence_embedding'),
  });
});
