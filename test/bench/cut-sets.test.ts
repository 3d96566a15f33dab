import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { cutSet } from '../../bench/cut-sets.ts';
import type { JudgedSet } from '../../src/engine/evaluate/judged-set.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const folder = sharedFolder();
let set: JudgedSet;
beforeAll(async () => {
  const path = join(folder, 'corpus.jsonl');
  const documents = Array.from({ length: 200 }, (_, i) => ({ _id: `d${i}`, title: '', text: `text ${i}` }));
  await writeFile(path, documents.map((document) => `${JSON.stringify(document)}\n`).join(''));
  const queries = Array.from({ length: 60 }, (_, i) => ({
    id: `q${i}`,
    text: `question ${i}`,
    judgements: new Map([
      [`d${i}`, 1],
      [`d${i + 100}`, 2],
      ['gone', 2],
    ]),
  }));
  set = {
    name: 'many',
    queries,
    unanswerable: [],
    documents: { kind: 'corpus', path },
    missing: ['gone'],
    withoutRelevant: 0,
  };
});

it('leaves few documents, the best of every query among them, and no query twice', async () => {
  const cuts = await cutSet(set, join(folder, 'a'));
  expect(cuts.map(({ size, cut }) => [size, cut.queries.length])).toEqual([
    [64, 30],
    [8, 8],
    [8, 8],
    [8, 8],
  ]);
  const asked = cuts.flatMap(({ cut }) => cut.queries.map(({ id }) => id));
  expect(new Set(asked).size).toBe(asked.length);
  for (const { size, cut } of cuts) {
    const lines = (await readFile(cut.documents.path, 'utf8')).trim().split('\n');
    const ids = lines.map((line) => JSON.parse(line)._id as string);
    expect(new Set(ids).size).toBe(size);
    for (const { id, judgements } of cut.queries) {
      expect(judgements.get(`d${Number(id.slice(1)) + 100}`)).toBe(2);
      expect([...judgements.keys()].filter((document) => !ids.includes(document))).toEqual([]);
    }
  }
});

it('cuts alike every time', async () => {
  const [first, second] = [await cutSet(set, join(folder, 'b')), await cutSet(set, join(folder, 'c'))];
  const texts = (cuts: typeof first) =>
    Promise.all(cuts.map(({ cut }) => readFile(cut.documents.path, 'utf8')));
  expect(await texts(first)).toEqual(await texts(second));
});
