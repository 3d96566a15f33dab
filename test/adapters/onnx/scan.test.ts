import { describe, expect, test } from 'vitest';
import { createOnnxScan } from '../../../src/adapters/onnx/scan.ts';
import { createPlainScan, createVectorMatrix } from '../../../src/core/indexes/vector-matrix.ts';
import { vectorScanContract } from '../../contracts/vector-scan-contract.ts';

vectorScanContract('ONNX scan on one thread', () => createOnnxScan({ threads: 1 }));
vectorScanContract('ONNX scan on two threads', () => createOnnxScan({ threads: 2 }));

describe('ONNX scan', () => {
  test('gives the bits of the plain scan on 20,000 rows', async () => {
    const matrix = createVectorMatrix(96);
    const vector = (seed: number) =>
      Float32Array.from({ length: 96 }, (_, i) => Math.sin(seed * 7.13 + i * i));
    for (let slot = 0; slot < 20_000; slot += 1) matrix.set(slot, vector(slot));
    const onnx = await createOnnxScan();
    const query = vector(0.5);
    expect(await onnx.scan(matrix.view(), query, 200)).toEqual(
      await createPlainScan().scan(matrix.view(), query, 200),
    );
    await onnx.close();
  });
});
