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
    const plain = createPlainScan();
    expect(await onnx.scan(matrix.view(), query, 200)).toEqual(await plain.scan(matrix.view(), query, 200));
    // Asked for at once, they are one run with one array of scores.
    const queries = [query, vector(3.5), vector(9.5)];
    const together = await Promise.all(queries.map((each) => onnx.scan(matrix.view(), each, 200)));
    expect(new Set(together.map(({ scores }) => scores.buffer)).size).toBe(1);
    for (const [index, each] of queries.entries())
      expect(together[index]).toEqual(await plain.scan(matrix.view(), each, 200));
    await onnx.close();
  });
});
