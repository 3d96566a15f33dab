import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Embedder } from '../../src/core/ports.ts';
import { borrowVectors } from '../../src/engine/borrow-vectors.ts';
import { open, placeOfIndex } from '../../src/engine/open.ts';
import { SMALL_MODEL } from '../support/small-model.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let work: string;
beforeEach(() => {
  work = temporaryFolder();
  vi.stubEnv('XDG_DATA_HOME', join(work, 'data'));
  for (const folder of ['tides', 'mills']) {
    mkdirSync(join(work, folder));
    for (let page = 0; page < 20; page++)
      writeFileSync(
        join(work, folder, `${page}.md`),
        `# ${folder} ${page}\n\nThe ${folder} of day ${page}.\n`,
      );
  }
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const openOver = (...folders: string[]) =>
  open({ roots: folders.map((name) => join(work, name)), settings: { embedding: { model: SMALL_MODEL } } });

async function indexed(...folders: string[]): Promise<string> {
  await using index = await openOver(...folders);
  await index.sync();
  return index.indexPath;
}

/** Gives all passages of an index one vector, which no model makes. */
function mark(indexPath: string): void {
  const store = placeOfIndex(indexPath).open();
  const model = store.getState('model')!;
  const [first] = store.vectors(model);
  const { length } = store.vector(model, first!.slot)!;
  const vector = new Float32Array(length).fill(1 / Math.sqrt(length));
  const passages = store.missingVectors('none', Number.MAX_SAFE_INTEGER);
  store.putVectors(
    model,
    passages.map(({ key }) => ({ key, vector })),
  );
  store.close();
}

/** Returns the folders whose passages have the vector of `mark`. */
function marked(indexPath: string): readonly string[] {
  const store = placeOfIndex(indexPath).openFrozen();
  const model = store.getState('model')!;
  const texts = Array.from(store.vectors(model), ({ slot }) => {
    const isMarked = new Set(store.vector(model, slot)).size === 1;
    return isMarked ? [/tides|mills/.exec(store.texts([slot]).join())?.[0] ?? ''] : [];
  });
  store.close();
  return texts.flat();
}

test('a folder that another index holds is not embedded again, another one is', async () => {
  mark(await indexed('tides'));
  const both = await indexed('tides', 'mills');
  expect(marked(both)).toEqual(Array.from({ length: 20 }, () => 'tides'));
});

test('an index whose vectors are damaged lends nothing and does no harm', async () => {
  const lender = await indexed('tides');
  mark(lender);
  const database = new DatabaseSync(join(lender, 'index.sqlite'));
  database.exec('UPDATE vectors SET checksum = checksum + 1');
  expect(marked(await indexed('tides', 'mills'))).toEqual([]);
  database.close();
});

test('an index at a place of its own takes nothing', async () => {
  mark(await indexed('tides'));
  const indexPath = join(work, 'own');
  const settings = { embedding: { model: SMALL_MODEL } };
  await using index = await open({ roots: [join(work, 'tides')], indexPath, settings });
  await index.sync();
  expect(marked(indexPath)).toEqual([]);
});

test('a lender that fails is asked once, and a signal stops the work between two lenders', async () => {
  const asked: string[] = [];
  const fail = () => {
    asked.push('fails');
    throw new Error('locked');
  };
  const stop = new AbortController();
  const vector = new Float32Array(1);
  const inner: Embedder = {
    model: 'm',
    dimensions: 1,
    embedQuery: async () => vector,
    embedPassages: async (texts) => texts.map(() => vector),
    close: async () => {},
  };
  const embedder = borrowVectors(inner, () => [fail, () => new Map(), () => (asked.push('last'), new Map())]);
  const texts = Array.from({ length: 16 }, (_, number) => `text ${number}`);
  expect(await embedder.embedPassages(texts)).toHaveLength(16);
  await embedder.embedPassages(texts);
  expect(asked).toEqual(['fails', 'last', 'last']);
  stop.abort(new Error('enough'));
  await expect(embedder.embedPassages(texts, stop.signal)).rejects.toThrow('enough');
  expect(asked).toHaveLength(3);
});
