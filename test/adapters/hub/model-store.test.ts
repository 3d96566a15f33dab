/** Pulling, listing and removing models, against a hub on this machine. */
// over 300 lines: all cases share one hub, its faults and one folder of models
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createModelStore } from '../../../src/adapters/hub/model-store.ts';
import { crossEncoderFile } from '../../support/cross-encoder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type HubServer, startHub } from './hub-server.ts';

const file = (name: string) => readFileSync(crossEncoderFile(name));
const MODEL = 'cross-encoder/tiny';
const LOCK = `${MODEL.replace('/', '--')}.lock`;
const TOKENIZER = 'tokenizer.json';

let hub: HubServer;
let folder: string;

beforeAll(async () => {
  // Small pages, so that every listing takes several.
  hub = await startHub(
    MODEL,
    {
      'README.md': Buffer.from('# Tiny'),
      'config.json': file('config.json'),
      'pytorch_model.bin': Buffer.alloc(200_000, 1),
      'onnx/model.onnx': file('model.onnx'),
      'onnx/model_quantized.onnx': file('two_logits.onnx'),
      [TOKENIZER]: file(TOKENIZER),
      'tokenizer_config.json': file('tokenizer_config.json'),
      '1_Pooling/config.json': Buffer.alloc(0),
    },
    { pageSize: 3 },
  );
});
afterAll(() => hub[Symbol.asyncDispose]());
beforeEach(() => {
  folder = temporaryFolder();
  hub.log.length = 0;
});
afterEach(() => {
  hub.faults.clear();
});

const storeOf = ({ token, offline = false }: { token?: string; offline?: boolean } = {}) =>
  createModelStore({ folder, hub: { url: hub.url, token }, offline });
const pull = (
  options: { file?: string; signal?: AbortSignal; onBytes?: (done: number, total: number) => void } = {},
) => storeOf().pull(MODEL, { now: 0, ...options });
const pulled = (name: string) => readFileSync(join(folder, MODEL, name));
const asked = (part: string) => hub.log.filter((line) => line.includes(part));

describe('a pull', () => {
  test('fetches what is needed to run the model and nothing else, and says how far it is', async () => {
    const steps: number[] = [];
    let total = 0;
    const { model, changed } = await pull({
      onBytes(done, all) {
        steps.push(done);
        total = all;
      },
    });
    expect(changed).toBe(true);
    expect(readdirSync(join(folder, MODEL)).toSorted()).toEqual(
      [
        '1_Pooling',
        'config.json',
        'docfuse-model.json',
        'model.onnx',
        TOKENIZER,
        'tokenizer_config.json',
      ].toSorted(),
    );
    expect(pulled('model.onnx').equals(file('model.onnx'))).toBe(true);
    expect(pulled(TOKENIZER).equals(file(TOKENIZER))).toBe(true);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(steps.at(-1)).toBe(total);
    expect(model).toMatchObject({
      name: MODEL,
      bytes: total,
      pulled: '1970-01-01T00:00:00.000Z',
      hub: hub.url,
    });
    expect(readdirSync(join(folder, '.partial'))).toEqual([LOCK]);
    expect(asked('README')).toEqual([]);
    expect(asked('pytorch')).toEqual([]);
  });

  test.skipIf(process.platform === 'win32')(
    'makes folders in which only the user can replace a model',
    async () => {
      const models = join(folder, 'data', 'models');
      const store = createModelStore({ folder: models, hub: { url: hub.url }, offline: false });
      const before = process.umask(0);
      await store.pull(MODEL, { now: 0 }).finally(() => process.umask(before));
      const made = ['..', '.', '.partial', join(MODEL, '..'), MODEL, join(MODEL, '1_Pooling')];
      const modes = made.map((path) => statSync(join(models, path)).mode & 0o777);
      expect(new Set(modes)).toEqual(new Set([0o700]));
    },
  );

  test('refuses a list of files that never ends, so that no file is missed', async () => {
    const many = Object.fromEntries(Array.from({ length: 22 }, (_, at) => [`${at}.bin`, Buffer.from('x')]));
    await using long = await startHub(MODEL, many, { pageSize: 1 });
    const store = createModelStore({ folder, hub: { url: long.url }, offline: false });
    await expect(store.pull(MODEL, { now: 0 })).rejects.toThrow('has more than 20 pages');
  });

  test('takes another ONNX file when asked, and a second pull fetches only what differs', async () => {
    await pull();
    hub.log.length = 0;
    expect((await pull()).changed).toBe(false);
    expect(asked('resolve')).toEqual([]);
    const { changed } = await pull({ file: 'onnx/model_quantized.onnx' });
    expect(changed).toBe(true);
    expect(pulled('model.onnx').equals(file('two_logits.onnx'))).toBe(true);
    await expect(pull({ file: 'onnx/none.onnx' })).rejects.toMatchObject({
      code: 'not_found',
      remedy: expect.stringContaining('onnx/model_quantized.onnx'),
    });
  });

  test('takes over a newer version', async () => {
    await pull();
    const before = hub.files.get('config.json')!;
    hub.files.set('config.json', Buffer.from('{"newer":true}'));
    expect((await pull()).changed).toBe(true);
    hub.files.set('config.json', before);
    expect(String(pulled('config.json'))).toBe('{"newer":true}');
  });

  test('sends the token to the hub and to no server it redirects to', async () => {
    await storeOf({ token: 'secret' }).pull(MODEL, { now: 0 });
    const [cdn, own] = [asked('cdn'), hub.log.filter((line) => !line.startsWith('cdn'))];
    expect(cdn.length).toBeGreaterThan(0);
    expect(cdn.join()).not.toContain('secret');
    for (const line of own) expect(line).toContain('Bearer secret');
  });
});

describe('an interrupted transfer', () => {
  test('goes on within one pull, from the byte where it broke off', async () => {
    hub.faults.set(TOKENIZER, { cutAfter: 200_000, times: 2 });
    await pull();
    expect(pulled(TOKENIZER).equals(file(TOKENIZER))).toBe(true);
    expect(asked(`cdn GET /${TOKENIZER}`)).toHaveLength(3);
    expect(asked(`cdn GET /${TOKENIZER} bytes=`)).toHaveLength(2);
  });

  test('goes on in the next pull after it was stopped, and nothing half stands under its name', async () => {
    const stop = new AbortController();
    const onBytes = (done: number) => done > 300_000 && stop.abort();
    await expect(pull({ signal: stop.signal, onBytes })).rejects.toMatchObject({ code: 'aborted' });
    expect(existsSync(join(folder, MODEL))).toBe(false);
    expect(await storeOf().list()).toEqual([]);
    hub.log.length = 0;
    await pull();
    expect(pulled(TOKENIZER).equals(file(TOKENIZER))).toBe(true);
    expect(asked('config.json')).toEqual([]);
    expect(asked(TOKENIZER).join()).toMatch(/bytes=[1-9]\d+-/);
  });

  test('starts anew where the server knows no ranges', async () => {
    hub.faults.set(TOKENIZER, { cutAfter: 200_000 });
    const stopped = startsAnew();
    await pull();
    stopped();
    expect(pulled(TOKENIZER).equals(file(TOKENIZER))).toBe(true);
  });

  test('is given up when no byte comes any more', async () => {
    hub.faults.set(TOKENIZER, { cutAfter: 0, times: 100 });
    await expect(pull()).rejects.toMatchObject({ code: 'remote' });
    expect(asked(`cdn GET /${TOKENIZER}`)).toHaveLength(3);
  });

  /** After the cut, every answer is the whole file. */
  function startsAnew(): () => void {
    const timer = setInterval(() => {
      if (!hub.faults.has(TOKENIZER)) hub.faults.set(TOKENIZER, { ignoreRange: true, times: 9 });
    }, 1);
    return () => clearInterval(timer);
  }
});

describe('wrong bytes', () => {
  test.each([
    ['a large file, known by its SHA-256', TOKENIZER],
    ['a small one, known by its Git id', 'config.json'],
  ])('of %s are never used', async (_, path) => {
    const right = hub.files.get(path)!;
    const wrong = Buffer.from(right);
    wrong[10] = wrong[10]! ^ 1;
    hub.faults.set(path, { bytes: wrong });
    await expect(pull()).rejects.toMatchObject({ code: 'remote', message: expect.stringContaining(path) });
    expect(existsSync(join(folder, MODEL))).toBe(false);
    await pull();
    expect(pulled(path).equals(right)).toBe(true);
  });

  test('that are too many are never used', async () => {
    hub.faults.set('config.json', { bytes: Buffer.concat([file('config.json'), Buffer.from(' ')]) });
    await expect(pull()).rejects.toMatchObject({ code: 'remote' });
  });

  test('left by another version are not continued', async () => {
    const staging = join(folder, '.partial', MODEL.replace('/', '--'));
    mkdirSync(staging, { recursive: true });
    writeFileSync(join(staging, `${TOKENIZER}.part`), Buffer.alloc(1000, 7));
    await expect(pull()).rejects.toMatchObject({ code: 'remote' });
    await pull();
    expect(pulled(TOKENIZER).equals(file(TOKENIZER))).toBe(true);
  });
});

describe('a hub that refuses', () => {
  test('is asked again when it is busy', async () => {
    hub.faults.set('tree', { status: 503, headers: { 'retry-after': '0' }, times: 2 });
    hub.faults.set(TOKENIZER, { status: 429, headers: { 'retry-after': '0' } });
    await pull();
    expect(pulled(TOKENIZER).equals(file(TOKENIZER))).toBe(true);
  });

  test('because of a licence: the error says where to accept it and which variable takes the token', async () => {
    hub.faults.set('tree', { status: 401, headers: { 'x-error-code': 'GatedRepo' } });
    const remedy = expect.stringContaining('HF_TOKEN');
    await expect(pull()).rejects.toMatchObject({ code: 'remote', remedy });
  });

  test('because there is no such model', async () => {
    await expect(storeOf().pull('cross-encoder/none', { now: 0 })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('cross-encoder/none'),
    });
  });

  test('in words that are no list of files', async () => {
    hub.faults.set('tree', { status: 200 });
    await expect(pull()).rejects.toMatchObject({
      code: 'remote',
      message: expect.stringContaining('not a list'),
    });
  });

  test('by not being there', async () => {
    const store = createModelStore({ folder, hub: { url: 'http://127.0.0.1:9' }, offline: false });
    await expect(store.pull(MODEL, { now: 0 })).rejects.toMatchObject({
      code: 'remote',
      message: expect.stringContaining('127.0.0.1:9'),
    });
  });
});

describe('offline', () => {
  test('nothing is asked; a model that is here is found, another is an error that says what to run', async () => {
    const store = storeOf({ offline: true });
    await expect(store.pull(MODEL, { now: 0 })).rejects.toMatchObject({
      code: 'model_missing',
      message: expect.stringContaining(MODEL),
      remedy: expect.stringContaining(`docfuse models pull ${MODEL}`),
    });
    await pull();
    hub.log.length = 0;
    expect((await store.pull(MODEL, { now: 0 })).changed).toBe(false);
    expect(hub.log).toEqual([]);
  });
});

describe('the models that are here', () => {
  test('are listed by name, found, and deleted', async () => {
    await pull();
    expect((await storeOf().list()).map(({ name }) => name)).toEqual([MODEL]);
    expect((await storeOf().find(MODEL)).folder).toBe(join(folder, MODEL));
    await storeOf().remove(MODEL);
    expect(existsSync(join(folder, MODEL))).toBe(false);
    await expect(storeOf().find(MODEL)).rejects.toMatchObject({ code: 'model_missing' });
  });

  test.each(['../up', 'a/../b', '/etc/passwd', 'a', 'a/b/c', 'a\\b/c', '.partial/x'])(
    '%s is no name of one',
    async (name) => {
      for (const store of [storeOf(), storeOf({ offline: true })]) {
        await expect(store.pull(name, { now: 0 })).rejects.toMatchObject({ code: 'usage' });
        await expect(store.remove(name)).rejects.toMatchObject({ code: 'usage' });
      }
    },
  );

  test('are pulled by one process at a time; a lock of one that died is taken over', async () => {
    mkdirSync(join(folder, '.partial'), { recursive: true });
    const other = new DatabaseSync(join(folder, '.partial', LOCK));
    other.exec('BEGIN EXCLUSIVE');
    await expect(pull()).rejects.toMatchObject({ code: 'index_busy' });
    other.close();
    expect((await pull()).changed).toBe(true);
  });
});
