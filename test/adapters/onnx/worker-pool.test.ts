import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { openModelFolder } from '../../../src/adapters/onnx/model-folder.ts';
import { createTextEncoder } from '../../../src/adapters/onnx/text-encoder.ts';
import { createWorkerPool } from '../../../src/adapters/onnx/worker-pool.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { DEFAULT_MODEL } from './models.ts';

const run = promisify(execFile);
const model = await openModelFolder(DEFAULT_MODEL);
const POOL = new URL('../../../src/adapters/onnx/worker-pool.ts', import.meta.url).href;
const EMBEDDER = new URL('../../../src/adapters/onnx/embedder.ts', import.meta.url).href;

describe('worker pool', () => {
  test('many texts come back in their order, with the bits of a single thread', async () => {
    const texts = Array.from({ length: 120 }, (_, i) => `${i} sheep `.repeat(1 + ((i * 7) % 23)));
    const pool = createWorkerPool({ kind: 'embedding', files: model }, 3);
    const vectors = await pool.embed(texts);
    await pool.close();
    const encoder = await createTextEncoder(model);
    const flat = await encoder.encode(texts);
    await encoder.close();
    expect(vectors).toHaveLength(120);
    vectors.forEach((vector, i) => {
      expect(vector).toEqual(flat.slice(i * 384, (i + 1) * 384));
    });
  });

  test('a text that ends its thread twice is named in the error, and the next call starts another thread', async () => {
    const pool = createWorkerPool({ kind: 'embedding', files: model }, 2, DYING);
    for (const [text, reason] of [
      ['throw', 'thrown'],
      ['exit', 'code 7'],
    ] as const)
      await expect(pool.embed(['live', text, 'tide'])).rejects.toMatchObject({
        code: 'internal',
        message: expect.stringMatching(new RegExp(`ended twice .*${reason}.* this text: ${text}$`)),
      });
    expect(await pool.embed(['live'])).toEqual([Float32Array.of(4)]);
    await pool.close();
  });

  test('the texts of a thread that dies once are embedded by another, in their order', async () => {
    const folder = temporaryFolder();
    const pool = createWorkerPool({ kind: 'embedding', files: model }, 2, DYING);
    const fatal = join(folder, 'once');
    const texts = [...Array.from({ length: 500 }, (_, n) => 'x'.repeat(n)), fatal, 'last'];
    const calls = [pool.embed(texts), pool.embed(['other call'])];
    expect((await Promise.all(calls)).map((vectors) => vectors.map(([length]) => length))).toEqual([
      texts.map(({ length }) => length),
      [10],
    ]);
    expect(existsSync(fatal)).toBe(true);
    await pool.close();
  });

  test('if no thread can start in place of one that ended, the call fails, and the process goes on', async () => {
    const file = new URL(DYING);
    const pool = createWorkerPool({ kind: 'embedding', files: model }, 1, file);
    await pool.embed(['live']);
    file.href = 'https://localhost/no-worker.js';
    await expect(pool.embed(['exit'])).rejects.toMatchObject({
      message: expect.stringContaining('The system gives no thread for the embedding model'),
      remedy: expect.stringContaining('embedding.threads'),
    });
    await pool.close();
  });

  test('closing rejects what is unfinished and what comes later', async () => {
    const pool = createWorkerPool({ kind: 'embedding', files: model }, 1);
    const unfinished = expect(pool.embed(['a', 'b'])).rejects.toMatchObject({ code: 'aborted' });
    await pool.close();
    await unfinished;
    await expect(pool.embed(['a'])).rejects.toMatchObject({ code: 'aborted' });
  });

  test('closing waits for a thread that has answered and is still busy', async () => {
    const script = `
      import { createWorkerPool } from ${JSON.stringify(POOL)};
      const pool = createWorkerPool({ kind: 'embedding' }, 1, new URL('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(LINGERING_WORKER))}));
      await pool.embed(['a']);
      await pool.close();
      console.log('closed');`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
    expect(stdout).toBe('closed\n');
  });

  test('idle threads do not keep the process alive, nor does leaving in the middle of the work crash', async () => {
    const script = (end: string) => `
      import { createOnnxEmbedder } from ${JSON.stringify(EMBEDDER)};
      const embedder = await createOnnxEmbedder({ folder: ${JSON.stringify(DEFAULT_MODEL)}, workers: 2 });
      await embedder.embedQuery('x');
      await embedder.embedPassages(['a', 'b']);
      ${end}`;
    const busy = `embedder.embedPassages(Array(200).fill('word '.repeat(300))); setTimeout(() => process.exit(0), 150);`;
    for (const end of [`console.log('left');`, `console.log('left'); ${busy}`]) {
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script(end)], {
        timeout: 20_000,
      });
      expect(stdout).toBe('left\n');
    }
  });
});

/** Answers in the protocol of the pool: dies on some texts, on a path only once, and gives the length of others as their vector. */
const DYING_WORKER = `
  import { existsSync, writeFileSync } from 'node:fs';
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', ({ id, texts }) => {
    if (texts.includes('throw')) throw new Error('thrown');
    if (texts.includes('exit')) process.exit(7);
    for (const path of texts.filter((text) => text.endsWith('/once') && !existsSync(text))) {
      writeFileSync(path, '');
      process.exit(7);
    }
    parentPort.postMessage({ id, vectors: Float32Array.from(texts, (text) => text.length) });
  });`;
const DYING = new URL(`data:text/javascript,${encodeURIComponent(DYING_WORKER)}`);

/** Is inside its gate when it answers, and leaves it a while later. */
const LINGERING_WORKER = `
  import { parentPort, workerData } from 'node:worker_threads';
  const INSIDE = 1;
  parentPort.on('message', ({ id }) => {
    Atomics.store(workerData.gate, INSIDE, 1);
    parentPort.postMessage({ id, vectors: Float32Array.of(1) });
    setTimeout(() => {
      Atomics.store(workerData.gate, INSIDE, 0);
      Atomics.notify(workerData.gate, INSIDE);
    }, 300);
  });`;
