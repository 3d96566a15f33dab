import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenSet, openSet } from '../../bench/observe-queries.ts';
import { wordsFound } from '../../src/core/rank/confidence-model.ts';
import { readJudgedSet } from '../../src/engine/evaluate/judged-set.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const TEXTS = {
  lamp: 'A lantern burns oil.',
  rain: 'Rain puts an open fire out.',
  oil: 'Oil floats on water.',
};

const folder = sharedFolder();
let set: OpenSet;
beforeAll(async () => {
  const lines = (objects: readonly object[]) => objects.map((each) => `${JSON.stringify(each)}\n`).join('');
  const documents = Object.entries(TEXTS).map(([_id, text]) => ({ _id, title: '', text }));
  await writeFile(join(folder, 'corpus.jsonl'), lines(documents));
  const queries = [
    { _id: '1', text: 'lantern oil' },
    { _id: '2', text: 'glue', type: 'none' },
  ];
  await writeFile(join(folder, 'queries.jsonl'), lines(queries));
  await writeFile(join(folder, 'qrels.tsv'), '1\tlamp\t1\n');
  set = await openSet(await readJudgedSet(folder), join(folder, 'index'));
});
afterAll(() => set.close());

it('keeps what was observed of best hits: with the answer, without it, and where nothing is found', async () => {
  const samples = await set.observe({ mode: 'keyword', limit: 10, foreign: ['fire', 'quartz'] });
  expect(samples.map(({ kind, relevant }) => [kind, relevant])).toEqual([
    ['own', true],
    ['removed', false],
    ['none', false],
    ['foreign', false],
    ['foreign', false],
  ]);
  const [own, removed, none, fire, quartz] = samples.map(({ observed }) => observed);
  // Two terms of two, against one of two.
  expect(own!.words!).toBeGreaterThan(removed!.words!);
  expect(own!.words!).toBeLessThanOrEqual(wordsFound(1, 2));
  expect(own).toMatchObject({ passages: Math.log(1 + 3) });
  expect(own!.cosine).toBeUndefined();
  expect(fire!.words!).toBeGreaterThan(0);
  expect([none, quartz]).toEqual([undefined, undefined]);
  expect(samples.map(({ sigmoid }) => sigmoid > 0)).toEqual([true, true, false, true, false]);
});
