/** Fits the rows of the confidence model to samples, and finds the threshold they ask for, each subject left out in turn. */
import type { SearchMode } from '../src/core/model/query.ts';
import { type ConfidenceModel, modelLogit, type WeighedFeature } from '../src/core/rank/confidence-model.ts';
import type { Kind, Sample } from './calibration-figures.ts';
import { fitLogistic } from './fit-logistic.ts';

export interface Row {
  /** The mode its samples come from. */
  readonly mode: SearchMode;
  readonly observations: readonly WeighedFeature[];
}

export type RowName = 'both' | 'words' | 'meaning';

export const ROWS: Readonly<Record<RowName, Row>> = {
  both: { mode: 'hybrid', observations: ['cosine', 'words', 'passages'] },
  words: { mode: 'keyword', observations: ['words', 'passages'] },
  meaning: { mode: 'semantic', observations: ['cosine', 'passages'] },
};

/** What each kind of sample counts, and what is asked of a threshold. */
export const FIT = {
  /** Removed answers count little: other passages of the subject often answer, too. */
  kindWeight: { own: 1, foreign: 1, removed: 0.1, none: 1 },
  /** What a cut counts beside a whole set. */
  cutWeight: 0.5,
  /** What the best hit of a query with an answer counts as when nobody judged it: judgements are sparse. */
  unjudged: 0.8,
  /** Share of answerable queries that a threshold keeps, in the mean of whole sets. */
  kept: 0.95,
} as const satisfies {
  readonly kindWeight: Readonly<Record<Kind, number>>;
  readonly cutWeight: number;
  readonly unjudged: number;
  readonly kept: number;
};

const THRESHOLDS = Array.from({ length: 61 }, (_, step) => step / 100);

/** Every set counts the same, and every kind of query in it what `FIT` says. Those that found nothing are left out. */
export function fitRow({ observations }: Row, samples: readonly Sample[]): ConfidenceModel {
  const known = samples.filter(({ check, observed }) => !check && observed);
  const groupOf = ({ set, cut, kind }: Sample) => `${set} ${cut} ${kind}`;
  const sizes = Map.groupBy(known, groupOf);
  const { intercept, weights } = fitLogistic(
    known.map((sample) => ({
      values: observations.map((name) => sample.observed![name] ?? 0),
      label: sample.kind === 'own' ? FIT.unjudged + (1 - FIT.unjudged) * Number(sample.relevant) : 0,
      weight:
        (100 * FIT.kindWeight[sample.kind] * (sample.cut === undefined ? 1 : FIT.cutWeight)) /
        sizes.get(groupOf(sample))!.length,
    })),
  );
  return {
    intercept,
    weights: Object.fromEntries(observations.map((name, place) => [name, weights[place]!])),
  };
}

/** What a row is fitted to. */
export interface Data {
  readonly row: Row;
  readonly samples: readonly Sample[];
  /** Those of the row of words, for a row that gives way to it. */
  readonly words?: readonly Sample[];
}

export interface Fit {
  readonly model: ConfidenceModel;
  readonly words?: ConfidenceModel;
}

/** `anthropic-docs` and `anthropic-code` treat one subject. */
export function subject(set: string): string {
  return set.split('-')[0]!;
}

/** A fit for each set that has seen neither it nor another of its subject. */
export function fitWithoutEach(data: Data): ReadonlyMap<string, Fit> {
  const sets = new Set(data.samples.map(({ set }) => set));
  return new Map([...sets].map((left) => [left, fitData(without(data, left))]));
}

/** As `chooseModel` chooses; 0 where nothing was found. */
export function confidenceBy({ model, words }: Fit, { observed }: Sample): number {
  if (!observed) return 0;
  const byWords = words && observed.complete ? modelLogit(words, observed) : Number.NEGATIVE_INFINITY;
  return 1 / (1 + Math.exp(-Math.max(modelLogit(model, observed), byWords)));
}

function fitData({ row, samples, words }: Data): Fit {
  return { model: fitRow(row, samples), ...(words && { words: fitRow(ROWS.words, words) }) };
}

/** A sibling would tell the fit of the subject that is left out. */
function without({ row, samples, words }: Data, left: string): Data {
  const others = (all: readonly Sample[]) => all.filter(({ set }) => subject(set) !== subject(left));
  return { row, samples: others(samples), ...(words && { words: others(words) }) };
}

/** The greatest threshold, in hundredths, that keeps enough of whole sets when each is judged by a fit without it. */
export function chooseThreshold(data: Data): number {
  const known = data.samples.filter(({ check }) => !check);
  const own = known.filter(({ cut, kind }) => cut === undefined && kind === 'own');
  const fits = fitWithoutEach({ ...data, samples: known });
  const bySet = [...Map.groupBy(own, ({ set }) => set)].map(([set, members]) =>
    members.map((sample) => confidenceBy(fits.get(set)!, sample)),
  );
  const kept = (threshold: number) =>
    bySet.reduce((sum, confidences) => sum + shareFrom(threshold, confidences), 0) / bySet.length;
  return THRESHOLDS.findLast((threshold) => kept(threshold) >= FIT.kept) ?? 0;
}

/** What a threshold and a fit that have never seen the set, or another of its subject, keep and refuse of it. */
export function chooseWithout(data: Data, set: string) {
  const others = without(data, set);
  const fit = fitData(others);
  const chosen = chooseThreshold(others);
  const passing = (kind: Kind) => {
    const whole = data.samples.filter((one) => one.set === set && one.kind === kind && one.cut === undefined);
    return shareFrom(
      chosen,
      whole.map((sample) => confidenceBy(fit, sample)),
    );
  };
  return { set, chosen, kept: passing('own'), refused: 1 - passing('foreign') };
}

function shareFrom(threshold: number, confidences: readonly number[]): number {
  return confidences.filter((confidence) => confidence >= threshold).length / Math.max(1, confidences.length);
}
