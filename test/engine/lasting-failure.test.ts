/** Vectors that cannot be made: said once, kept in the status while reading goes on, and over when they are made. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { keepFresh } from '../../src/engine/watch/keep-fresh.ts';
import { makeOtherModel } from '../support/other-model.ts';
import { found } from './kept.ts';
import { createVault } from './vault.ts';

const LATE = { timeout: 25_000, interval: 20 };

test('a model that is missing, then broken: each is told once, and kept while files are read', async () => {
  const { fresh, told, model, afterMoreRounds } = await watchedWithout();
  await afterMoreRounds('focaccia');
  const missing = expect.stringContaining('There is no embedding model');
  expect(told).toEqual([missing]);
  for (let look = 0; look < 10; look++) {
    expect((await fresh.status()).lastError).toEqual(missing);
    await sleep(15);
  }
  const made = makeOtherModel(`${model}.made`);
  rmSync(join(made, 'model_quantized.onnx')); // a link, which must not be written through
  writeFileSync(join(made, 'model_quantized.onnx'), 'no model');
  renameSync(made, model);
  await afterMoreRounds('brioche');
  const broken = expect.stringContaining('is not a model that ONNX Runtime can open');
  expect(told).toEqual([missing, broken]);
  expect((await fresh.status()).lastError).toEqual(broken);
}, 60_000);

test('a model that is missing, then there: the failure is forgotten with the first vectors', async () => {
  const { fresh, told, model, afterMoreRounds } = await watchedWithout();
  await afterMoreRounds('focaccia');
  renameSync(makeOtherModel(`${model}.made`), model);
  await vi.waitFor(async () => expect((await fresh.status()).index.stale).toBe(false), LATE);
  await vi.waitFor(async () => expect((await fresh.status()).lastError).toBeUndefined(), LATE);
  expect(told.slice(1)).toEqual([]);
}, 60_000);

/** An index that is kept up to date every moment, with a model that is not there yet. */
async function watchedWithout() {
  const vault = createVault({ 'bread.md': '# Bread\n\nKnead the dough.\n' });
  const model = join(vault.folder, '..', 'model');
  const index = await vault.open({ settings: { embedding: { model } } });
  const told: string[] = [];
  let rounds = 0;
  const counted: typeof index = {
    ...index,
    sync(options) {
      if (options?.embed !== false) rounds++;
      return index.sync(options);
    },
  };
  const fresh = keepFresh(counted, {
    everyMs: 60,
    patienceMs: LATE.timeout,
    onFailure: (error) => told.push(String(error)),
    onWarning: ({ message }) => told.push(message),
  });
  onTestFinished(() => fresh.close());
  return {
    ...{ fresh, told, model },
    /** A file is changed and found, and vectors were tried for a few times more. */
    async afterMoreRounds(word: string): Promise<void> {
      const before = rounds;
      vault.write('bread.md', `# Bread\n\nToday ${word}.\n`);
      await vi.waitFor(async () => expect(await found(fresh, word)).toEqual(['bread.md']), LATE);
      await vi.waitFor(() => expect(rounds).toBeGreaterThan(before + 3), LATE);
    },
  };
}
