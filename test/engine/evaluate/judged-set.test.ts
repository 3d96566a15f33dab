import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readJudgedSet } from '../../../src/engine/evaluate/judged-set.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeFiles } from '../../support/write-files.ts';

const QUERIES = '{"_id":"1","text":"first"}\n{"_id":"2","text":"second","metadata":{"difficulty":"hard"}}\n';
const QRELS = 'query-id\tcorpus-id\tscore\n1\ta.md\t2\n1\tsub/b.md\t0\n2\tsub/b.md\t1\n';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

describe('a folder of files', () => {
  it('is read with types and grades, documents lying in a subfolder', async () => {
    put({
      'queries.jsonl': QUERIES,
      'qrels.tsv': QRELS,
      'docs/a.md': 'A',
      'docs/sub/b.md': 'B',
      'x/a.md': 'X',
    });
    const { queries, documents, missing } = await readJudgedSet(folder);
    expect(queries).toEqual([
      { id: '1', text: 'first', judgements: new Map(Object.entries({ 'a.md': 2, 'sub/b.md': 0 })) },
      { id: '2', text: 'second', type: 'hard', judgements: new Map(Object.entries({ 'sub/b.md': 1 })) },
    ]);
    expect(documents).toEqual({ kind: 'folder', path: join(folder, 'docs') });
    expect(missing).toEqual([]);
  });

  it('may hold the documents itself, or name another folder for them', async () => {
    put({
      'queries.jsonl': QUERIES,
      'qrels.tsv': QRELS,
      'a.md': 'A',
      'sub/b.md/c.md': 'C',
      'other/vault/sub/b.md': 'B',
    });
    expect(await readJudgedSet(folder)).toMatchObject({ documents: { path: folder }, missing: ['sub/b.md'] });
    const vault = join(folder, 'other/vault');
    expect(await readJudgedSet(folder, vault)).toMatchObject({
      documents: { path: vault },
      missing: ['a.md'],
    });
  });

  it('asks for the folder when judged files are nowhere', async () => {
    put({ 'queries.jsonl': QUERIES, 'qrels.tsv': QRELS });
    await expect(readJudgedSet(folder)).rejects.toMatchObject({
      code: 'judgements',
      message: `No judged document is in ${folder} (judged documents: 2).`,
      remedy: expect.stringContaining('--docs'),
    });
  });
});

describe('a BEIR set', () => {
  it('leaves out queries without a relevant document and lists missing documents', async () => {
    put({
      'corpus.jsonl': '{"_id":"d1","title":"","text":"one"}\nnot json\n',
      'queries.jsonl': '{"_id":"1","text":"x"}\n{"_id":"2","text":"y"}\n{"_id":"3","text":"z"}\n',
      'qrels.tsv': '1\td1\t1\n1\td9\t1\n2\td1\t0\n',
    });
    const set = await readJudgedSet(folder);
    expect(set.queries.map(({ id }) => id)).toEqual(['1']);
    expect(set).toMatchObject({
      documents: { kind: 'corpus', path: join(folder, 'corpus.jsonl') },
      missing: ['d9'],
    });
  });
});

describe('queries of type none', () => {
  it('are kept apart as unanswerable, queries that nobody judged are not', async () => {
    const none = '{"_id":"3","text":"third","type":"none"}\n{"_id":"4","text":"fourth"}\n';
    put({ 'queries.jsonl': QUERIES + none, 'qrels.tsv': `${QRELS}3\ta.md\t0\n`, 'a.md': 'A' });
    const { queries, unanswerable } = await readJudgedSet(folder);
    expect(queries.map(({ id }) => id)).toEqual(['1', '2']);
    expect(unanswerable).toEqual([{ id: '3', text: 'third', type: 'none' }]);
  });

  it('may not have a relevant document', async () => {
    const first = '{"_id":"1","text":"first","type":"none","metadata":{"type":"fact"}}\n';
    put({ 'queries.jsonl': first, 'qrels.tsv': QRELS, 'a.md': 'A' });
    await expect(readJudgedSet(folder)).rejects.toMatchObject({
      code: 'judgements',
      message: `The query "1" of ${folder} is of type none and has a relevant document.`,
    });
  });
});

describe('bad input', () => {
  it.each([
    ['queries.jsonl', `${QUERIES}{"_id":"3"}\n`, ':3 is not a query.'],
    ['queries.jsonl', `\n{"_id":"3","text"`, ':2 is not a query.'],
    ['queries.jsonl', `${QUERIES}{"_id":"1","text":"again"}\n`, ':3 repeats the query id "1".'],
    ['qrels.tsv', `${QRELS}1\ta.md\n`, ':5 is not a judgement.'],
    ['qrels.tsv', `${QRELS}1\ta.md\thigh\n`, ':5 is not a judgement.'],
    ['qrels.tsv', `${QRELS}1\ta.md\t1\t2\n`, ':5 is not a judgement.'],
    ['qrels.tsv', '1 0 a.md 1\n2 0 b.md 1\n', ':2 is not a judgement.'],
    ['qrels.tsv', '1\ta.md\t0.5\n', ':1 is not a judgement.'],
  ])('in %s is named with its line: %j', async (name, text, message) => {
    put({ 'queries.jsonl': QUERIES, 'qrels.tsv': QRELS, 'a.md': 'A', [name]: text });
    await expect(readJudgedSet(folder)).rejects.toMatchObject({
      code: 'judgements',
      message: join(folder, name) + message,
    });
  });

  it('without files, folder or common ids says what is missing', async () => {
    await expect(readJudgedSet(folder)).rejects.toMatchObject({
      message: `Cannot read ${join(folder, 'queries.jsonl')}.`,
    });
    await expect(readJudgedSet(join(folder, 'gone'))).rejects.toMatchObject({ code: 'not_found' });
    put({ 'queries.jsonl': QUERIES, 'qrels.tsv': 'q1\ta.md\t1\n' });
    await expect(readJudgedSet(folder)).rejects.toMatchObject({
      message: `No query of ${folder} has a document judged relevant.`,
    });
    await expect(readJudgedSet(join(folder, 'qrels.tsv'))).rejects.toMatchObject({ code: 'not_a_folder' });
  });
});

function put(files: Readonly<Record<string, string>>): void {
  writeFiles(folder, files);
}
