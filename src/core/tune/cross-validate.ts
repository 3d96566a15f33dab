/** Measures a fit on queries it has not seen. */
import { randomNumbers } from '../evaluate/random-numbers.ts';

/** For every set, the fold of each of its members. */
export type Folds = readonly (readonly number[])[];

/**
 * Deals the members of every set into folds of nearly equal size.
 * @param sizes members of each set
 * @param seed equal seeds deal alike
 */
export function dealFolds(sizes: readonly number[], folds: number, seed: number): Folds {
  const random = randomNumbers(seed);
  return sizes.map((size) => {
    const dealt = Array.from({ length: size }, (_, place) => place % folds);
    // Fisher and Yates's shuffle.
    for (let last = size - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1));
      [dealt[last], dealt[other]] = [dealt[other]!, dealt[last]!];
    }
    return dealt;
  });
}

/** The members that are in a fold, or all that are not. */
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
