/** What is written into a set, and whether it can be read again. */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { acquireWriteLock } from '../../../src/adapters/store/lock.ts';
import { collectJudgements } from '../../../src/engine/evaluate/collected-set.ts';
import { readGrowingSets } from '../../../src/engine/evaluate/pool-unjudged.ts';
import { readSetFiles } from '../../../src/engine/evaluate/set-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeFiles } from '../../support/write-files.ts';

let folder: string;
let set: string;
beforeEach(() => {
  folder = temporaryFolder();
  set = join(folder, 'set');
  mkdirSync(join(folder, 'notes'));
});

const put = (files: Readonly<Record<string, string>>) => writeFiles(set, files);
const read = (name: string) => readFileSync(join(set, name), 'utf8');
const grade = (query: string, value = 1, more: { readonly id?: string; readonly path?: string } = {}) => {
  const { path = 'tea.md', ...id } = more;
  const grades = new Map([[path, value]]);
  return collectJudgements(set, { query, ...id, grades, unanswerable: false, docs: join(folder, 'notes') });
};

describe('collecting judgements', () => {
  it('writes into a set that an editor began with a mark of the byte order', async () => {
    put({
      'queries.jsonl': '\uFEFF{"_id":"a","text":"green tea"}\r\n{"_id":"b","text":"ink", "more":[1]}\r\n',
    });
    await grade('green tea');
    expect(read('queries.jsonl')).toBe(
      '{"_id":"a","text":"green tea"}\n{"_id":"b","text":"ink", "more":[1]}\n',
    );
    expect((await readSetFiles(set)).judgements?.get('a')).toEqual(new Map([['tea.md', 1]]));
  });

  it('leaves a folder of documents as it was written, counted from the set', async () => {
    put({ 'queries.jsonl': '{"_id":"a","text":"green tea"}\n', 'docs.txt': '../notes\n' });
    await grade('green tea');
    expect(read('docs.txt')).toBe('../notes\n');
    expect((await readSetFiles(set)).docs).toBe(join(folder, 'notes'));
  });

  it('takes a query with other spaces around it for the same, and one named by its id for itself', async () => {
    put({ 'queries.jsonl': '{"_id":"a","text":"green tea"}\n{"_id":"b","text":"green tea"}\n' });
    expect(await grade(' green tea ')).toMatchObject({ id: 'a', repeated: true });
    expect(await grade('green tea', 1, { id: 'b' })).toMatchObject({ id: 'b', queries: 2 });
  });

  it('writes through no link that waits in the folder', async () => {
    put({ 'precious.txt': 'mine' });
    for (const name of ['queries.jsonl', 'qrels.tsv', 'docs.txt'])
      symlinkSync('precious.txt', join(set, `${name}.${process.pid}.new`));
    await grade('green tea');
    expect(read('precious.txt')).toBe('mine');
  });

  it('loses no grade of writers at the same time', async () => {
    const queries = Array.from({ length: 12 }, (_, number) => `query ${number}`);
    await Promise.all(queries.map((query) => grade(query)));
    const { queries: written, judgements } = await readSetFiles(set);
    expect(written.map(({ text }) => text).sort()).toEqual([...queries].sort());
    expect(judgements?.size).toBe(12);
  });

  it('says who writes a set that stays locked', async () => {
    await grade('green tea');
    const lock = await acquireWriteLock(join(set, 'grades'));
    onTestFinished(() => lock.release());
    await expect(grade('ink')).rejects.toMatchObject({
      code: 'index_busy',
      message: `Another process is writing grades into ${set}.`,
    });
  });

  it('leaves no grades without their query if it cannot write the grades', async () => {
    put({ 'qrels.tsv/file': '' });
    await expect(grade('green tea')).rejects.toMatchObject({ code: 'storage' });
    expect(read('queries.jsonl')).toBe('{"_id":"q1","text":"green tea"}\n');
    expect(read('docs.txt')).toContain('notes');
  });

  it('does not make a type of what is said beside it', async () => {
    const line = '{"_id":"a","text":"green tea","metadata":{"difficulty":"hard"}}';
    put({ 'queries.jsonl': `${line}\n` });
    await grade('green tea');
    expect(read('queries.jsonl')).toBe(`${line}\n`);
  });

  it.each([' odd.md', 'odd.md ', 'a\tb.md', 'a\nb.md'])(
    'refuses %j and keeps the rest readable',
    async (path) => {
      await grade('green tea');
      await expect(grade('green tea', 2, { path })).rejects.toMatchObject({
        code: 'judgements',
        message: expect.stringContaining('qrels.tsv cannot store this'),
        remedy: 'Rename the file.',
      });
      expect((await readSetFiles(set)).judgements?.get('q1')).toEqual(new Map([['tea.md', 1]]));
    },
  );

  it.each(['a\\tb', 'a '])('refuses the query id "%s" before anybody is asked', async (id) => {
    put({ 'queries.jsonl': `{"_id":"${id}","text":"green tea"}\n`, 'docs.txt': '../notes' });
    await expect(readGrowingSets([set], {})).rejects.toMatchObject({
      message: expect.stringContaining('The query id'),
      remedy: 'Give the query another _id in queries.jsonl.',
    });
  });
});
