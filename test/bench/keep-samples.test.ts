import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { digestFolder, keepSamples } from '../../bench/keep-samples.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const folder = sharedFolder();

it('takes what was kept only where it was observed under the same conditions', async () => {
  const file = join(folder, 'kept/cacm.json');
  let asked = 0;
  const observe = async () => ({ words: [++asked] });
  const take = (limit: number) => keepSamples(file, { limit, code: 'a' }, observe);
  expect(await take(20)).toEqual({ words: [1] });
  expect(await take(20)).toEqual({ words: [1] });
  expect(await take(100)).toEqual({ words: [2] });
  expect(await take(100)).toEqual({ words: [2] });
  // Without conditions, as files of a former version.
  writeFileSync(file, JSON.stringify({ words: [9] }));
  expect(await take(100)).toEqual({ words: [3] });
  expect(await keepSamples(undefined, { limit: 100 }, observe)).toEqual({ words: [4] });
});

it('tells one state of a folder from another, but for what is left out', async () => {
  const src = join(folder, 'src');
  mkdirSync(join(src, 'rank'), { recursive: true });
  const [a, fit] = [join(src, 'rank/a.ts'), join(src, 'fit.ts')];
  writeFileSync(a, '1');
  writeFileSync(fit, '1');
  const digest = () => digestFolder(src, [fit]);
  const before = await digest();
  writeFileSync(fit, '2');
  expect(await digest()).toBe(before);
  writeFileSync(a, '2');
  const after = await digest();
  expect(after).not.toBe(before);
  rmSync(a);
  writeFileSync(join(src, 'rank/b.ts'), '2');
  expect(await digest()).not.toBe(after);
});
