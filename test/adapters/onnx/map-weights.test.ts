import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createFeeds, type Session } from '../../../src/adapters/encoding/model-inputs.ts';
import { mapWeights } from '../../../src/adapters/onnx/map-weights.ts';
import { loadRuntime, openSession } from '../../../src/adapters/onnx/runtime.ts';
import { SMALL_MODEL } from '../../support/small-model.ts';
import { DEFAULT_MODEL } from './models.ts';

const FILE = join(DEFAULT_MODEL, 'model_quantized.onnx');
const runtime = await loadRuntime();
const work = mkdtempSync(join(tmpdir(), 'docfuse-mapped-'));
afterAll(() => rmSync(work, { recursive: true }));

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
    copyFileSync(join(SMALL_MODEL, 'model.onnx'), file);
    const small = readFileSync(file);
    const damaged = fc
      .tuple(fc.nat(small.length - 1), fc.nat(255))
      .map(([at, byte]) => Uint8Array.from(small).fill(byte, at, at + 1));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), damaged), (bytes) => {
        writeFileSync(file, bytes);
        expect(mapWeights(file)).toBeUndefined();
      }),
    );
  });
});
