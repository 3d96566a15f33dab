import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { openModelFolder } from '../../../src/adapters/onnx/model-folder.ts';
import { createQueryEncoder } from '../../../src/adapters/onnx/query-encoder.ts';
import { createTextEncoder } from '../../../src/adapters/onnx/text-encoder.ts';
import { DEFAULT_MODEL } from './models.ts';

const model = await openModelFolder(DEFAULT_MODEL);
const encoder = createQueryEncoder(model);
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
  expect(await encoder.encode('tides')).toEqual(await vectorOf('tides'));
  expect(await turnsDuring(encoder.encode(LONG))).toBeLessThan(50);

  // All at once: some are answered here while the thread starts.
  const texts = Array.from({ length: 40 }, (_, number) => `tide number ${number}`);
  const vectors = await Promise.all(texts.map(encoder.encode));
  for (const [number, text] of texts.entries()) expect(vectors[number]).toEqual(await vectorOf(text));

  const deadline = performance.now() + 60_000;
  while ((await turnsDuring(encoder.encode(LONG))) < 100) expect(performance.now()).toBeLessThan(deadline);
  expect(await encoder.encode('tides')).toEqual(await vectorOf('tides'));
  await reference.close();
});

test('an encoder that is closed while its thread starts closes cleanly', async () => {
  const other = createQueryEncoder(model);
  await Promise.all(Array.from({ length: 20 }, () => other.encode('tides')));
  await other.close();
  await other.close();
});
