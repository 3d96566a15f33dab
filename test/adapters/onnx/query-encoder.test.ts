import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createQueryEncoder } from '../../../src/adapters/onnx/embedder.ts';
import { openModelFolder } from '../../../src/adapters/onnx/model-folder.ts';
import { createTextEncoder } from '../../../src/adapters/onnx/text-encoder.ts';
import { DEFAULT_MODEL } from './models.ts';

const model = await openModelFolder(DEFAULT_MODEL);
let timesMoved = 0;
const encoder = createQueryEncoder(model, { onMoved: () => timesMoved++ });
afterAll(encoder.close);

/** As long as the model reads: a tenth of a second. */
const LONG = 'The tide turns the mill. '.repeat(100);

/** How often this thread came to do something else while a text was encoded. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let isDone = false;
  let turns = 0;
  const done = work.finally(() => {
    isDone = true;
  });
  for (; !isDone; turns++) await turn();
  await done;
  return turns;
}

test('whoever goes on asking is answered by another thread, with the same vectors', async () => {
  const reference = await createTextEncoder(model);
  const vectorOf = (text: string) => reference.encode([text]);
  expect(await encoder.encodeQuery('tides')).toEqual(await vectorOf('tides'));
  expect(await turnsDuring(encoder.encodeQuery(LONG))).toBeLessThan(50);

  // All at once: some are answered here while the thread starts.
  const texts = Array.from({ length: 40 }, (_, number) => `tide number ${number}`);
  const vectors = await Promise.all(texts.map(encoder.encodeQuery));
  for (const [number, text] of texts.entries()) expect(vectors[number]).toEqual(await vectorOf(text));

  const deadline = performance.now() + 60_000;
  while ((await turnsDuring(encoder.encodeQuery(LONG))) < 100)
    expect(performance.now()).toBeLessThan(deadline);
  expect(await encoder.encodeQuery('tides')).toEqual(await vectorOf('tides'));
  await reference.close();
  expect(timesMoved).toBe(1);
});

test('an encoder that is closed while its thread starts closes cleanly', async () => {
  const other = createQueryEncoder(model);
  // Not awaited: a fast machine would have started the thread by then.
  const asked = Array.from({ length: 20 }, () => other.encodeQuery('tides'));
  const last = other.encode('tides');
  await other.close();
  await other.close();
  expect(await last).toHaveLength(384);
  await Promise.all(asked);
  await expect(other.encode('tides')).rejects.toMatchObject({ code: 'aborted' });
});

/** Answers with zeros while it is tried in batches, with one request per text and one for all; then does something else. */
const trialThen = (then: string) => `
  import { parentPort } from 'node:worker_threads';
  let left = 7;
  parentPort.on('message', ({ id, texts }) => {
    if (left-- > 0) parentPort.postMessage({ id, vectors: new Float32Array(384 * texts.length) });
    else ${then};
  });`;
const DYING_WORKER = `if (process.env.HAS_DIED) process.exit(1);${trialThen(
  "process.exit((process.env.HAS_DIED = '1'))",
)}`;
const FAILING_WORKER = trialThen(
  "parentPort.postMessage({ id, failure: { code: 'internal', message: 'no' } })",
);

test('where the thread cannot start, dies twice or fails, the calling thread answers, each of many texts', async () => {
  onTestFinished(() => void delete process.env.HAS_DIED);
  const texts = Array.from({ length: 12 }, (_, number) => `tide number ${number}`);
  const vectors = await Promise.all(texts.map((text) => encoder.encodeQuery(text)));
  for (const source of [DYING_WORKER, FAILING_WORKER, 'process.exit(1)']) {
    const lonely = createQueryEncoder(model, fileOf(source));
    for (let asked = 0; asked < 20; asked++) await lonely.encodeQuery('tides');
    await sleep(500);
    expect(await Promise.all(texts.map((text) => lonely.encodeQuery(text)))).toEqual(vectors);
    await lonely.close();
  }
});

/** Options for an encoder whose thread runs this. */
const fileOf = (source: string) => ({ file: new URL(`data:text/javascript,${encodeURIComponent(source)}`) });

/** Gives itself away: its vectors are nothing but zeros. */
const ZERO_WORKER = `
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', ({ id, texts }) =>
    parentPort.postMessage({ id, vectors: new Float32Array(384 * texts.length) }));`;

test('passages start no thread, questions do; and what is called off is not embedded', async () => {
  const saves = createQueryEncoder(model, fileOf(ZERO_WORKER));
  const stop = new AbortController();
  const stopped = saves.encode('tides', stop.signal);
  stop.abort();
  await expect(stopped).rejects.toMatchObject({ code: 'aborted' });
  for (let saved = 0; saved < 21; saved++) await saves.encode('tides');
  await sleep(500);
  expect(Math.hypot(...(await saves.encode('tides')))).toBeCloseTo(1);
  for (let asked = 0; asked < 20; asked++) await saves.encodeQuery('tides');
  await expect.poll(async () => Math.hypot(...(await saves.encode('tides')))).toBe(0);
  await saves.close();
});
