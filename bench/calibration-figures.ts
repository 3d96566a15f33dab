/** How well confidences part queries with an answer from those without, and how far they are off. */
import { calibrationError, type Outcome, rocArea } from '../src/core/evaluate/calibration.ts';
import type { Features } from '../src/core/rank/confidence-model.ts';

/** Own queries, those of other subjects, own ones with their answers removed, and a set's own that nothing answers. */
export type Kind = 'own' | 'foreign' | 'removed' | 'none';

/** One query and its best hit. */
export interface Sample {
  readonly set: string;
  /** Documents it was cut down to; absent for a whole set. */
  readonly cut?: number;
  /** Never fitted to. */
  readonly check?: boolean;
  readonly kind: Kind;
  /** Whether the best hit was judged relevant. */
  readonly relevant: boolean;
  /** Absent where nothing was found. */
  readonly observed?: Features;
  /** Confidence by the sigmoid; 0 where nothing was found. */
  readonly sigmoid: number;
}

/** Areas are those under the ROC curve; absent where there is nothing to tell apart. */
export interface Figures {
  /** Own queries against foreign ones. */
  readonly foreignArea?: number;
  /** Own queries against the same with their answers removed. */
  readonly removedArea?: number;
  /** Relevant best hits against all others, foreign queries' among them. */
  readonly relevantArea?: number;
  /** The same among own queries alone. */
  readonly ownRelevantArea?: number;
  /** Share of own queries whose best hit passes the threshold. */
  readonly kept: number;
  /** Share of foreign queries that get no hit. */
  readonly refused?: number;
  /** Share of queries with removed answers that get no hit. */
  readonly removedRefused?: number;
  /** Share of the set's own unanswerable queries that get no hit. */
  readonly unanswerableRefused?: number;
  /** Expected calibration error over the best hits of own and foreign queries. */
  readonly error: number;
  /** The same over own queries alone. */
  readonly ownError: number;
  /** Share of own queries whose best hit was judged relevant: what no judgement covers counts as wrong. */
  readonly judgedRelevant: number;
}

/** @param all of one set; a query that found nothing is refused, claims nothing and has confidence 0 */
export function figures(
  all: readonly (Sample & { readonly confidence: number })[],
  threshold: number,
): Figures {
  const of = (...kinds: Kind[]) => all.filter(({ kind }) => kinds.includes(kind));
  const area = (kinds: Kind[], isCorrect: (sample: Sample) => boolean) =>
    rocArea(of(...kinds).map((one): Outcome => ({ confidence: one.confidence, correct: isCorrect(one) })));
  const below = (kind: Kind) => {
    const asked = of(kind);
    const refused = asked.filter(({ observed, confidence }) => !observed || confidence < threshold);
    return asked.length === 0 ? undefined : refused.length / asked.length;
  };
  const error = (...kinds: Kind[]) =>
    calibrationError(
      of(...kinds)
        .filter(({ observed }) => observed !== undefined)
        .map(({ confidence, relevant }) => ({ confidence, correct: relevant })),
    );
  const own = of('own');
  return withoutAbsent({
    foreignArea: area(['own', 'foreign'], ({ kind }) => kind === 'own'),
    removedArea: area(['own', 'removed'], ({ kind }) => kind === 'own'),
    relevantArea: area(['own', 'foreign'], ({ relevant }) => relevant),
    ownRelevantArea: area(['own'], ({ relevant }) => relevant),
    kept: 1 - (below('own') ?? 0),
    refused: below('foreign'),
    removedRefused: below('removed'),
    unanswerableRefused: below('none'),
    error: error('own', 'foreign'),
    ownError: error('own'),
    judgedRelevant: own.filter(({ relevant }) => relevant).length / Math.max(1, own.length),
  }) as Figures;
}

function withoutAbsent(values: Readonly<Record<string, number | undefined>>): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
