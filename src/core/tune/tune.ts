/** Fits weights and calibration to judged queries, and checks on other queries whether the fitted values are better. */
import { brierScores, calibrationError, type Outcome } from '../evaluate/calibration.ts';
import { comparePaired, type PairedDifference } from '../evaluate/compare.ts';
import { mean, randomNumbers } from '../evaluate/statistics.ts';
import { RANKING } from '../model/ranking-constants.ts';
import type { Calibration, SearchSettings } from '../model/search-settings.ts';
import { type Sigmoid, sigmoid } from '../rank/confidence.ts';
import { curveOf, logitCurve } from '../search/calibrate-candidates.ts';
import { fitWeights, pickWeights, qualityOf, type TunedWeights } from './fit-weights.ts';
import { rescore, type TuningQuery, weightsOf } from './rescore.ts';

export interface TuneOptions {
  /** Number of cross-validation folds, at least 2. */
  readonly folds: number;
  /** Equal seeds give equal results. */
  readonly seed: number;
  /** Called after each of `total` fits. The next fit waits for the promise; a rejection stops tuning. */
  readonly onFit?: (done: number, total: number) => Promise<void>;
}

/** Mean of a measure over all queries, before and after fitting. Each query is measured with a fit that did not use the query. */
export interface HeldOut extends PairedDifference {
  readonly before: number;
  readonly after: number;
}

export interface TuningSet {
  readonly queries: readonly TuningQuery[];
  /** Queries without an answer; used for calibration only. */
  readonly unanswerable: readonly TuningQuery[];
}

export interface Tuned {
  readonly fusion: {
    readonly before: TunedWeights;
    /** Fitted to all queries. */
    readonly after: TunedWeights;
    /** nDCG@10, by cross-validation. */
    readonly heldOut: HeldOut;
    /** nDCG@10 of each set with weights fitted to the other sets; absent if there is only one set. */
    readonly leftOut?: readonly HeldOut[];
    /** nDCG@10 of each set, by cross-validation. */
    readonly bySet: readonly HeldOut[];
    /** Whether the weights are significantly better. */
    readonly supported: boolean;
  };
  readonly calibration: {
    /** Input of the curve: the logit of the confidence model, or the absolute score. */
    readonly over: Calibration;
    /** The current curve. */
    readonly before: Sigmoid;
    /** Fitted to all queries; absent if no curve can be fitted. */
    readonly after?: Sigmoid;
    /** Brier scores; lower is better. */
    readonly heldOut: HeldOut;
    /** Expected calibration errors. */
    readonly errors: { readonly before: number; readonly after: number };
    readonly supported: boolean;
  };
  /** Number of combinations of weights tried in all fits. */
  readonly tried: number;
}

/** Whether higher or lower values of a measure are better. */
type Good = 'more' | 'less';

/** Maximum p-value of a significant difference. */
const SIGNIFICANT = 0.05;

/** Fits the weights, then the calibration: with the fitted weights if they are significantly better, else with the old ones. */
export async function tune(
  sets: readonly TuningSet[],
  settings: SearchSettings,
  { folds, seed, onFit }: TuneOptions,
): Promise<Tuned> {
  const judged = sets.map(({ queries }) => queries);
  const dealt = dealFolds(judged, folds, seed);
  const total = folds + 1 + (sets.length > 1 ? sets.length : 0);
  let done = 0;
  let tried = 0;
  const fitTo = async (train: readonly (readonly TuningQuery[])[]): Promise<SearchSettings> => {
    const fitted = fitWeights(train, settings);
    tried += fitted.tried;
    await onFit?.(++done, total);
    return { ...settings, ...fitted.weights };
  };
  const byFold: SearchSettings[] = [];
  for (let fold = 0; fold < folds; fold++) byFold.push(await fitTo(takeFold(judged, dealt, fold, 'outside')));
  const all = await fitTo(judged);
  const before = judged.map((queries) => queries.map((query) => qualityOf(query, settings)));
  const leftOut: HeldOut[] = [];
  for (const [set, queries] of judged.entries()) {
    if (sets.length === 1) break;
    const without = await fitTo(judged.toSpliced(set, 1));
    const quality = queries.map((query) => qualityOf(query, without));
    leftOut.push(heldOut(quality, before[set]!));
  }
  const after = judged.map((queries, set) =>
    queries.map((query, place) => qualityOf(query, byFold[dealt[set]![place]!]!)),
  );
  const unanswerable = sets.map((set) => set.unanswerable);
  const others = dealFolds(unanswerable, folds, seed);
  const overall = heldOut(after.flat(), before.flat());
  const supported = isSupported(overall);
  return {
    fusion: {
      before: pickWeights(settings),
      after: pickWeights(all),
      heldOut: overall,
      ...(leftOut.length > 0 && { leftOut }),
      bySet: judged.map((_, set) => heldOut(after[set]!, before[set]!)),
      supported,
    },
    calibration: tuneCalibration(sets, settings, {
      all: supported ? all : settings,
      byFold: byFold.map((fitted) => (supported ? fitted : settings)),
      folds: dealt.map((own, set) => [...own, ...others[set]!]),
    }),
    tried,
  };
}

/** The settings and folds with which calibration is fitted. */
interface Kept {
  readonly all: SearchSettings;
  /** By fold: settings for the fit that leaves out this fold. */
  readonly byFold: readonly SearchSettings[];
  /** By set: the folds of the judged queries, as in the fit of the weights, then the folds of the queries without an answer. */
  readonly folds: Folds;
}

function tuneCalibration(
  sets: readonly TuningSet[],
  settings: SearchSettings,
  { all, byFold, folds }: Kept,
): Tuned['calibration'] {
  const queries = sets.map((set) => [...set.queries, ...set.unanswerable]);
  const hasLogits = queries.flat().some(({ features }) => features.logits !== undefined);
  const over = hasLogits ? 'evidence' : 'sigmoid';
  const before = hasLogits ? logitCurve(settings) : curveOf(settings, RANKING);
  const old: Outcome[] = [];
  const fresh: Outcome[] = [];
  for (const [fold, fitted] of byFold.entries()) {
    const outcomesOf = (side: 'inside' | 'outside') =>
      takeFold(queries, folds, fold, side)
        .flat()
        .flatMap((query) => outcome(query, fitted, over));
    const curve = fitSigmoid(outcomesOf('outside')) ?? before;
    const tested = outcomesOf('inside');
    old.push(...tested.map((each) => confide(each, before)));
    fresh.push(...tested.map((each) => confide(each, curve)));
  }
  const after = fitSigmoid(queries.flat().flatMap((query) => outcome(query, all, over)));
  const compared = heldOut(brierScores(fresh), brierScores(old), 'less');
  return {
    over,
    before,
    ...(after && { after }),
    heldOut: compared,
    errors: { before: calibrationError(old), after: calibrationError(fresh) },
    supported: after !== undefined && isSupported(compared, 'less'),
  };
}

/** Returns a list with the outcome of a query; empty without a hit, or if the confidence model gives the hit no logit. */
function outcome(
  { features, judgements }: TuningQuery,
  settings: SearchSettings,
  over: Calibration,
): CurveOutcome[] {
  const { documents, absolute, logit } = rescore(features, weightsOf(features, settings), settings, 1);
  const input = over === 'evidence' ? logit : absolute;
  if (input === undefined) return [];
  const correct = (judgements.get(features.documents[documents[0]!]!) ?? 0) > 0;
  return [{ input, correct }];
}

function confide({ input, correct }: CurveOutcome, curve: Sigmoid): Outcome {
  return { confidence: sigmoid(input, curve), correct };
}

function heldOut(after: readonly number[], before: readonly number[], good: Good = 'more'): HeldOut {
  const { better, worse, ...rest } = comparePaired(after, before);
  const [gained, lost] = good === 'more' ? [better, worse] : [worse, better];
  return { before: mean(before), after: mean(after), ...rest, better: gained, worse: lost };
}

function isSupported({ difference, pValue }: HeldOut, good: Good = 'more'): boolean {
  return (good === 'more' ? difference > 0 : difference < 0) && pValue < SIGNIFICANT;
}

/** By set: the fold of each member of the set. */
export type Folds = readonly (readonly number[])[];

/** Deals the members of every set into folds of nearly equal size. */
export function dealFolds(sets: readonly (readonly unknown[])[], folds: number, seed: number): Folds {
  const random = randomNumbers(seed);
  return sets.map((members) => {
    const dealt = members.map((_, place) => place % folds);
    // Fisher–Yates shuffle.
    for (let last = dealt.length - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1));
      [dealt[last], dealt[other]] = [dealt[other]!, dealt[last]!];
    }
    return dealt;
  });
}

/** Returns the members in a fold (`inside`), or all other members (`outside`). */
export function takeFold<Member>(
  sets: readonly (readonly Member[])[],
  folds: Folds,
  fold: number,
  side: 'inside' | 'outside',
): readonly (readonly Member[])[] {
  return sets.map((members, set) =>
    members.filter((_, place) => (folds[set]![place] === fold) === (side === 'inside')),
  );
}

/** The best hit of a query: the input of the curve, and whether the hit was relevant. */
interface CurveOutcome {
  /** Its absolute score, or its logit by the confidence model. */
  readonly input: number;
  readonly correct: boolean;
}

/** Number of steps of Newton's method. It converges in far fewer. */
const STEPS = 30;
/** Regularisation. Keeps the solution finite if all outcomes are separable; too small to affect a fit to a thousand outcomes. */
const RIDGE = 1e-3;

/**
 * Fits a sigmoid to the smoothed targets of Platt 1999, "Probabilistic Outputs for Support Vector Machines". Smoothed targets
 * keep the slope finite if there are few outcomes, or if the outcomes are separable.
 * @returns undefined if all outcomes are right or all are wrong, or if hits with higher inputs were not right more often
 */
export function fitSigmoid(outcomes: readonly CurveOutcome[]): Sigmoid | undefined {
  const right = outcomes.filter(({ correct }) => correct).length;
  const wrong = outcomes.length - right;
  if (right === 0 || wrong === 0) return undefined;
  const high = (right + 1) / (right + 2);
  const low = 1 / (wrong + 2);
  let [slope, intercept] = [0, 0];
  for (let step = 0; step < STEPS; step++) {
    let [bySlope, byIntercept] = [RIDGE * slope, RIDGE * intercept];
    let [curve, mixed, level] = [RIDGE, 0, RIDGE];
    for (const { input, correct } of outcomes) {
      const p = 1 / (1 + Math.exp(-(slope * input + intercept)));
      const error = p - (correct ? high : low);
      const spread = p * (1 - p);
      bySlope += error * input;
      byIntercept += error;
      curve += spread * input * input;
      mixed += spread * input;
      level += spread;
    }
    const determinant = curve * level - mixed * mixed;
    slope -= (level * bySlope - mixed * byIntercept) / determinant;
    intercept -= (curve * byIntercept - mixed * bySlope) / determinant;
  }
  return slope > 0 ? { threshold: -intercept / slope, steepness: slope } : undefined;
}
