/** The realistic questions are sound, and the newest figures kept of the held halves pass the gate. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { belowGate } from './gate.ts';

const RESULTS = join(import.meta.dirname, '../../../bench/results');

const read = (set: string) =>
  readFileSync(join(import.meta.dirname, `${set}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe.each(['one', 'two'])('set %s', (set) => {
  const questions = read(set);

  test('sixty questions, twelve to each documentation, twelve that nothing answers', () => {
    expect(new Set(questions.map(({ id }) => id)).size).toBe(60);
    const byVault = Map.groupBy(questions, ({ vault }) => vault);
    expect([...byVault.values()].map(({ length }) => length)).toEqual([12, 12, 12, 12, 12]);
    for (const { kind, relevant } of questions) expect(relevant.length === 0).toBe(kind === 'unanswerable');
    expect(questions.filter(({ kind }) => kind === 'unanswerable')).toHaveLength(12);
  });

  test('the newest figures of the held half are of these questions and pass the gate', () => {
    const [newest] = globSync(`realistic-${set}-held-*.json`, { cwd: RESULTS }).toSorted().reverse();
    const measured = JSON.parse(readFileSync(join(RESULTS, newest!), 'utf8'));
    const held = questions.filter((_, index) => index % 2 === 1);
    expect(measured.outcomes.map(({ query }: { query: string }) => query).toSorted()).toEqual(
      held.map(({ query }) => query).toSorted(),
    );
    expect(belowGate(set, measured)).toEqual([]);
  });
});

test('each of the hundred and five questions in everyday words has a page', () => {
  const questions = read('three');
  expect(new Set(questions.map(({ id }) => id)).size).toBe(105);
  expect(questions.filter(({ relevant }) => relevant.length === 0)).toEqual([]);
});

test('figures below the gate are named', () => {
  const poor = { 'hit@1': 0.5, 'hit@3': 0.95, unanswerable_called_high: 1, high_and_right: 1 };
  expect(belowGate('one', poor)).toEqual([
    'hit@1 of set one is 0.5, the gate is 0.8.',
    'unanswerable_called_high of set one is 1, the gate is 0.',
  ]);
});
