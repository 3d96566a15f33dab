import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const GARBAGE = new URL('../../../src/surfaces/cli/garbage.ts', import.meta.url);

/** Makes objects that live for a moment, as answers do, and prints the size of the space for new objects in bytes. */
const WORK = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { setTimeout as sleep } from 'node:timers/promises';
  import { collectOften, letGrow } from '${GARBAGE}';
  collectOften();
  if (process.argv[1] === 'grow') letGrow();
  const kept = [[]];
  for (let round = 0; round < 60; round++) {
    kept[round % 10] = Array.from({ length: 50_000 }, (_, at) => ({ at, list: [at] }));
    await sleep(10);
  }
  console.log(getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size);`;

const spaceAfter = (...args: readonly string[]) =>
  Number(execFileSync(process.execPath, ['--input-type=module', '-e', WORK, ...args], { encoding: 'utf8' }));

test('the space for new objects grows when answers are to be fast, but not to what Node allows', () => {
  expect(spaceAfter()).toBeLessThan(5e6);
  const grown = spaceAfter('grow');
  expect(grown).toBeGreaterThan(10e6);
  expect(grown).toBeLessThan(100e6);
});

test('garbage is collected, and its memory returned', () => {
  const collect = `
    import { collectGarbage } from '${GARBAGE}';
    let kept = Array.from({ length: 1_000_000 }, (_, at) => ({ at }));
    const before = process.memoryUsage().heapTotal;
    kept = undefined;
    collectGarbage();
    console.log(before - process.memoryUsage().heapTotal);`;
  const run = execFileSync(process.execPath, ['--input-type=module', '-e', collect], { encoding: 'utf8' });
  expect(Number(run)).toBeGreaterThan(20e6);
});
