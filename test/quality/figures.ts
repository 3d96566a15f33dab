/** Figures of the project's own judged corpus: measured, written down, compared. */
import type { Evaluation, ModeEvaluation } from '../../src/engine/evaluate/evaluation.ts';

/** By name, such as `hybrid nDCG@10` or `hybrid nDCG@10, typo`; each between 0 and 1, more is better but for errors. */
export type Figures = Readonly<Record<string, number>>;

/** What a figure may lose, and how much it may gain before the committed one is out of date. */
interface Tolerance {
  readonly worse: number;
  readonly better: number;
}

/** Means over a hundred queries: processors round a little differently, a query or two may change places. */
const MEAN: Tolerance = { worse: 0.01, better: 0.02 };
/** Ten to twenty-five queries: one of them that falls by a place must not fail the gate. */
const FEW: Tolerance = { worse: 0.05, better: 0.1 };
/** A query that moves to the next of ten bins moves the error by more than its share. */
const ERROR: Tolerance = { worse: 0.02, better: 0.04 };

function toleranceOf(name: string): Tolerance {
  if (isError(name)) return ERROR;
  return name.includes(',') ? FEW : MEAN;
}

function isError(name: string): boolean {
  return name.includes('error');
}

export function figuresOf({ modes }: Evaluation): Figures {
  const rounded = modes.flatMap(figuresOfMode).map(([name, value]) => [name, Number(value.toFixed(4))]);
  return Object.fromEntries(rounded);
}

function figuresOfMode(evaluation: ModeEvaluation): [string, number][] {
  const { mode, metrics, byType = {}, calibration, refusal } = evaluation;
  return [
    [`${mode} nDCG@5`, metrics.ndcg5],
    [`${mode} nDCG@10`, metrics.ndcg10],
    [`${mode} MRR@10`, metrics.mrr10],
    [`${mode} Recall@10`, metrics.recall10],
    ...Object.entries(byType).map(([type, own]): [string, number] => [
      `${mode} nDCG@10, ${type}`,
      own.metrics.ndcg10,
    ]),
    [`${mode} calibration error`, calibration.error],
    [`${mode} calibration error, answerable queries`, calibration.answerableError],
    [`${mode} area under the curve, best hit relevant`, calibration.area ?? 0],
    ...(refusal
      ? ([
          [`${mode} answerable queries kept`, refusal.kept],
          [`${mode} unanswerable queries, refused`, refusal.refused],
          [`${mode} area under the curve, answerable against not`, refusal.area ?? 0],
        ] satisfies [string, number][])
      : []),
  ];
}

export interface Difference {
  /** Sentences on figures that got worse, or that only one side has. */
  readonly worse: readonly string[];
  /** Sentences on figures so much better that the committed ones no longer guard them. */
  readonly better: readonly string[];
}

/** Compares figure by figure; a name with a comma stands for few queries and has the wider tolerance, errors have their own. */
export function compareFigures(committed: Figures, measured: Figures): Difference {
  const worse: string[] = [];
  const better: string[] = [];
  for (const name of new Set([...Object.keys(committed), ...Object.keys(measured)])) {
    const [before, now] = [committed[name], measured[name]];
    if (before === undefined) worse.push(`${name} is not among the committed figures`);
    else if (now === undefined) worse.push(`${name} was not measured`);
    else {
      const tolerance = toleranceOf(name);
      const gain = isError(name) ? before - now : now - before;
      const sentence = `${name}: ${before.toFixed(4)} before, ${now.toFixed(4)} now`;
      // Figures have four decimals; half of the last one keeps 0.01 from being more than 0.01.
      if (-gain > tolerance.worse + 0.00005) worse.push(sentence);
      if (gain > tolerance.better + 0.00005) better.push(sentence);
    }
  }
  return { worse, better };
}
