/** Judging from the command line, and measuring by what was judged. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { acquireWriteLock } from '../../../src/adapters/store/lock.ts';
import { createPlayground } from './docfuse.ts';

const playground = createPlayground({
  'notes/tokens.md': '# Tokens\n\nRotate the token every ninety days.\n',
  'notes/bread.md': '# Bread\n\nKnead the dough for ten minutes.\n',
  'notes/tea.md': '# Tea\n\nSteep green tea at eighty degrees.\n',
});
afterAll(() => playground[Symbol.dispose]());

const INDEX = ['--index', 'index'];
const judged = (name: string) => readFileSync(join(playground.folder, 'index/judged', name), 'utf8');
const grades = () => judged('qrels.tsv').split('\n').slice(1).filter(Boolean).sort();

describe('judge', () => {
  it('keeps the grades of what is found beside the index, and eval measures by them', async () => {
    const { code, stdout, stderr } = await playground.runHere([
      'judge',
      'rotate a token',
      'notes',
      ...INDEX,
      '--grades',
      '2,0',
    ]);
    expect({ code, first: stdout.split('\n')[0] }).toEqual({ code: 0, first: '2  tokens.md' });
    expect(stderr).toMatch(/Saved as q1 in .*judged, which now has 1 query\./);
    expect(JSON.parse(judged('queries.jsonl'))).toEqual({ _id: 'q1', text: 'rotate a token' });
    expect(grades()).toHaveLength(2);

    const measured = await playground.runHere(['eval', ...INDEX, '--config', 'docfuse.toml', '--json']);
    expect(measured.code).toBe(1);
    playground.write({ 'docfuse.toml': '[[collections]]\npath = "notes"\n' });
    const again = await playground.runHere(['eval', ...INDEX, '--json']);
    expect(JSON.parse(again.stdout).sets[0]).toMatchObject({
      set: 'notes',
      queries: 1,
      modes: [{ metrics: { hit1: 1 } }],
    });
  });

  it('takes back what was said before about the same query', async () => {
    const args = [
      'judge',
      'rotate a token',
      'notes',
      ...INDEX,
      '--documents',
      'tea.md',
      '--documents',
      'bread.md',
    ];
    const { stdout } = await playground.runHere([...args, '--grades', '1,-', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      id: 'q1',
      repeated: true,
      queries: 1,
      judgements: [{ path: 'tea.md', grade: 1 }],
    });
    expect(grades()).toContain('q1\ttokens.md\t2');
    expect(grades()).toContain('q1\ttea.md\t1');
  });

  it('notes that nothing answers a query until an answer is found, and refuses the contrary', async () => {
    const none = ['judge', 'price of gold', 'notes', ...INDEX];
    expect((await playground.runHere([...none, '--unanswerable'])).code).toBe(0);
    expect(judged('queries.jsonl')).toContain('{"_id":"q2","text":"price of gold","type":"none"}');
    const grade = (grade: string) =>
      playground.runHere([...none, '--documents', 'tea.md', '--grades', grade]);
    expect((await grade('1')).code).toBe(0);
    expect(judged('queries.jsonl')).toContain('{"_id":"q2","text":"price of gold"}');
    const { code, stderr } = await playground.runHere([...none, '--unanswerable']);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Grade the documents of this query 0'),
    });
    expect((await grade('0')).code).toBe(0);
    expect((await playground.runHere([...none, '--unanswerable'])).code).toBe(0);
  });

  it('lists what was judged, and takes it back', async () => {
    const list = () => playground.runHere(['list', 'judged', 'notes', ...INDEX]);
    const before = await list();
    expect(before).toMatchObject({ code: 0, stderr: '2 judged queries\n' });
    expect(before.stdout).toContain('rotate a token\n  2  notes/tokens.md\n');
    expect(before.stdout).toContain('price of gold  (nothing answers it)\n');
    const remove = (query: string, ...more: string[]) =>
      playground.runHere(['judge', query, 'notes', ...INDEX, '--remove', ...more]);
    const one = await remove('rotate a token', '--documents', 'notes/tokens.md');
    expect(one).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^1 grade removed from /),
    });
    expect(grades()).not.toContain('q1\ttokens.md\t2');
    expect(grades()).toContain('q1\ttea.md\t1');
    expect((await remove('rotate a token')).code).toBe(0);
    expect((await remove('rotate a token')).stderr).toMatch(/^0 grades removed/);
    expect((await list()).stdout).not.toContain('rotate a token');
    const again = ['judge', 'rotate a token', 'notes', ...INDEX, '--grades', '2,0'];
    expect((await playground.runHere(again)).code).toBe(0);
  });

  it('asks where no grades are given, until the input ends', async () => {
    const { code, stdout, stderr } = await playground.run(
      ['judge', 'green tea', 'notes', '--index', 'index', '--set-folder', 'mine'],
      { onStart: (child) => child.stdin?.end('perhaps\n2\nq\n') },
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: '2  tea.md\n' });
    expect(stderr).toMatch(/1 of 3 {2}tea\.md\n.*Steep/);
    expect(readFileSync(join(playground.folder, 'mine/docs.txt'), 'utf8').trim()).toMatch(/notes$/);
    const nobody = await playground.run(['judge', 'bread', 'notes', ...INDEX, '--set-folder', 'empty'], {
      onStart: (child) => child.stdin?.end(),
    });
    expect(nobody).toMatchObject({ code: 0, stdout: '' });
    expect(existsSync(join(playground.folder, 'empty'))).toBe(false);
  });

  it('says that what it shows may not be all there is', async () => {
    const lock = await acquireWriteLock(join(playground.folder, 'index/index.sqlite'));
    const run = (...more: readonly string[]) =>
      playground.run(['judge', 'green tea', 'notes', ...INDEX, '--set-folder', 'later', ...more], {
        onStart: (child) => child.stdin?.end('2\n'),
      });
    const [given, asked] = [await run('--grades', '2'), await run()];
    lock.release();
    expect(given.stderr).toMatch(
      /^The index is being brought up to date; this answer is from what it contains so far\./,
    );
    expect(asked.stderr).toMatch(/brought up to date.*\n1 of 3/);
    expect(asked.stderr.match(/brought up to date/g)).toHaveLength(1);
  });

  it.each([
    [['--grades', '3'], '--grades'],
    [['--grades', '2,2,2,2'], 'There are more grades (4) than documents (3)'],
    [['--unanswerable', '--grades', '2'], 'An unanswerable query takes no grades and no documents'],
    [['--documents', 'teas.md', '--grades', '1'], 'tea.md'],
    [['--set-folder', 'mine', '--documents', 'a.md', '--grades', '1', '--index', 'other', 'two'], 'not of'],
  ])('refuses %j', async (more, message) => {
    playground.write({ 'two/a.md': '# A\n' });
    const paths = more.includes('two') ? [] : ['notes', ...INDEX];
    const { code, stderr } = await playground.runHere(['judge', 'tea', ...paths, ...more]);
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain(message);
  });

  it('measures what was judged for one of several collections, read as the configuration says', async () => {
    playground.write({
      'docfuse.toml':
        '[[collections]]\npath = "notes"\nexclude = ["bread.md"]\n\n[[collections]]\npath = "two"\n',
    });
    const all = await playground.runHere(['judge', 'rotate a token']);
    expect({ code: all.code, stderr: all.stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('one folder'),
    });
    const none = await playground.runHere(['eval']);
    expect(none.stderr).toContain('docfuse judge QUERY FOLDER');
    expect((await playground.runHere(['judge', 'rotate a token', 'notes', '--grades', '2'])).code).toBe(0);
    const { stdout } = await playground.runHere(['eval', '--modes', 'keyword', '--json']);
    expect(JSON.parse(stdout).sets).toMatchObject([{ set: 'notes', documents: 2, queries: 1 }]);
  });

  it('judges one of several collections by its name, and removes from it alone', async () => {
    const judge = (...more: readonly string[]) => playground.runHere(['judge', 'price of gold', ...more]);
    for (const name of ['notes', 'two'])
      expect((await judge('--unanswerable', '--collection', name)).code).toBe(0);
    const { stderr } = await judge('--remove');
    expect(stderr).toContain('Choose one with collection: notes, two.');
    expect((await judge('--remove', '--collection', 'too')).stderr).toContain('There is no collection too.');
    expect((await judge('--remove', '--collection', 'two')).code).toBe(0);
    const { stdout } = await playground.runHere(['list', 'judged', '--json']);
    const queries = JSON.parse(stdout).sets.map((set: { queries: readonly unknown[] }) => set.queries.length);
    expect(queries).toEqual([2, 0]);
    expect((await judge('--remove', '--collection', 'notes')).code).toBe(0);
  });

  it('tells two folders of one name apart', async () => {
    playground.write({
      'docfuse.toml': '[[collections]]\npath = "notes"\n\n[[collections]]\npath = "old/notes"\n',
      'old/notes/ink.md': '# Ink\n\nBlack ink.\n',
    });
    expect((await playground.runHere(['judge', 'black ink', 'old/notes', '--grades', '2'])).code).toBe(0);
    const { stdout } = await playground.runHere(['eval', '--modes', 'keyword', '--json']);
    expect(JSON.parse(stdout).sets).toMatchObject([
      { set: join(playground.folder, 'notes') },
      { set: join(playground.folder, 'old/notes') },
    ]);
  });

  it('says so when nothing was judged yet', async () => {
    rmSync(join(playground.folder, 'docfuse.toml'));
    const { code, stderr } = await playground.runHere(['tune', '--index', 'fresh']);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There are no judgements for'),
    });
  });
});
