import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { meanMetrics, measure } from '../../../src/core/evaluate/metrics.ts';
import type { SearchMode } from '../../../src/core/model/query.ts';
import { type EvaluateProgress, evaluate } from '../../../src/engine/evaluate/evaluate.ts';
import { readJudgedSet } from '../../../src/engine/evaluate/judged-set.ts';
import { readRun } from '../../../src/engine/evaluate/trec-run.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { writeFiles } from '../../support/write-files.ts';

const CORPUS = [
  { _id: 'tea#1', title: 'Tea', text: 'Green tea is steeped at eighty degrees.' },
  { _id: 'coffee beans', title: 'Coffee', text: 'Roasted beans are ground before brewing coffee.' },
  { _id: 'https://example.org/wine', title: '', text: 'Grapes ferment and become wine in oak barrels.' },
  { _id: 'beer', title: 'Beer', text: 'Barley and hops are brewed; yeast makes the alcohol of beer.' },
];
const QUERIES = [
  { _id: '1', text: 'temperature for green tea', metadata: { type: 'fact' } },
  { _id: '2', text: 'how is coffee ground', metadata: { type: 'question' } },
  { _id: '3', text: 'wine from grapes', metadata: { type: 'fact' } },
  { _id: '4', text: 'zymurgy' },
  { _id: '5', text: 'judged by nobody' },
];
const QRELS = [
  '1\ttea#1\t1',
  '2\tcoffee beans\t2',
  '2\tbeer\t1',
  '3\thttps://example.org/wine\t1',
  '3\tgone\t1',
  '4\tbeer\t1',
];

const folder = sharedFolder({
  'drinks/corpus.jsonl': lines(CORPUS),
  'drinks/queries.jsonl': lines(QUERIES),
  'drinks/qrels.tsv': `query-id\tcorpus-id\tscore\n${QRELS.join('\n')}\n`,
});
const set = join(folder, 'drinks');

describe('evaluate', () => {
  it('measures every mode on a BEIR corpus, and the run it writes gives the same figures', async () => {
    const evaluation = await evaluate({
      set,
      modes: ['hybrid', 'keyword'],
      runFile: join(folder, 'run.trec'),
      open: { indexPath: join(folder, 'index') },
    });
    expect(evaluation).toMatchObject({ set: 'drinks', documents: 4, queries: 4 });
    expect(evaluation.warnings).toEqual(['1 judged document is not in the index']);
    expect(evaluation.modes.map(({ runFile }) => runFile)).toEqual([
      join(folder, 'run.hybrid.trec'),
      join(folder, 'run.keyword.trec'),
    ]);
    const { queries } = await readJudgedSet(set);
    for (const { metrics, runFile } of evaluation.modes) {
      const run = await readRun(runFile!);
      const again = queries.map(({ id, judgements }) =>
        measure(
          (run.get(id) ?? []).map(({ document }) => document),
          judgements,
        ),
      );
      expect(metrics).toEqual(meanMetrics(again));
    }
    const [hybrid, keyword] = evaluation.modes;
    expect(hybrid?.metrics.hit1).toBe(1);
    // By meaning all four are found for each query, by words only what was judged.
    expect([hybrid?.judged10, keyword?.judged10]).toEqual([(1 + 2 + 1 + 1) / 4 / 4, 1]);
    // Nothing holds the word of query 4: the run says so, and it counts as 0.
    expect(keyword?.metrics.hit1).toBe(0.75);
    expect(await readFile(keyword!.runFile!, 'utf8')).toMatch(/^4 Q0 \(nothing\) /m);
    expect(keyword?.byType).toMatchObject({
      fact: { queries: 2, metrics: { hit1: 1, recall10: 0.75 } },
      question: { queries: 1 },
      other: { queries: 1, metrics: { hit1: 0 } },
    });
    expect(keyword?.perQuery.map(({ id, type, metrics }) => [id, type, metrics.hit1])).toEqual([
      ['1', 'fact', 1],
      ['2', 'question', 1],
      ['3', 'fact', 1],
      ['4', undefined, 0],
    ]);
    expect(keyword?.perQuery.map(({ confidence }) => confidence === undefined)).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(keyword?.latency.p95).toBeGreaterThanOrEqual(keyword!.latency.p50);
  });

  it('compares with an earlier run, query by query, and embeds nothing for words alone', async () => {
    const earlier = join(folder, 'earlier.trec');
    await writeFile(
      earlier,
      '1 Q0 beer 1 0.9 t\n2 Q0 coffee beans 1 0.9 t\n2 Q0 beer 2 0.8 t\n4 Q0 beer 1 0.1 t\n',
    );
    const phases: EvaluateProgress[] = [];
    const evaluation = await evaluate({
      set,
      modes: ['keyword'],
      compareFile: earlier,
      open: { indexPath: join(folder, 'keyword-index') },
      onProgress: (progress) => phases.push(progress),
    });
    const hit1 = evaluation.modes[0]?.comparison?.find(({ metric }) => metric === 'hit1');
    // Better on 1, worse on 4, equal on 2; 3 was not asked then.
    expect(hit1).toMatchObject({ difference: 0, better: 1, worse: 1, queries: 3 });
    expect(evaluation.warnings).toContain(
      'keyword: 1 query is not in the earlier run, and left out of the comparison',
    );
    expect(phases.at(-1)).toEqual({ phase: 'query', mode: 'keyword', done: 4, total: 4 });
    expect(phases.some(({ phase }) => phase === 'embed')).toBe(false);
  });

  it('compares each mode with the run that it wrote for it, by the name that was given', async () => {
    const runFile = join(folder, 'before.trec');
    const options = { set, limit: 2, open: { indexPath: join(folder, 'index') } };
    await evaluate({ ...options, modes: ['semantic', 'keyword'], runFile });
    // What was ranked by words is replaced by what answers nothing well.
    await writeFile(join(folder, 'before.keyword.trec'), '1 Q0 nothing 1 0.9 t\n');
    const worse = async (modes: readonly SearchMode[]) => {
      const evaluation = await evaluate({ ...options, modes, compareFile: runFile });
      return evaluation.modes.map(({ comparison }) => comparison?.some(({ better }) => better > 0));
    };
    expect(await worse(['semantic', 'keyword'])).toEqual([false, true]);
    expect(await worse(['keyword'])).toEqual([true]);
    // A mode without a file of its own is compared with the file as named, and so is a single mode.
    await copyFile(join(folder, 'before.keyword.trec'), runFile);
    await rm(join(folder, 'before.keyword.trec'));
    expect(await worse(['semantic', 'keyword'])).toEqual([false, true]);
    expect(await worse(['semantic'])).toEqual([true]);
  });

  it('can be held to a threshold', async () => {
    const { modes } = await evaluate({
      set,
      modes: ['keyword'],
      limit: 3,
      minConfidence: 1,
      open: { indexPath: join(folder, 'keyword-index') },
    });
    expect(modes[0]?.metrics.recall10).toBe(0);
  });

  it('reports how many unanswerable queries are refused and how many answerable ones keep a hit', async () => {
    const mixed = join(folder, 'mixed');
    const none = [
      { _id: 'x', text: 'quartz zeppelin', type: 'none' },
      { _id: 'y', text: 'green tea is steeped', type: 'none' },
    ];
    writeFiles(folder, {
      'mixed/corpus.jsonl': lines(CORPUS),
      'mixed/queries.jsonl': lines([...QUERIES, ...none]),
      'mixed/qrels.tsv': QRELS.join('\n'),
    });
    const evaluateAt = (minimum: number) =>
      evaluate({
        set: mixed,
        modes: ['keyword'],
        open: {
          indexPath: join(folder, 'mixed-index'),
          // The areas below follow from this curve; y stands in a document word by word.
          settings: {
            search: { min_confidence: minimum, calibration: 'sigmoid', exact_first_enabled: false },
          },
        },
      });
    const [open, shut] = [await evaluateAt(0.01), await evaluateAt(1)];
    // Nothing holds a word of x, nor of the answerable query 4.
    expect(open.modes[0]?.refusal).toEqual({
      queries: 2,
      refused: 0.5,
      kept: 0.75,
      // Two of the four answerable ones are surer than y, three than x, and query 4 finds as little as x.
      area: 5.5 / 8,
    });
    expect(shut.modes[0]?.refusal).toMatchObject({ queries: 2, refused: 1, kept: 0 });
    expect(open).toMatchObject({ queries: 4 });
    // Three answerable queries find something, and all of it is right; what y finds is wrong.
    const { answers, bins, error, answerableError } = open.modes[0]!.calibration;
    expect(answers).toBe(4);
    expect(bins.reduce((sum, bin) => sum + bin.count * bin.correct, 0)).toBeCloseTo(3, 12);
    expect(open.modes[0]?.metrics.hit1).toBe(0.75);
    // Alone they are always right: what is off is how far their confidences are below 1.
    const sure = open.modes[0]!.perQuery.flatMap(({ confidence }) => confidence ?? []);
    expect(answerableError).toBeCloseTo(1 - sure.reduce((sum, value) => sum + value, 0) / 3, 12);
    expect(error).not.toBeCloseTo(answerableError, 3);
  });

  it('ranks the files of a folder by their best chunk and takes the first queries only', async () => {
    const section = 'Gardens need water in the morning, as the sun takes it away at noon. '.repeat(25);
    writeFiles(folder, {
      'garden/queries.jsonl': lines([
        { _id: 'a', text: 'watering gardens in the morning' },
        { _id: 'b', text: 'pruning apple trees' },
      ]),
      'garden/qrels.tsv': 'a\tdeep/short note.md\t1\nb\tlong.md\t1\n',
      'garden/files/long.md': `# Long\n\n## One\n\n${section}\n\n## Two\n\n${section}\n\n## Three\n\n${section}\n`,
      'garden/files/deep/short note.md': '# Watering\n\nWater gardens in the morning.\n',
    });
    const runFile = join(folder, 'garden.trec');
    const { queries, modes, documents } = await evaluate({
      set: join(folder, 'garden'),
      modes: ['keyword'],
      limit: 1,
      runFile,
      open: { indexPath: join(folder, 'garden-index') },
    });
    expect({ queries, documents }).toEqual({ queries: 1, documents: 2 });
    expect(modes[0]?.byType).toBeUndefined();
    expect(
      (await readRun(runFile))
        .get('a')
        ?.map(({ document }) => document)
        .sort(),
    ).toEqual(['deep/short note.md', 'long.md']);
  });

  it('refuses a run of other queries before anything is indexed', async () => {
    const other = join(folder, 'other.trec');
    await writeFile(other, '99 Q0 beer 1 0.9 t\n');
    const indexPath = join(folder, 'unused-index');
    await expect(evaluate({ set, compareFile: other, open: { indexPath } })).rejects.toMatchObject({
      code: 'judgements',
      message: `The run ${other} answers no query of this set.`,
    });
    await expect(readFile(indexPath)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('tells of queries whose grades are all 0', async () => {
    const zeros = join(folder, 'zeros');
    writeFiles(folder, {
      'zeros/corpus.jsonl': lines(CORPUS),
      'zeros/queries.jsonl': lines(QUERIES),
      'zeros/qrels.tsv': '1\ttea#1\t1\n2\tbeer\t0\n',
    });
    const open = { indexPath: join(folder, 'zeros-index') };
    const { queries, warnings } = await evaluate({ set: zeros, modes: ['keyword'], open });
    expect({ queries, warnings }).toEqual({
      queries: 1,
      warnings: ['1 query has only grades of 0, and is left out of the means'],
    });
  });

  it('stops when asked', async () => {
    const signal = AbortSignal.abort();
    await expect(evaluate({ set, signal, open: { indexPath: join(folder, 'aborted') } })).rejects.toThrow();
  });
});

function lines(entries: readonly object[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}
