import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFeeds, type Session } from '../../../src/adapters/encoding/model-inputs.ts';
import { mapWeights } from '../../../src/adapters/onnx/map-weights.ts';
import { loadRuntime, openSession } from '../../../src/adapters/onnx/runtime.ts';
import { SMALL_MODEL } from '../../support/small-model.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { DEFAULT_MODEL } from './models.ts';

const FILE = join(DEFAULT_MODEL, 'model_quantized.onnx');
const runtime = await loadRuntime();
const work = sharedFolder();

const TEXTS = [3, 18, 120].map((length) => Array.from({ length }, (_, i) => 1_000 + i * 37));

async function vectorsOf(session: Session) {
  const vectors: unknown[] = [];
  for (const ids of TEXTS) {
    const { sentence_embedding } = await session.run(createFeeds(runtime, session, [{ ids }], 0));
    vectors.push(sentence_embedding!.data);
  }
  await session.release();
  return vectors;
}

describe('a model with mapped weights', () => {
  test('gives the same vectors to the last bit, with weights arranged for speed or not', async () => {
    const whole = await vectorsOf(await runtime.InferenceSession.create(FILE));
    expect(await vectorsOf(await openSession(runtime, FILE))).toEqual(whole);
    expect(await vectorsOf(await openSession(runtime, FILE, false))).toEqual(whole);
  });

  test('is small, and names the file', () => {
    const { model, folder } = mapWeights(FILE)!;
    expect(model.length).toBeLessThan(0.05 * readFileSync(FILE).length);
    expect(Buffer.from(model).includes('model_quantized.onnx')).toBe(true);
    expect(folder).toBe(DEFAULT_MODEL);
  });

  test('may be a link with another name, as in the cache of the hub', async () => {
    const link = join(work, 'link.onnx');
    symlinkSync(FILE, link);
    expect(mapWeights(link)?.folder).toBe(DEFAULT_MODEL);
    await (await openSession(runtime, link)).release();
  });
});

describe('ONNX Runtime reads the file itself', () => {
  test.each([
    ['of a model without weights of 8 bits', join(SMALL_MODEL, 'model.onnx')],
    ['of a model with weights in another file', join(SMALL_MODEL, 'external.onnx')],
    ['that is missing', join(work, 'missing.onnx')],
  ])('%s', (_, file) => {
    expect(mapWeights(file)).toBeUndefined();
  });

  test('of which the end is missing', async () => {
    const file = join(work, 'half.onnx');
    writeFileSync(file, readFileSync(FILE).subarray(0, 20_000_000));
    expect(mapWeights(file)).toBeUndefined();
    await expect(openSession(runtime, file)).rejects.toMatchObject({ code: 'model_invalid' });
  });

  test('that is something else', () => {
    const file = join(work, 'bytes.onnx');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        writeFileSync(file, bytes);
        expect(mapWeights(file)).toBeUndefined();
      }),
    );
  });
});

describe('a small model with a table of bytes', () => {
  const small = join(SMALL_MODEL, 'byte_weights.onnx');
  const bytes = readFileSync(small);
  const outcome = async (opening: Promise<Session>) => {
    try {
      const session = await opening;
      const { last_hidden_state } = await session.run(
        createFeeds(runtime, session, [{ ids: [2, 9, 40, 3] }], 0),
      );
      await session.release();
      return last_hidden_state!.data;
    } catch {
      return 'refused';
    }
  };

  test('is mapped, although it says that its weights lie in the file', async () => {
    const { model, folder } = mapWeights(small)!;
    expect(model.length).toBeLessThan(bytes.length - 1_900);
    const session = { model_external_initializers_file_folder_path: folder };
    const mapped = await outcome(runtime.InferenceSession.create(model, { extra: { session } }));
    const same = runtime.InferenceSession.create(join(SMALL_MODEL, 'model.onnx'));
    expect(mapped).toEqual(await outcome(same));
  });

  test('that is damaged is opened, or refused, as ONNX Runtime does it', async () => {
    const file = join(work, 'damaged.onnx');
    const place = fc.nat(bytes.length - 1);
    await fc.assert(
      fc.asyncProperty(place, fc.nat(255), place, async (at, byte, length) => {
        const damaged = Buffer.from(bytes).fill(byte, at, at + 1);
        writeFileSync(file, length % 4 === 0 ? damaged.subarray(0, length) : damaged);
        const plain = await outcome(runtime.InferenceSession.create(file));
        if (plain !== 'refused') expect(await outcome(openSession(runtime, file))).toEqual(plain);
      }),
      { numRuns: 60 },
    );
  });
});
