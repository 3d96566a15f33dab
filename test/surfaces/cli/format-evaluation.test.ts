import { expect, it } from 'vitest';
import { byMetric } from '../../../src/core/evaluate/metrics.ts';
import type { Evaluation, ModeEvaluation } from '../../../src/engine/evaluate/evaluation.ts';
import { formatEvaluation } from '../../../src/surfaces/cli/views/evaluation.ts';

const hybrid: ModeEvaluation = {
  mode: 'hybrid',
  metrics: { ndcg5: 0.41, ndcg10: 0.43, mrr10: 0.5, recall10: 0.25, hit1: 1 },
  intervals: byMetric(() => [0.4, 0.46]),
  judged10: 0.62,
  latency: { p50: 4.16, p95: 12 },
  calibration: { answers: 225, error: 0.0412, answerableError: 0.0507, area: 0.9, bins: [] },
  perQuery: [],
};
const evaluation: Evaluation = {
  set: 'cranfield',
  documents: 1400,
  queries: 225,
  model: 'bge-small-en-v1.5',
  modes: [hybrid],
  warnings: [],
};

it('lines up measures, their intervals and times', () => {
  expect(formatEvaluation(evaluation)).toBe(
    `cranfield: 1,400 documents, 225 judged queries, bge-small-en-v1.5

           nDCG@5    nDCG@10     MRR@10  Recall@10      Hit@1     p50      p95
hybrid     0.4100     0.4300     0.5000     0.2500     1.0000  4.2 ms  12.0 ms
  95 %  0.40–0.46  0.40–0.46  0.40–0.46  0.40–0.46  0.40–0.46

judged of the ten best: hybrid 62.0 %

confidence of the best hit  error  error, answerable   area  answers
hybrid                      0.041              0.051  0.900      225
`,
  );
});

it('shows each row of a table that is wider than the terminal as a block', () => {
  const modes = [hybrid, { ...hybrid, mode: 'keyword' as const }];
  const text = formatEvaluation({ ...evaluation, modes }, 40);
  expect(text).toContain(`
hybrid
  nDCG@5      0.4100
  nDCG@10     0.4300
  MRR@10      0.5000
  Recall@10   0.2500
  Hit@1       1.0000
  p50         4.2 ms
  p95        12.0 ms
  95 %
    nDCG@5     0.40–0.46
    nDCG@10    0.40–0.46
    MRR@10     0.40–0.46
    Recall@10  0.40–0.46
    Hit@1      0.40–0.46
keyword
  nDCG@5      0.4100
`);
  expect(text).toContain(`
confidence of the best hit
hybrid
  error              0.041
  error, answerable  0.051
  area               0.900
  answers              225
`);
  expect(formatEvaluation(evaluation, 80)).toBe(formatEvaluation(evaluation));
});

it('adds query types, a comparison, warnings and the run when there are any', () => {
  const full: Evaluation = {
    ...evaluation,
    queries: 1,
    compareFile: 'before.trec',
    modes: [
      {
        ...hybrid,
        byType: { easy: { queries: 6, metrics: hybrid.metrics, intervals: hybrid.intervals } },
        refusal: { queries: 20, refused: 0.85, kept: 0.9625 },
        comparison: [
          { metric: 'ndcg10', difference: -0.0123, pValue: 0.04, better: 1, worse: 3, queries: 6 },
        ],
        runFile: 'run.trec',
      },
    ],
    warnings: ['2 judged documents are not in the index'],
  };
  const text = formatEvaluation(full);
  expect(text).toContain('1 judged query,');
  expect(text).toMatch(
    /^hybrid by type +nDCG@5 .* queries\neasy +0\.4100 .* 1\.0000 +6\n {2}95 % +0\.40–0\.46 .* 0\.40–0\.46$/m,
  );
  expect(text).toMatch(
    /^at the threshold +refused +kept +area +unanswerable\nhybrid +85\.0 % +96\.3 % +– +20$/m,
  );
  expect(text).toMatch(
    /^hybrid against before\.trec, query by query\n.*\nnDCG@10 +−0\.0123 +0\.0400 +1 +3 +2$/m,
  );
  expect(text).toMatch(/^warning: 2 judged documents are not in the index$/m);
  expect(text).toMatch(/^run written: run\.trec\n$/m);
});
