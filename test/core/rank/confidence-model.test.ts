import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COEFFICIENTS } from '../../../src/core/rank/confidence-coefficients.ts';
import {
  chooseModel,
  type Features,
  logitParts,
  modelLogit,
  wordsFound,
} from '../../../src/core/rank/confidence-model.ts';

const OURS = 'bge-small-en-v1.5@0123456789ab';
/** A thousand. */
const PASSAGES = Math.log(1000);

function confidence(observed: Features, model = OURS): number | undefined {
  const fitted = chooseModel(observed, model);
  if (!fitted) return undefined;
  const logit = modelLogit(fitted, observed);
  const parts = logitParts(fitted, observed).map(({ weight, value }) => weight * value);
  expect(logit).toBe(parts.reduce((sum, part) => sum + part, fitted.intercept));
  return 1 / (1 + Math.exp(-logit));
}

const share = fc.double({ min: 0, max: 1, noNaN: true });

describe('confidence by the confidence model', () => {
  test('never falls when a passage is nearer or has more of the words', () => {
    fc.assert(
      fc.property(share, share, share, fc.integer({ min: 1, max: 30 }), (cosine, found, more, terms) => {
        const passages = Math.log(1 + terms * terms);
        const [less, words] = [found, Math.max(found, more)].map((each) => wordsFound(each, terms));
        const at = (c: number, w: number | undefined) => confidence({ cosine: c, words: w, passages })!;
        expect(at(Math.max(cosine, more), less)).toBeGreaterThanOrEqual(at(cosine, less));
        expect(at(cosine, words)).toBeGreaterThanOrEqual(at(cosine, less));
        expect(confidence({ words, passages })).toBeGreaterThanOrEqual(
          confidence({ words: less, passages })!,
        );
      }),
    );
  });

  test('a share of a long question counts for more than that of a short one, and nothing is nothing', () => {
    fc.assert(
      fc.property(share, fc.integer({ min: 1, max: 30 }), (found, terms) => {
        expect(wordsFound(found, terms + 1)).toBeGreaterThanOrEqual(wordsFound(found, terms));
      }),
    );
    expect(wordsFound(0, 12)).toBe(0);
    expect(wordsFound(0.5, 8)).toBeCloseTo(Math.LN2, 12);
  });

  test('tells a passage that answers from one of another subject', () => {
    const words = wordsFound(0.5, 5);
    expect(confidence({ cosine: 0.8, words, passages: PASSAGES })).toBeGreaterThan(0.7);
    expect(confidence({ cosine: 0.5, words: wordsFound(0.1, 5), passages: PASSAGES })).toBeLessThan(0.1);
    expect(confidence({ words: wordsFound(0.7, 5), passages: PASSAGES })).toBeGreaterThan(0.5);
    expect(confidence({ cosine: 0.85, passages: PASSAGES })).toBeGreaterThan(0.7);
  });

  test('asks less in a small collection, where the nearest of what is unrelated is further away', () => {
    const observed = { cosine: 0.67, words: wordsFound(0.1, 5) };
    const at = (passages: number) => confidence({ ...observed, passages: Math.log(1 + passages) })!;
    expect(at(10)).toBeGreaterThan(0.5);
    expect(at(100_000)).toBeLessThan(0.3);
    // One note, asked for by a word that it holds.
    const word = { cosine: 0.6, words: wordsFound(0.5, 1), passages: Math.log(2) };
    expect(confidence(word)).toBeGreaterThan(0.7);
  });

  test('says nothing about cosines of another model, and judges words under any', () => {
    const observed = { words: wordsFound(0.7, 5), passages: PASSAGES };
    expect(chooseModel({ ...observed, cosine: 0.85 }, 'multilingual-e5-small@1')).toBeUndefined();
    expect(chooseModel({ ...observed, cosine: 0.85 }, undefined)).toBeUndefined();
    expect(chooseModel({ passages: 1 }, OURS)).toBeUndefined();
    expect(confidence(observed, 'multilingual-e5-small@1')).toBe(confidence(observed));
  });

  test('gives way to the row of words where a passage has every word and they say more, as of a name', () => {
    const name = { cosine: 0.42, words: 0.8, complete: true, passages: 7 };
    expect(chooseModel(name, OURS)).toBe(COEFFICIENTS.words);
    expect(chooseModel({ ...name, complete: false }, OURS)).toBe(COEFFICIENTS.both);
    expect(chooseModel({ ...name, cosine: 0.95 }, OURS)).toBe(COEFFICIENTS.both);
  });
});
