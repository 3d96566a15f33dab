/** Search quality on the project's own corpus does not fall below the figures in `figures.json`. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseQuery } from '../../src/core/query/parse.ts';
import { analyze } from '../../src/core/text/analyze.ts';
import { evaluate } from '../../src/engine/evaluate/evaluate.ts';
import type { Evaluation } from '../../src/engine/evaluate/evaluation.ts';
import { type JudgedSet, readJudgedSet } from '../../src/engine/evaluate/judged-set.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { compareFigures, type Figures, figuresOf } from './figures.ts';

const CORPUS = join(import.meta.dirname, 'corpus');
const FIGURES = join(import.meta.dirname, 'figures.json');
const UPDATE = 'UPDATE_FIGURES=1 npx vitest run test/quality';

const work = sharedFolder();
let set: JudgedSet;
let evaluation: Evaluation;
beforeAll(async () => {
  set = await readJudgedSet(CORPUS);
  evaluation = await evaluate({
    set: CORPUS,
    modes: ['hybrid', 'keyword', 'semantic'],
    open: { indexPath: join(work, 'index'), cwd: work },
  });
}, 120_000);

describe('the corpus', () => {
  it('has 50 documents, 110 answerable queries of eight types and 27 that nothing answers', () => {
    expect(evaluation).toMatchObject({ documents: 50, queries: 110, warnings: [] });
    const counts = Object.groupBy(set.queries, ({ type }) => type ?? 'no type');
    expect(Object.fromEntries(Object.entries(counts).map(([type, own]) => [type, own?.length]))).toEqual({
      factual: 24,
      navigational: 12,
      exploratory: 14,
      code: 16,
      'link-following': 10,
      paraphrase: 14,
      typo: 10,
      long: 10,
    });
    expect(set.unanswerable).toHaveLength(27);
    expect(set.missing).toEqual([]);
  });

  it('has paraphrases that share no content word with what answers them', async () => {
    const queries = set.queries.filter(({ type }) => type === 'paraphrase');
    const shared: string[] = [];
    for (const { id, text, judgements } of queries) {
      const asked = parseQuery(text).terms.map(({ term }) => term);
      for (const [path, grade] of judgements) {
        if (grade < 2) continue;
        const terms = new Set<string>();
        analyze(await readFile(join(CORPUS, 'docs', path), 'utf8'), (term) => terms.add(term));
        shared.push(...asked.filter((term) => terms.has(term)).map((term) => `${id}: ${term} in ${path}`));
      }
    }
    expect(shared).toEqual([]);
  });

  it('dates every document, or figures would depend on when it was checked out', async () => {
    const docs = join(CORPUS, 'docs');
    const files = (await readdir(docs, { recursive: true })).filter((file) => file.endsWith('.md'));
    const undated: string[] = [];
    for (const file of files) {
      const [, frontMatter = ''] = (await readFile(join(docs, file), 'utf8')).split(/^---$/m);
      const { date, updated }: Record<string, string> = parse(frontMatter);
      if (!/^20(22|23|24|25)-/.test(updated ?? date ?? '')) undated.push(file);
    }
    expect(undated).toEqual([]);
  });
});

it('finds as well as before, mode by mode and type by type', async () => {
  const measured = figuresOf(evaluation);
  if (process.env.UPDATE_FIGURES === '1') {
    await writeFile(FIGURES, `${JSON.stringify(measured, null, 2)}\n`);
  }
  const committed: Figures = JSON.parse(await readFile(FIGURES, 'utf8'));
  const { worse, better } = compareFigures(committed, measured);
  if (better.length > 0) {
    console.warn(`Better than ${FIGURES}; hold it with ${UPDATE}\n${better.join('\n')}`);
  }
  expect(worse, `if this is the lesser evil: ${UPDATE}, and say why in the commit`).toEqual([]);
});

describe('figures', () => {
  const committed = { 'hybrid nDCG@10': 0.8, 'hybrid nDCG@10, typo': 0.6 };

  it.each([
    ['a mean that lost more than a hundredth', { 'hybrid nDCG@10': 0.7899 }],
    ['a type that lost more than a twentieth', { 'hybrid nDCG@10, typo': 0.5499 }],
    ['a figure nobody wrote down', { 'hybrid Recall@10': 1 }],
  ])('are worse with %s', (_, changed) => {
    expect(compareFigures(committed, { ...committed, ...changed }).worse).toHaveLength(1);
  });

  it('are worse when an error grew by more than a fiftieth, better when it fell by twice that', () => {
    const name = 'hybrid calibration error';
    expect(compareFigures({ [name]: 0.1 }, { [name]: 0.1201 }).worse).toEqual([
      'hybrid calibration error: 0.1000 before, 0.1201 now',
    ]);
    expect(compareFigures({ [name]: 0.1 }, { [name]: 0.0599 })).toEqual({
      worse: [],
      better: ['hybrid calibration error: 0.1000 before, 0.0599 now'],
    });
    expect(compareFigures({ [name]: 0.1 }, { [name]: 0.12 })).toEqual({ worse: [], better: [] });
  });

  it('are worse when one is no longer measured', () => {
    expect(compareFigures(committed, { 'hybrid nDCG@10': 0.8 }).worse).toEqual([
      'hybrid nDCG@10, typo was not measured',
    ]);
  });

  it('may lose a little, and are reported when much better', () => {
    const measured = { 'hybrid nDCG@10': 0.79, 'hybrid nDCG@10, typo': 0.7001 };
    expect(compareFigures(committed, measured)).toEqual({
      worse: [],
      better: ['hybrid nDCG@10, typo: 0.6000 before, 0.7001 now'],
    });
  });
});
