/** Filling the gaps of a judged set before it is measured. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { evaluate } from '../../../src/surfaces/operations/evaluate.ts';
import { runOperation } from '../../../src/surfaces/operations/operation.ts';
import { createPlayground } from './docfuse.ts';
import { pressKeys } from './press-keys.ts';

const NOTES = {
  'notes/tea.md': '# Tea\n\nSteep green tea at eighty degrees.\n',
  'notes/ink.md': '# Ink\n\nBlack ink dries in a minute.\n',
  'notes/bread.md': '# Bread\n\nKnead the dough for ten minutes.\n',
};
const QUERIES = [
  { _id: 'a', text: 'green tea', type: 'fact' },
  { _id: 'b', text: 'price of gold', type: 'none' },
  { _id: 'c', text: 'kneading dough' },
];
const playground = createPlayground(NOTES, { packagedModel: true });
afterAll(() => playground[Symbol.dispose]());

const read = (path: string) => readFileSync(join(playground.folder, path), 'utf8');
const INDEX = ['--index', 'index'];

/** A set as somebody writes it by hand: queries, and where the documents lie. */
function writeSet(name: string, files: Readonly<Record<string, string>> = {}): string {
  const all = {
    'queries.jsonl': QUERIES.map((query) => `${JSON.stringify(query)}\n`).join(''),
    'docs.txt': `${join(playground.folder, 'notes')}\n`,
    ...files,
  };
  playground.write(Object.fromEntries(Object.entries(all).map(([file, text]) => [`${name}/${file}`, text])));
  return name;
}

describe.skipIf(process.platform === 'win32')('eval --collect at a terminal', () => {
  it('asks for what nobody judged, keeps it query by query, and measures', async () => {
    const set = writeSet('mine', { 'qrels.tsv': 'query-id\tcorpus-id\tscore\na\tink.md\t0\n' });
    const args = ['eval', set, ...INDEX, '--collect', '-n', '2', '--modes', 'hybrid,keyword'];
    const { exitCode, output } = await pressKeys(playground, args, ['x', '2', '2', '-']);
    expect(exitCode).toBe(0);
    // Of three documents the best two are looked at; what has a grade is not shown again.
    expect(output).toMatch(/\r\nQuery 1 of 2: green tea\r\n1 of \d {2}tea\.md\r\n.*Steep/);
    expect(output).not.toMatch(/\d of \d {2}ink\.md\r\n[^Q]*Query 2/);
    expect(output).not.toContain('price of gold');
    expect(output).toContain('2 grades saved in mine; queries left to judge: 0.');
    expect(output).toMatch(/hybrid +1\.0000/);
    // Each has a grade for the first of three documents and for another one at most.
    expect(output).toMatch(/judged of the ten best: hybrid 50\.0 %, keyword 100\.0 %/);
    expect(read('mine/qrels.tsv')).toContain('a\tink.md\t0\na\ttea.md\t2\n');
    expect(read('mine/queries.jsonl')).toContain('{"_id":"a","text":"green tea","type":"fact"}');
  });

  it('goes on where it ended: Ctrl-C keeps what was typed and measures by it', async () => {
    const set = writeSet('later');
    const args = ['eval', set, ...INDEX, '--collect', '-n', '1', '--modes', 'keyword'];
    const first = await pressKeys(playground, args, ['2', '\u0003']);
    expect(first.exitCode).toBe(0);
    expect(first.output).toContain('1 grade saved in later; queries left to judge: 1.');
    expect(first.output).toContain('1 judged query');
    const second = await pressKeys(playground, args, ['1']);
    expect(second.output).toMatch(/Query 2 of 2: kneading dough\r\n1 of 1 {2}bread\.md/);
    expect(second.output).toContain('2 judged queries');
    const third = await pressKeys(playground, args, []);
    expect(third.output).not.toContain('[0/1/2/-/q]');
    expect(third.output).toContain('Nothing was judged in later; queries left to judge: 0.');
  });

  it('ends at a signal with what was typed kept, and measures nothing', async () => {
    const set = writeSet('broken-off');
    const args = ['eval', set, ...INDEX, '--collect', '-n', '1', '--modes', 'keyword'];
    const { exitCode, output } = await pressKeys(playground, args, ['2', 'SIGINT']);
    expect(exitCode).toBe(130);
    expect(output).not.toContain('nDCG');
    expect(read('broken-off/qrels.tsv')).toContain('a\ttea.md\t2\n');
  });

  it('has kept the grades of a query before it asks for those of the next', async () => {
    const set = writeSet('killed');
    const args = ['eval', set, ...INDEX, '--collect', '-n', '1', '--modes', 'keyword'];
    await pressKeys(playground, args, ['2', 'SIGKILL']);
    expect(read('killed/qrels.tsv')).toContain('a\ttea.md\t2\n');
  });
});

describe('eval --collect', () => {
  it('reads grades from lines where there is no terminal, and tells what it kept', async () => {
    const set = writeSet('piped');
    const args = ['eval', set, ...INDEX, '--collect', '-n', '1', '--modes', 'keyword', '--json'];
    const { code, stdout, stderr } = await playground.run(args, {
      onStart: (child) => child.stdin?.end('perhaps\n2\n'),
    });
    expect(code).toBe(0);
    expect(stderr).toContain('Query 2 of 2: kneading dough');
    expect(JSON.parse(stdout)).toMatchObject({
      collected: [{ set_folder: 'piped', queries: 1, judgements: 1, left: 1 }],
      sets: [{ queries: 1, modes: [{ metrics: { hit1: 1 }, judged10: 1 }] }],
    });
  });

  it('measures without a grade more where nobody answers', async () => {
    const set = writeSet('unanswered', { 'qrels.tsv': 'a\ttea.md\t1\n' });
    const args = ['eval', set, ...INDEX, '--collect', '--modes', 'keyword'];
    const { code, stdout, stderr } = await playground.run(args, {
      onStart: (child) => child.stdin?.end(),
    });
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Nothing was judged'),
    });
    expect(stdout).toContain('1 judged query');
    expect(read('unanswered/qrels.tsv')).toBe('a\ttea.md\t1\n');
  });

  it('says so where nothing is judged relevant yet, and that is no fault', async () => {
    const set = writeSet('zeros');
    const args = ['eval', set, ...INDEX, '--collect', '-n', '1', '--modes', 'keyword'];
    const ended = await playground.run(args, { onStart: (child) => child.stdin?.end('q\n') });
    expect(ended).toMatchObject({ code: 0, stdout: '' });
    expect(ended.stderr).toContain(
      'No document is judged relevant in zeros yet, so this set is not measured.',
    );
    const zeros = await playground.run([...args, '--json', '--report', 'zeros.html'], {
      onStart: (child) => child.stdin?.end('0\n0\n'),
    });
    expect(zeros.code).toBe(0);
    expect(zeros.stderr).toContain('2 grades saved in zeros; queries left to judge: 0.');
    const { collected, notices, ...answer } = JSON.parse(zeros.stdout);
    expect({ answer, collected, notices }).toMatchObject({
      answer: { sets: [] },
      collected: [{ judgements: 2 }],
      notices: [expect.stringContaining('not measured')],
    });
    expect(existsSync(join(playground.folder, 'zeros.html'))).toBe(false);
  });

  it('asks for ten documents of a query, the depth that is measured', async () => {
    const many = Array.from({ length: 11 }, (_, number) => [
      `many/${number}.md`,
      `# Dough ${number}\n\nKnead dough.\n`,
    ]);
    playground.write(Object.fromEntries(many));
    const set = writeSet('deep', { 'docs.txt': '../many\n' });
    const args = ['eval', set, '--index', 'deep-index', '--collect', '--modes', 'keyword'];
    const { stderr } = await playground.run(args, { onStart: (child) => child.stdin?.end('q\n') });
    expect(stderr).toContain('Query 2 of 2: kneading dough\n1 of 10  ');
  });

  it('asks a query twice that is there twice, and measures both', async () => {
    const twice = [
      { _id: 'x', text: 'green tea', type: 'none' },
      ...QUERIES,
      { _id: 'd', text: 'green tea' },
    ];
    const set = writeSet('twice', {
      'queries.jsonl': twice.map((query) => `${JSON.stringify(query)}\n`).join(''),
    });
    const args = ['eval', set, ...INDEX, '--collect', '-n', '1', '--modes', 'keyword', '--json'];
    const { stdout } = await playground.run(args, { onStart: (child) => child.stdin?.end('2\n-\n1\n') });
    expect(read('twice/qrels.tsv')).toBe('query-id\tcorpus-id\tscore\na\ttea.md\t2\nd\ttea.md\t1\n');
    expect(JSON.parse(stdout).sets).toMatchObject([{ queries: 2 }]);
  });

  it('tells of every set what is left, and calls those of one name by their folders', async () => {
    const sets = ['one', 'two'].map((name) => writeSet(name, { 'qrels.tsv': 'a\ttea.md\t1\n' }));
    const args = ['eval', ...sets, ...INDEX, '--collect', '-n', '1', '--modes', 'keyword', '--json'];
    const { stdout } = await playground.run(args, { onStart: (child) => child.stdin?.end('q\n') });
    expect(JSON.parse(stdout)).toMatchObject({
      collected: [
        { set_folder: 'one', judgements: 0, left: 1 },
        { set_folder: 'two', judgements: 0, left: 2 },
      ],
      sets: [{ set: 'one' }, { set: 'two' }],
    });
  });

  it('finds faults before it asks', async () => {
    playground.write({ 'bread/bread.md': '# Bread\n' });
    const judged = { 'qrels.tsv': 'a\ttea.md\t1\n' };
    const cases: readonly [args: readonly string[], message: string][] = [
      [[writeSet('run', judged), '--compare', 'gone.trec'], 'Cannot read the run'],
      [[writeSet('file', { ...judged, 'docs.txt': '../notes/tea.md' })], 'is not a folder'],
      [[writeSet('contrary', { 'qrels.tsv': 'b\ttea.md\t1\n' })], 'is of type none and has a relevant'],
      [[writeSet('own'), writeSet('other', { 'docs.txt': '../bread' })], 'One index cannot hold'],
    ];
    for (const [args, message] of cases) {
      const { code, stderr } = await playground.run(['eval', ...args, ...INDEX, '--collect', '--json'], {
        onStart: (child) => child.stdin?.end('2\n2\n'),
      });
      expect({ code, stderr }).toMatchObject({
        code: expect.any(Number),
        stderr: expect.stringContaining(message),
      });
      expect(code).toBeGreaterThan(0);
      expect(stderr).not.toContain('[0/1/2/-/q]');
    }
  });

  it('tells what it kept though something fails afterwards', async () => {
    const set = writeSet('failing', { 'docs.txt': '../odd\n' });
    playground.write({ 'odd/ tea.md': '# Tea\n\nGreen tea.\n', 'odd/bread.md': '# Bread\n\nKnead dough.\n' });
    const args = ['eval', set, '--index', 'odd-index', '--collect', '-n', '1', '--modes', 'keyword'];
    const { code, stderr } = await playground.run(args, { onStart: (child) => child.stdin?.end('2\n') });
    expect(code).toBe(1);
    expect(stderr).toContain('The path " tea.md" contains');
    expect(stderr).not.toContain('[0/1/2/-/q]');
    writeSet('failing', {
      'queries.jsonl': `${JSON.stringify(QUERIES[2])}\n${JSON.stringify(QUERIES[0])}\n`,
      'docs.txt': '../odd',
    });
    const later = await playground.run(args, { onStart: (child) => child.stdin?.end('2\n') });
    expect(later).toMatchObject({ code: 1, stderr: expect.stringContaining('1 grade saved in failing') });
  });

  it('writes into no set but those that judge keeps', async () => {
    writeSet('foreign', { 'qrels.tsv': 'a\ttea.md\t1\n', 'docs.txt': '' });
    const args = ['eval', 'foreign', ...INDEX, '--collect'];
    const { code, stderr } = await playground.run(args, { onStart: (child) => child.stdin?.end('2\n') });
    expect(code).toBe(1);
    expect(stderr).toContain('foreign is not a set that docfuse writes to: it has no docs.txt.');
    expect(read('foreign/qrels.tsv')).toBe('a\ttea.md\t1\n');
  });

  it.each([
    [['--top-n', '3'], 'Add the option collect'],
    [['--collect', '--docs', 'notes'], 'Leave out `docs`'],
  ])('refuses %j', async (more, message) => {
    const { code, stderr } = await playground.runHere(['eval', 'mine', ...INDEX, ...more]);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('says so where nobody can be asked', async () => {
    const open = () => Promise.reject(new Error('no index is needed'));
    const context = { open, options: {}, now: Date.now };
    const answer = runOperation(evaluate, context, { sets: ['mine'], collect: true });
    await expect(answer).rejects.toMatchObject({
      code: 'usage',
      message: 'There is no user to ask for grades.',
    });
  });
});
