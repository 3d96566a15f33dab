/** Spreads a sample over documents. */
import { randomNumbers } from '../src/core/evaluate/statistics.ts';
import { shuffle } from './shuffle.ts';

const SEED = 20;

/** One of each document in turn, both in an order drawn by lot; equal candidates give an equal order. */
export function spread<T extends { readonly path: string }>(candidates: readonly T[]): readonly T[] {
  const turns = new Map<string, number>();
  return shuffle(candidates, randomNumbers(SEED))
    .map((candidate) => {
      const turn = turns.get(candidate.path) ?? 0;
      turns.set(candidate.path, turn + 1);
      return { candidate, turn };
    })
    .sort((a, b) => a.turn - b.turn)
    .map(({ candidate }) => candidate);
}
