/** Every damaged state that is known: what `check()` says of it, and that carrying out its remedy mends it. */
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, test } from 'vitest';
import { acquireWriteLock } from '../../src/adapters/store/lock.ts';
import { openSqliteStore } from '../../src/adapters/store/sqlite-store.ts';
import { randomNumbers } from '../../src/core/evaluate/statistics.ts';
import type { OpenOptions } from '../../src/engine/api.ts';
import { open } from '../../src/engine/open.ts';
import { sampleDocument } from '../adapters/store/sample.ts';
import { DAMAGES, TABLES } from '../crash/damages.ts';
import { makeOtherModel } from '../support/other-model.ts';
import { SMALL_SETTINGS } from '../support/small-model.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const work = sharedFolder();
const folder = join(work, 'notes');
const sound = join(work, 'sound');
/** The same, with all of it in its log still. */
const opened = join(work, 'opened');
const settings = { ...SMALL_SETTINGS, search: { query_expansion_enabled: true } };
const otherModel = makeOtherModel(join(work, 'other-model'));

beforeAll(async () => {
  mkdirSync(folder);
  const told = ['hangs over the harbour', 'lights a cellar full of kettles', 'was sold with the violin'];
  for (const [n, what] of told.entries()) {
    const text = `The lantern ${what}, see [next](${(n + 1) % 3}.md).`;
    const code = `\`\`\`ts\nlight${n}(lantern)\n\`\`\``;
    writeFileSync(join(folder, `${n}.md`), `# Note ${n}\n\n${text}\n\n${code}\n`);
  }
  await using index = await open({ roots: [folder], indexPath: sound, settings });
  await index.sync();
  await index.close();
  const growing = join(work, 'growing');
  const store = openSqliteStore(join(growing, 'index.sqlite'));
  const source = new DatabaseSync(join(sound, 'index.sqlite'));
  await backup(source, join(growing, 'index.sqlite'));
  cpSync(growing, opened, { recursive: true });
  cpSync(join(sound, 'index.sqlite.lock'), join(opened, 'index.sqlite.lock'));
  source.close();
  store.close();
});

interface State {
  /** Done to a copy of the sound index. @default the damage of that name */
  readonly make?: (file: string) => void | (() => void) | Promise<() => void>;
  /** For damage by its name: of the chance that chooses row and column. @default 7 */
  readonly seed?: number;
  /** Of the check that finds it; absent where there is nothing to be mended. */
  readonly name?: string;
  readonly state?: 'warning' | 'failure';
  readonly says?: RegExp;
  readonly options?: OpenOptions;
}

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

const MISSING = { name: 'database', state: 'warning' } as const;
const SEGMENTS = { name: 'segments', state: 'warning', says: /1 of 3 segments/ } as const;
const REBUILD = { name: 'database', state: 'failure' } as const;
const RIGHTS = { name: 'permissions', state: 'warning' } as const;
const FINISH = { name: 'leftovers', state: 'warning' } as const;

const states: Readonly<Record<string, State>> = {
  'no index': { ...MISSING, make: (file) => rmSync(file), says: /There is no index at/ },
  'database empty': { ...MISSING, says: /is still empty/ },
  'half a database': {
    ...REBUILD,
    make: (file) => truncateSync(file, readFileSync(file).length / 2),
    says: /is damaged/,
  },
  'database cut': { ...REBUILD, says: /is damaged/ },
  'database spoilt': { ...REBUILD, seed: 10, says: /is damaged|index.sqlite: / },
  'database zeroed in part': { ...REBUILD, seed: 5, says: /is damaged|index.sqlite: / },
  'page spoilt': { ...REBUILD, says: /is damaged/ },
  'page swapped': { ...REBUILD, says: /is damaged/ },
  'page zeroed': { ...REBUILD, says: /is damaged/ },
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
  'a row spoilt in an index without documents': {
    ...REBUILD,
    make: bySql(
      ['documents', 'chunks', 'chunk_bodies', 'parents', 'links', "meta WHERE key = 'updated'"]
        .map((rows) => `DELETE FROM ${rows};`)
        .join('') + 'UPDATE vectors SET checksum = checksum + 1',
    ),
    says: /damaged rows of vectors/,
  },
  'log cut': { ...MISSING, says: /is still empty/ },
  'log spoilt': { ...MISSING, says: /is still empty/ },
  'shared memory spoilt': {},
  'what a rebuild left that was killed': {
    ...FINISH,
    make: (file) => writeFileSync(`${file}.new`, 'half'),
    says: /A rebuild .* left/,
  },
  'meta: row lost': { ...FINISH, says: /Documents whose words are not saved: 3/ },
  'meta: row spoilt': { ...FINISH, says: /Documents whose words are not saved: 3/ },
  'documents: row lost': { ...REBUILD, says: /chunks holds 3 rows, not 2/ },
  'documents: row spoilt': { ...REBUILD, says: /row of links refers to a missing row of documents/ },
  "a document's title with another letter": {
    ...REBUILD,
    make: bySql("UPDATE documents SET fields = replace(fields, 'Note 1', 'Note 7')"),
    says: /a row of documents has a wrong checksum/,
  },
  'passages: row lost': { ...REBUILD, says: /a row of chunks refers to a missing row of passages/ },
  'passages: row spoilt': { ...REBUILD, says: /a row of chunks refers to a missing row of passages/ },
  'chunks: row lost': { ...REBUILD, says: /chunks holds 2 rows, not 3/ },
  'chunks: row spoilt': { ...REBUILD, says: /has a wrong checksum/ },
  'chunk_bodies: row lost': { ...REBUILD, says: /passages without their text: 1/ },
  'chunk_bodies: row spoilt': { ...REBUILD, says: /refers to a missing row of chunks/ },
  'a text with another letter': {
    ...REBUILD,
    make: bySql("UPDATE chunk_bodies SET text = replace(text, 'violin', 'violas')"),
    says: /damaged rows of chunk_bodies: 1/,
  },
  'parents: row lost': { ...REBUILD, says: /passages without the section around them: 1/ },
  'parents: row spoilt': { ...REBUILD, says: /refers to a missing row of documents/ },
  'a section with other lines': {
    ...REBUILD,
    make: bySql('UPDATE parents SET end_line = end_line - 1 WHERE document = 1'),
    says: /damaged rows of parents: 1/,
  },
  'links: row lost': { ...REBUILD, says: /without all their links/ },
  'links: row spoilt': { ...REBUILD, says: /refers to a missing row of documents/ },
  'models: row lost': { ...REBUILD, says: /refers to a missing row of models/ },
  'models: row spoilt': { ...REBUILD, says: /refers to a missing row of models/ },
  'vectors: row lost': { name: 'vectors', state: 'warning', says: /2 of 3 passages have a vector/ },
  'vectors: row spoilt': { ...REBUILD, seed: 5, says: /damaged rows of vectors: 1/ },
  'a vector of another length': {
    ...REBUILD,
    make: bySql('UPDATE vectors SET vector = substr(vector, 1, 99) WHERE number = 1'),
    says: /damaged rows of vectors: 1/,
  },
  // The index of this test has no pieces: its segments are small. For a large one: words-of-a-search.test.ts.
  'pieces: row lost': { make: bySql('DELETE FROM pieces') },
  'pieces: row spoilt': { make: bySql('UPDATE pieces SET number = number + 1') },
  'segments: row lost': { ...FINISH, says: /Documents whose words are not saved: 3/ },
  'segments: row spoilt': { ...SEGMENTS, seed: 5 },
  'a segment that is cut': {
    ...SEGMENTS,
    make: bySql('UPDATE segments SET bytes = substr(bytes, 1, 99) WHERE id = 1'),
  },
  // A word that queries are no longer expanded with; the next run that changes anything makes it again.
  'vocabulary: row lost': {},
  'vocabulary: row spoilt': { ...REBUILD, seed: 5, says: /damaged rows of vocabulary: 1/ },
  // Numbers may then be given a second time; of two segments with a number the later one counts.
  'sqlite_sequence: row lost': {},
  'sqlite_sequence: row spoilt': {},
  'edges with another digit': {
    ...FINISH,
    make: bySql("UPDATE meta SET value = replace(value, '1', '2') WHERE key = 'linkEdges'"),
    says: /Links and communities/,
  },
  'edges of a document that is gone': {
    ...FINISH,
    make: byStore((store) => void store.removeDocument(1)),
    says: /Links and communities are out of date/,
  },
  'a document whose run was killed': {
    ...FINISH,
    make: byStore((store) => void store.putDocument(sampleDocument('new.md', ['lantern']))),
    says: /Documents whose words are not saved: 1.*Links/,
  },
  'lock cut': { name: 'lock', state: 'failure', says: /was not made by docfuse/ },
  'lock spoilt': {},
  'a lock file of something else': {
    make: (file) => writeFileSync(`${file}.lock`, 'something else '.repeat(99)),
    name: 'lock',
    state: 'failure',
    says: /was not made by docfuse/,
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
  'files that others may read': {
    ...RIGHTS,
    make(file) {
      for (const each of [file, `${file}.lock`]) chmodSync(each, 0o644);
    },
    says: /others-may-read\/index\.sqlite, \S+index\.sqlite\.lock,/,
  },
  'a folder that others may read': {
    ...RIGHTS,
    make(file) {
      chmodSync(dirname(file), 0o750);
      return () => chmodSync(dirname(file), 0o700);
    },
    says: /access to \S+may-read, and/,
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
    options: { settings: { ...settings, chunking: { max_chars: 777 } } },
    ...FINISH,
    says: /read or split by other rules/,
  },
};

test('every damage of the harness, in every table and file, is among the states', async () => {
  expect(Object.keys(DAMAGES).filter((kind) => !(kind in states))).toEqual([]);
  await using index = await open({ roots: [folder], indexPath: sound, settings });
  await index.status();
  const database = new DatabaseSync(join(sound, 'index.sqlite'), { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  database.close();
  expect(tables.map(({ name }) => name).sort()).toEqual([...TABLES].sort());
  expect(readdirSync(opened).sort()).toEqual([
    ...['index.sqlite', 'index.sqlite-shm', 'index.sqlite-wal', 'index.sqlite.lock'],
  ]);
});

test.each(Object.entries(states))('%s', async (title, { make, seed = 7, name, state, says, options }) => {
  const indexPath = join(work, title.replaceAll(/\W/g, '-'));
  cpSync(/^log|^shared/.test(title) ? opened : sound, indexPath, { recursive: true });
  chmodSync(indexPath, 0o700);
  const file = join(indexPath, 'index.sqlite');
  const end = make ? await make(file) : DAMAGES[title]!(file, randomNumbers(seed));
  expect(end).not.toBe(false);
  const opening = { roots: [folder], indexPath, settings, ...options };
  let remedy: string;
  {
    await using index = await open(opening);
    const found = (await index.check()).find((check) => (name ? check.name === name : check.state !== 'ok'));
    const wanted = { state, detail: expect.stringMatching(says ?? ''), remedy: expect.any(String) };
    expect(found).toEqual(name ? expect.objectContaining(wanted) : undefined);
    remedy = found?.remedy ?? '';
  }
  // As whoever reads it would.
  if (typeof end === 'function') end();
  if (/delete it/i.test(remedy)) rmSync(`${file}.lock`);
  if (/delete that file/.test(remedy)) rmSync(file);
  await using index = await open(opening);
  await index.sync({ rebuild: remedy.includes('--rebuild'), purge: remedy.includes('index --purge') });
  const after = await index.check();
  expect(after.filter((check) => check.state !== 'ok')).toEqual([]);
  for (const [n, word] of ['harbour', 'kettles', 'violin'].entries()) {
    for (const mode of ['keyword', 'hybrid'] as const) {
      const { hits } = await index.search(word, { mode, minConfidence: 0 });
      expect(hits[0]?.path).toBe(`${n}.md`);
    }
  }
});
