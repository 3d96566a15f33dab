/** Filling the gaps of a judged set before it is measured. */
import { readFileSync } from 'node:fs';
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
const playground = createPlayground(NOTES);
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
    expect(output).toContain('2 grades kept in mine; best documents still without a grade: 1.');
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
    expect(first.output).toContain('1 grade kept in later; best documents still without a grade: 1.');
    expect(first.output).toContain('1 judged query');
    const second = await pressKeys(playground, args, ['1']);
    expect(second.output).toMatch(/Query 1 of 1: kneading dough\r\n1 of 1 {2}bread\.md/);
    expect(second.output).toContain('2 judged queries');
    const third = await pressKeys(playground, args, []);
    expect(third.output).not.toContain('[0/1/2/-/q]');
    expect(third.output).toContain('Nothing was judged in later; best documents still without a grade: 0.');
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
      collected: [{ set_folder: 'piped', queries: 1, judgements: 1, unjudged: 1 }],
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

  it('writes into no set but those that judge keeps', async () => {
    writeSet('foreign', { 'qrels.tsv': 'a\ttea.md\t1\n', 'docs.txt': '' });
    const args = ['eval', 'foreign', ...INDEX, '--collect'];
    const { code, stderr } = await playground.run(args, { onStart: (child) => child.stdin?.end('2\n') });
    expect(code).toBe(1);
    expect(stderr).toContain('foreign is not a set that docfuse writes to: it has no docs.txt.');
    expect(read('foreign/qrels.tsv')).toBe('a\ttea.md\t1\n');
  });

  it.each([
    [['--top-n', '3'], 'Give it with collect'],
    [['--collect', '--docs', 'notes'], 'Leave out docs'],
  ])('refuses %j', async (more, message) => {
    const { code, stderr } = await playground.run(['eval', 'mine', ...INDEX, ...more]);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('says so where nobody can be asked', async () => {
    const open = () => Promise.reject(new Error('no index is needed'));
    const context = { open, options: {}, now: Date.now };
    const answer = runOperation(evaluate, context, { sets: ['mine'], collect: true });
    await expect(answer).rejects.toMatchObject({ code: 'usage', message: 'Nobody can be asked for grades.' });
  });
});
