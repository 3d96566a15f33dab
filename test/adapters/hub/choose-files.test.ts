/** Which files of a model's repository are fetched. */
import { expect, test } from 'vitest';
import { chooseFiles } from '../../../src/adapters/hub/choose-files.ts';

const repository = (...paths: readonly string[]) =>
  paths.map((path) => ({ path, size: 1, checksum: 'git:0' }));
const chosen = (paths: readonly string[], wanted?: string) =>
  chooseFiles('org/name', repository(...paths), wanted).map(({ path, target }) => [path, target]);

test('weights beside the ONNX file keep their names, to which it refers; those of other files are left out', () => {
  const paths = [
    'tokenizer.json',
    'onnx/model.onnx',
    'onnx/model.onnx_data',
    'onnx/model.onnx_data_1',
    'onnx/model_fp16.onnx',
    'onnx/model_fp16.onnx_data',
  ];
  expect(chosen(paths)).toEqual([
    ['tokenizer.json', 'tokenizer.json'],
    ['onnx/model.onnx_data', 'model.onnx_data'],
    ['onnx/model.onnx_data_1', 'model.onnx_data_1'],
    ['onnx/model.onnx', 'model.onnx'],
  ]);
  expect(chosen(paths, 'onnx/model_fp16.onnx')).toEqual([
    ['tokenizer.json', 'tokenizer.json'],
    ['onnx/model_fp16.onnx_data', 'model_fp16.onnx_data'],
    ['onnx/model_fp16.onnx', 'model.onnx'],
  ]);
  expect(chosen(['model.onnx', 'model.onnx.data', 'tokenizer.json'])).toContainEqual([
    'model.onnx.data',
    'model.onnx.data',
  ]);
});

test('small files that say how a model takes texts are fetched, others are not', () => {
  const wanted = [
    ...['config.json', 'tokenizer_config.json', 'modules.json', '1_Pooling/config.json'],
    ...['sentence_bert_config.json', 'config_sentence_transformers.json'],
  ];
  const paths = [...wanted, 'README.md', '2_Dense/model.safetensors', 'tokenizer.json', 'model.onnx'];
  expect(chosen(paths).map(([path]) => path)).toEqual([...wanted, 'tokenizer.json', 'model.onnx']);
});

test('a repository without a tokenizer is refused', () => {
  expect(() => chosen(['model.onnx', 'vocab.txt'])).toThrow('org/name has no tokenizer.json.');
});
