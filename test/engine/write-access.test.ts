import { expect, test } from 'vitest';
import { createWriteAccess } from '../../src/engine/tasks.ts';

const { signal } = new AbortController();

/** Access to a lock that notes what happens to it. */
function openAccess(beforeRelease: () => void = () => {}) {
  const events: string[] = [];
  const acquire = async () => {
    events.push('locked');
    return { release: () => void events.push('released') };
  };
  const enter = createWriteAccess(acquire, () => {
    events.push('last');
    beforeRelease();
  });
  return { events, enter: () => enter(false, signal) };
}

test('words are unloaded when the last call gives the lock up, not while another may put documents', async () => {
  const { events, enter } = openAccess();
  const [first, second] = [await enter(), await enter()];
  first();
  expect(events).toEqual(['locked']);
  second();
  expect(events).toEqual(['locked', 'last', 'released']);
});

test('an error before the lock is given up does not keep it', async () => {
  const { events, enter } = openAccess(() => {
    throw new Error('No words.');
  });
  expect(await enter()).toThrow('No words.');
  expect(events).toEqual(['locked', 'last', 'released']);
  expect(await enter()).toThrow('No words.');
  expect(events.slice(3)).toEqual(['locked', 'last', 'released']);
});
