/** What reranking costs besides the model: ten passages through a cross-encoder without layers, or through one of yours. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOnnxReranker } from '../src/adapters/onnx/reranker.ts';
import { makeCrossEncoder } from '../test/support/cross-encoder.ts';
import { keep } from './record.ts';
import { timed } from './timed.ts';

const made = mkdtempSync(join(tmpdir(), 'docfuse-rerank-'));
const folder = process.argv[2] ?? makeCrossEncoder(made);
const ROUNDS = 50;
const CANDIDATES = 10;
const QUERY = 'how do I rotate the access tokens of a service';
const SENTENCE = 'Every deployment keeps its own token, and the old one stays valid for an hour. ';

const reranker = createOnnxReranker({ folder });
const measured = [];
for (const characters of [300, 1000, 1500]) {
  const passages = Array.from({ length: CANDIDATES }, (_, i) =>
    `${i} ${SENTENCE.repeat(characters / SENTENCE.length + 1)}`.slice(0, characters),
  );
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    times.push(await timed(() => reranker.score(QUERY, passages)));
  }
  // The first round of all loads the model.
  const [first, ...rest] = times as [number, ...number[]];
  const sorted = rest.toSorted((a, b) => a - b).map((time) => Number(time.toFixed(2)));
  // The fastest round tells what the work takes where other processes share the cores.
  measured.push({ characters, first: Math.round(first), fastest: sorted[0], p50: sorted[ROUNDS / 2] });
}
await reranker.close();
rmSync(made, { recursive: true });

const result = {
  model: folder === made ? 'overlap-cross-encoder' : folder,
  candidates: CANDIDATES,
  measured,
};
console.log(JSON.stringify(result, null, 2));
await keep('rerank', result);
