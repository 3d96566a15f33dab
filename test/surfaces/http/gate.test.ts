import { expect, test } from 'vitest';
import { createGate } from '../../../src/surfaces/http/bounded-run.ts';

test('who leaves the queue makes room in it, and what runs is finished by those that stay', async () => {
  const gate = createGate(1, 1);
  const { signal } = new AbortController();
  const first = Promise.withResolvers<string>();
  const leaving = new AbortController();
  const runs = gate.run(() => first.promise, signal);
  const left = gate.run(async () => expect.unreachable(), leaving.signal);
  expect(gate.run(async () => 'third', signal)).toBeUndefined();

  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  expect(gate.size).toBe(1);
  const third = gate.run(async () => 'third', signal);
  expect(gate.size).toBe(2);
  first.resolve('first');
  expect(await Promise.all([runs, third])).toEqual(['first', 'third']);
  expect(gate.size).toBe(0);
  // A failure leaves room, too.
  await expect(gate.run(() => Promise.reject(new Error('fails')), signal)).rejects.toThrow('fails');
  expect(await gate.run(async () => 'last', signal)).toBe('last');
});
