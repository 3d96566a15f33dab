/** How well confidences part queries with an answer from those without, and how far they are off. */
import { calibrationError, type Outcome, rocArea } from '../src/core/evaluate/calibration.ts';
import { DEFAULT_SEARCH_SETTINGS } from '../src/core/search/default-settings.ts';

/** Own queries, those of other subjects, own ones with their answers removed, and a set's own that nothing answers. */
export type Kind = 'own' | 'foreign' | 'removed' | 'none';

const { minConfidence: THRESHOLD } = DEFAULT_SEARCH_SETTINGS;

export interface Sample {
  readonly set: string;
  /** Documents it was cut down to; absent for a whole set. */
  readonly cut?: number;
  /** Never fitted to. */
  readonly check?: boolean;
  readonly kind: Kind;
  readonly relevant: boolean;
  readonly values: readonly number[];
  /** Confidence by the sigmoid. */
  readonly before: number;
}

export interface Figures {
  /** Area under the curve: own queries against foreign ones. */
  readonly foreignArea: number | undefined;
  /** Own queries against the same with their answers removed. */
  readonly removedArea: number | undefined;
  /** Relevant best hits against all others, foreign queries' among them. */
  readonly relevantArea: number | undefined;
  /** Share of own queries whose best hit passes the default threshold. */
  readonly kept: number;
  /** Share of foreign queries that get no hit. */
  readonly refused: number | undefined;
  /** Share of queries with removed answers that get no hit. */
  readonly removedRefused: number | undefined;
  /** Share of the set's own unanswerable queries that get no hit. */
  readonly unanswerableRefused: number | undefined;
  /** Expected calibration error over own and foreign queries. */
  readonly error: number;
}

export function figures(all: readonly (Sample & { readonly confidence: number })[]): Figures {
  const of = (...kinds: Kind[]) => all.filter(({ kind }) => kinds.includes(kind));
  const area = (kinds: Kind[], correct: (sample: Sample) => boolean) =>
    rocArea(of(...kinds).map((one): Outcome => ({ confidence: one.confidence, correct: correct(one) })));
  const below = (kind: Kind) => {
    const asked = of(kind);
    if (asked.length === 0) return undefined;
    return asked.filter(({ confidence }) => confidence < THRESHOLD).length / asked.length;
  };
  return {
    foreignArea: area(['own', 'foreign'], ({ kind }) => kind === 'own'),
    removedArea: area(['own', 'removed'], ({ kind }) => kind === 'own'),
    relevantArea: area(['own', 'foreign'], ({ relevant }) => relevant),
    kept: 1 - (below('own') ?? 0),
    refused: below('foreign'),
    removedRefused: below('removed'),
    unanswerableRefused: below('none'),
    error: calibrationError(
      of('own', 'foreign').map(({ confidence, relevant }) => ({ confidence, correct: relevant })),
    ),
  };
}
