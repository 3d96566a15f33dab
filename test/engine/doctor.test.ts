/** Every damaged state that is known: what `check()` says of it, and that carrying out its remedy mends it. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { acquireWriteLock } from '../../src/adapters/store/lock.ts';
import { openSqliteStore } from '../../src/adapters/store/sqlite-store.ts';
import { randomNumbers } from '../../src/core/evaluate/random-numbers.ts';
import type { OpenOptions } from '../../src/engine/api.ts';
import { open } from '../../src/engine/open.ts';
import { sampleDocument } from '../adapters/store/sample.ts';
import { DAMAGES } from '../crash/damages.ts';
import { makeOtherModel } from '../support/other-model.ts';

const work = mkdtempSync(join(tmpdir(), 'docfuse-doctor-'));
const folder = join(work, 'notes');
const sound = join(work, 'sound');
const otherModel = makeOtherModel(join(work, 'other-model'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

beforeAll(async () => {
  mkdirSync(folder);
  const told = ['hangs over the harbour', 'lights a cellar full of kettles', 'was sold with the violin'];
  for (const [n, what] of told.entries()) {
    const text = `The lantern ${what}, see [next](${(n + 1) % 3}.md).`;
    writeFileSync(
      join(folder, `${n}.md`),
      `# Note ${n}\n\n${text}\n\n\`\`\`ts\nlight${n}(lantern)\n\`\`\`\n`,
    );
  }
  await using index = await open({ roots: [folder], indexPath: sound });
  await index.sync();
});

interface State {
  /** @returns what ends it, where that is not in the hands of who reads the remedy */
  readonly make: (file: string) => void | (() => void) | Promise<() => void>;
  /** Of the check that finds it. */
  readonly name: string;
  readonly state: 'warning' | 'failure';
  readonly says: RegExp;
  readonly options?: OpenOptions;
}

/** Damage by its name in the harness. */
const damage = (kind: string) => (file: string) => {
  if (!DAMAGES[kind]!(file, randomNumbers(7))) throw new Error(`there is nothing for ${kind}`);
};
const bySql = (statement: string) => (file: string) => {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  database.exec(statement);
  database.close();
};
const byStore = (change: (store: ReturnType<typeof openSqliteStore>) => void) => (file: string) => {
  const store = openSqliteStore(file);
  change(store);
  store.close();
};

const REBUILD = { name: 'database', state: 'failure' } as const;
const FINISH = { name: 'leftovers', state: 'warning' } as const;

const states: Readonly<Record<string, State>> = {
  'no index': {
    make: (file) => rmSync(file),
    name: 'database',
    state: 'warning',
    says: /There is no index at/,
  },
  'an empty file': {
    make: damage('database empty'),
    name: 'database',
    state: 'warning',
    says: /holds nothing yet/,
  },
  'half a database': {
    ...REBUILD,
    make: (file) => truncateSync(file, readFileSync(file).length / 2),
    says: /is damaged/,
  },
  'a database with other bytes in it': { ...REBUILD, make: damage('page spoilt'), says: /is damaged/ },
  'a database with zeros in it': { ...REBUILD, make: damage('page zeroed'), says: /is damaged/ },
  'a file of something else': {
    ...REBUILD,
    make: (file) => writeFileSync(file, 'notes\n'.repeat(999)),
    says: /not a database/,
  },
  "another program's database": {
    ...REBUILD,
    make(file) {
      rmSync(file);
      bySql('CREATE TABLE theirs (x)')(file);
    },
    says: /another program/,
  },
  'an index of a newer version': {
    ...REBUILD,
    make: bySql('PRAGMA user_version = 99'),
    says: /has format 99/,
  },
  'a document that is gone': {
    ...REBUILD,
    make: damage('document missing'),
    says: /chunks holds 3 rows, not 2/,
  },
  'a passage without text': {
    ...REBUILD,
    make: damage('text missing'),
    says: /1 passages without their text/,
  },
  'a text with another letter': { ...REBUILD, make: damage('text spoilt'), says: /1 rows of chunk_bodies/ },
  'a link that is gone': { ...REBUILD, make: damage('link missing'), says: /without all their links/ },
  'a vector with other bytes': { ...REBUILD, make: damage('vector spoilt'), says: /1 rows of vectors/ },
  'a vector of another length': { ...REBUILD, make: damage('vector cut'), says: /1 rows of vectors/ },
  'a vector that is gone': {
    make: damage('vector missing'),
    name: 'vectors',
    state: 'warning',
    says: /2 of 3 passages have a vector/,
  },
  'a segment with other bytes': {
    make: damage('segment spoilt'),
    name: 'segments',
    state: 'warning',
    says: /1 of 3 segments/,
  },
  'a segment that is cut': {
    make: damage('segment cut'),
    name: 'segments',
    state: 'warning',
    says: /1 of 3 segments/,
  },
  'a segment that is gone': {
    ...FINISH,
    make: damage('segment missing'),
    says: /The words of 3 documents are not saved/,
  },
  'edges with another digit': { ...FINISH, make: damage('link facts spoilt'), says: /Links and communities/ },
  'edges of a document that is gone': {
    ...FINISH,
    make: byStore((store) => void store.removeDocument(1)),
    says: /Links and communities are not those of the documents/,
  },
  'a document whose run was killed': {
    ...FINISH,
    make: byStore((store) => void store.putDocument(sampleDocument('new.md', ['lantern']))),
    says: /The words of 1 documents are not saved.*Links/,
  },
  'a lock file of something else': {
    make: (file) => writeFileSync(`${file}.lock`, 'something else '.repeat(99)),
    name: 'lock',
    state: 'failure',
    says: /not one that docfuse made/,
  },
  'a lock that somebody has': {
    async make(file) {
      const lock = await acquireWriteLock(file);
      return lock.release;
    },
    name: 'lock',
    state: 'warning',
    says: new RegExp(`is being written by process ${process.pid} since`),
  },
  'another model': {
    make: () => {},
    options: { settings: { embedding: { model: otherModel } } },
    name: 'vectors',
    state: 'warning',
    says: /0 of 3 passages have a vector/,
  },
  'other rules of cutting': {
    make: () => {},
    options: { settings: { chunking: { max_chars: 777 } } },
    ...FINISH,
    says: /read or cut by other rules/,
  },
};

test.each(Object.entries(states))('%s', async (title, { make, name, state, says, options }) => {
  const indexPath = join(work, title.replaceAll(/\W/g, '-'));
  cpSync(sound, indexPath, { recursive: true });
  const file = join(indexPath, 'index.sqlite');
  const end = await make(file);
  const opening = { roots: [folder], indexPath, ...options };
  let remedy: string;
  {
    await using index = await open(opening);
    const found = (await index.check()).find((check) => check.name === name);
    expect(found).toMatchObject({ state, detail: expect.stringMatching(says), remedy: expect.any(String) });
    remedy = found!.remedy!;
  }
  // As whoever reads it would.
  if (end) end();
  if (/delete it/i.test(remedy)) rmSync(`${file}.lock`);
  if (/delete that file/.test(remedy)) rmSync(file);
  await using index = await open(opening);
  await index.sync({ rebuild: remedy.includes('--rebuild') });
  const after = await index.check();
  expect(after.filter((check) => check.state !== 'ok')).toEqual([]);
  for (const [n, word] of ['harbour', 'kettles', 'violin'].entries()) {
    const { hits } = await index.search(word, { mode: 'keyword', minConfidence: 0 });
    expect(hits[0]?.path).toBe(`${n}.md`);
  }
});
