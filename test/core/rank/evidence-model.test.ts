import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  evidenceModelFor,
  logitParts,
  modelLogit,
  type Observed,
} from '../../../src/core/rank/evidence-model.ts';

const OURS = 'bge-small-en-v1.5@0123456789ab';
/** A thousand. */
const PASSAGES = Math.log(1000);

function confidence(observed: Observed, model = OURS): number | undefined {
  const fitted = evidenceModelFor(observed, model);
  if (!fitted) return undefined;
  const logit = modelLogit(fitted, observed);
  const parts = logitParts(fitted, observed).map(({ weight, value }) => weight * value);
  expect(logit).toBe(parts.reduce((sum, part) => sum + part, fitted.intercept));
  return 1 / (1 + Math.exp(-logit));
}

const share = fc.double({ min: 0, max: 1, noNaN: true });

describe('confidence by evidence', () => {
  test('never falls when a passage is nearer or matches more', () => {
    fc.assert(
      fc.property(share, share, share, fc.integer({ min: 1, max: 30 }), (cosine, coverage, more, terms) => {
        const length = Math.log(1 + terms);
        const words = coverage / 2;
        const passages = Math.log(1 + terms * terms);
        const at = (c: number, m: number) => confidence({ cosine: c, coverage: m, words, length, passages })!;
        expect(at(Math.max(cosine, more), coverage)).toBeGreaterThanOrEqual(at(cosine, coverage));
        expect(at(cosine, Math.max(coverage, more))).toBeGreaterThanOrEqual(at(cosine, coverage));
        expect(
          confidence({ coverage: Math.max(coverage, more), words, length, passages }),
        ).toBeGreaterThanOrEqual(confidence({ coverage, words, length, passages })!);
      }),
    );
  });

  test('tells a passage that answers from one of another subject', () => {
    expect(
      confidence({ cosine: 0.8, coverage: 0.8, words: 0.5, length: Math.log(6), passages: PASSAGES }),
    ).toBeGreaterThan(0.7);
    expect(
      confidence({ cosine: 0.5, coverage: 0.2, words: 0.1, length: Math.log(6), passages: PASSAGES }),
    ).toBeLessThan(0.1);
    expect(
      confidence({ coverage: 0.9, words: 0.7, length: Math.log(6), passages: PASSAGES }),
    ).toBeGreaterThan(0.5);
    expect(confidence({ cosine: 0.85, length: Math.log(6), passages: PASSAGES })).toBeGreaterThan(0.7);
  });

  test('asks less in a small collection, where the nearest of what is unrelated is further away', () => {
    const observed = { cosine: 0.66, coverage: 0.2, words: 0.1, length: Math.log(6) };
    const at = (passages: number) => confidence({ ...observed, passages: Math.log(1 + passages) })!;
    expect(at(10)).toBeGreaterThan(0.5);
    expect(at(100_000)).toBeLessThan(0.3);
    // One note, asked for by a word that it holds.
    const word = { cosine: 0.6, coverage: 1, words: 0.5, length: Math.log(2), passages: Math.log(2) };
    expect(confidence(word)).toBeGreaterThan(0.7);
  });

  test('says nothing about cosines of another model, and judges words under any', () => {
    const observed = { coverage: 0.9, words: 0.7, length: Math.log(6), passages: PASSAGES };
    expect(evidenceModelFor({ ...observed, cosine: 0.85 }, 'multilingual-e5-small@1')).toBeUndefined();
    expect(evidenceModelFor({ ...observed, cosine: 0.85 }, undefined)).toBeUndefined();
    expect(evidenceModelFor({ length: 1, passages: 1 }, OURS)).toBeUndefined();
    expect(confidence(observed, 'multilingual-e5-small@1')).toBe(confidence(observed));
  });
});
