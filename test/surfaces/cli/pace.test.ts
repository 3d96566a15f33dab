import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createProgress, createTimeLeft } from '../../../src/surfaces/cli/progress.ts';
import { readTerminal } from '../../../src/surfaces/cli/terminal.ts';

test('time left follows the share of the work, where things are not alike, else their number', () => {
  let now = 0;
  const measure = createTimeLeft(() => now);
  expect(measure({ phase: 'read', done: 0, total: 10 })).toBe(Number.POSITIVE_INFINITY);
  now = 4000;
  expect(measure({ phase: 'read', done: 2, total: 10 })).toBe(16);
  measure({ phase: 'embed', done: 100, total: 300, share: 0 });
  now = 5_000;
  expect(measure({ phase: 'embed', done: 110, total: 300, share: 0.01 })).toBe(Number.POSITIVE_INFINITY);
  now = 14_000;
  expect(measure({ phase: 'embed', done: 200, total: 300, share: 0.1 })).toBe(90);
});

test('time left is that of the last half minute: long passages come last', () => {
  let now = 0;
  const measure = createTimeLeft(() => now);
  const at = (seconds: number, share: number) => {
    now = seconds * 1000;
    return measure({ phase: 'embed', done: 1, total: 2, share });
  };
  at(0, 0);
  for (let second = 1; second <= 30; second++) at(second, second / 100); // 1 % a second
  expect(at(31, 0.305)).toBeLessThan(80);
  for (let second = 32; second <= 61; second++) at(second, 0.305 + (second - 31) / 1000); // a tenth of that
  expect(at(62, 0.336)).toBeCloseTo((1 - 0.336) / 0.001, -1);
});

describe('what can be done meanwhile', () => {
  const terminal = { ...readTerminal('never'), interactive: false };
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const saysWords = () => said.mock.calls.filter(([line]) => String(line).includes('--no-wait')).length;
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => {
    vi.useRealTimers();
    said.mockClear();
  });

  function embedFor(milliseconds: number, indexes: boolean): void {
    const { onProgress } = createProgress(terminal, false, indexes);
    for (let done = 0; done < 10; done++) {
      onProgress({ phase: 'embed', done, total: 10 });
      vi.advanceTimersByTime(milliseconds / 10);
    }
  }

  test('a line has what is done and the time left, and no rate that contradicts it', () => {
    const { onProgress } = createProgress(terminal, false);
    onProgress({ phase: 'embed', done: 0, total: 1000, share: 0 });
    vi.advanceTimersByTime(10_000);
    onProgress({ phase: 'embed', done: 500, total: 1000, share: 0.1 });
    expect(said.mock.calls).toEqual([['Embedding passages 500 of 1,000, 1 min 30 s left\n']]);
  });

  test('is said once, where passages are embedded for longer than a moment', () => {
    embedFor(60_000, true);
    expect(saysWords()).toBe(1);
  });

  test.each([
    ['of a short run', 1_500, true],
    ['of a judged set', 60_000, false],
  ])('is not said %s', (_, milliseconds, indexes) => {
    embedFor(milliseconds, indexes);
    expect(saysWords()).toBe(0);
  });
});
