import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createOnnxEmbedder } from '../../../src/adapters/onnx/embedder.ts';
import { openModelFolder } from '../../../src/adapters/onnx/model-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { DEFAULT_MODEL } from './models.ts';

describe('model folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = join(temporaryFolder(), 'some-model');
    mkdirSync(folder);
  });

  function copy(...files: readonly string[]): void {
    for (const file of files) cpSync(join(DEFAULT_MODEL, file), join(folder, file));
  }
  function write(file: string, content: string | object): void {
    writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
  }

  test('reads the default model', async () => {
    const model = await openModelFolder(DEFAULT_MODEL);
    expect(model).toMatchObject({ name: 'BAAI/bge-small-en-v1.5', dimensions: 384, padId: 0 });
    expect(model.identity).toMatch(/^bge-small-en-v1\.5@[0-9a-f]{12}$/);
  });

  test('a missing model file or tokenizer is named, with what to do', async () => {
    const missing = { code: 'model_missing', remedy: expect.stringContaining('tokenizer.json') };
    await expect(openModelFolder(join(folder, 'nowhere'))).rejects.toMatchObject(missing);
    await expect(openModelFolder(folder)).rejects.toMatchObject({
      ...missing,
      message: expect.stringContaining('model_quantized.onnx'),
    });
    write('model.onnx', 'x');
    await expect(openModelFolder(folder)).rejects.toMatchObject({
      ...missing,
      message: `${folder} has no tokenizer.json.`,
    });
  });

  test('the quantised file is preferred, and onnx/ is looked into', async () => {
    write('tokenizer.json', {});
    mkdirSync(join(folder, 'onnx'));
    for (const file of [
      'onnx/model.onnx',
      'onnx/model_quantized.onnx',
      'model.onnx',
      'model_quantized.onnx',
    ]) {
      write(file, file);
      expect((await openModelFolder(folder)).modelFile).toBe(join(folder, file));
    }
  });

  test('without config.json the name is that of the folder', async () => {
    write('tokenizer.json', {});
    write('model.onnx', 'x');
    const model = await openModelFolder(folder);
    expect(model.name).toBe('some-model');
    expect(model.dimensions).toBeUndefined();
  });

  test('a change of one byte of model or tokenizer, or of the pooling, changes the identity', async () => {
    write('tokenizer.json', '{} ');
    write('model.onnx', 'abc');
    const first = (await openModelFolder(folder)).identity;
    write('model.onnx', 'abd');
    const second = (await openModelFolder(folder)).identity;
    write('tokenizer.json', '{}\n');
    const third = (await openModelFolder(folder)).identity;
    write('config.json', { max_position_embeddings: 128 });
    const fourth = (await openModelFolder(folder)).identity;
    expect(new Set([first, second, third, fourth]).size).toBe(4);
    write('model.onnx', 'abc');
    write('tokenizer.json', '{} ');
    rmSync(join(folder, 'config.json'));
    expect((await openModelFolder(folder)).identity).toBe(first);
  });

  test('files are hashed again only if a file or a setting changed since their stamp was saved', async () => {
    write('tokenizer.json', '{} ');
    write('model.onnx', 'abc');
    expect((await openModelFolder(folder)).stamp).toBeUndefined();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_000 });
    onTestFinished(() => void vi.useRealTimers());
    const saved = { [(await openModelFolder(folder)).stamp!]: 'saved@1' };
    const identify = async (name?: string) =>
      (await openModelFolder(folder, name, undefined, saved)).identity;
    expect(await identify()).toBe('saved@1');
    expect(await identify('other')).toMatch(/^other@/);
    write('config.json', { max_position_embeddings: 128 });
    expect(await identify()).not.toBe('saved@1');
    rmSync(join(folder, 'config.json'));
    expect(await identify()).toBe('saved@1');
    write('model.onnx', 'abd');
    expect(await identify()).not.toBe('saved@1');
  });

  test('broken JSON is named', async () => {
    write('model.onnx', 'x');
    write('tokenizer.json', {});
    write('config.json', '{"hidden_size": ');
    await expect(openModelFolder(folder)).rejects.toMatchObject({
      code: 'model_invalid',
      message: expect.stringContaining(join(folder, 'config.json')),
    });
  });

  test('a model file that is none fails at first use, for queries and passages alike', async () => {
    copy('tokenizer.json', 'config.json');
    write('model.onnx', 'version https://git-lfs.github.com/spec/v1\nsize 34315199\n');
    const embedder = await createOnnxEmbedder({ folder, workers: 2 });
    const invalid = { code: 'model_invalid', message: expect.stringContaining(join(folder, 'model.onnx')) };
    await expect(embedder.embedQuery('x')).rejects.toMatchObject(invalid);
    await expect(embedder.embedPassages(['x', 'y'])).rejects.toMatchObject(invalid);
    await embedder.close();
  });

  test('a tokenizer file that is none fails at first use', async () => {
    copy('model_quantized.onnx', 'config.json');
    write('tokenizer.json', { model: { type: 'Nonsense' } });
    const embedder = await createOnnxEmbedder({ folder });
    await expect(embedder.embedQuery('x')).rejects.toMatchObject({
      code: 'model_invalid',
      message: expect.stringContaining('tokenizer.json'),
    });
    await embedder.close();
  });
});

test('the name a model was pulled under decides on its prefixes', async () => {
  const named = await createOnnxEmbedder({ folder: DEFAULT_MODEL, name: 'intfloat/e5-small', workers: 1 });
  const plain = await createOnnxEmbedder({ folder: DEFAULT_MODEL, name: 'somebody/else', workers: 1 });
  expect(await named.embedQuery('tides')).toEqual(await plain.embedQuery('query: tides'));
  expect(await named.embedPassages(['tides'])).toEqual(await plain.embedPassages(['passage: tides']));
  expect(named.model).toMatch(/^e5-small@/);
  await Promise.all([named.close(), plain.close()]);
});
