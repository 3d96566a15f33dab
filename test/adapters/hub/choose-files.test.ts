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

test('a repository without a tokenizer is refused', () => {
  expect(() => chosen(['model.onnx', 'vocab.txt'])).toThrow('org/name has no tokenizer.json.');
});
