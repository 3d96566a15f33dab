/** The bundle runs whatever is in the folder of its compiled code, and saves there what is missing. */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
// @ts-expect-error It is plain JavaScript.
import { FLAG_SETS } from '../../bin/run-bundle.js';
import { VERSION } from '../../src/engine/version.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { BIN, createPlayground, execute, SOURCE_BIN } from './cli/docfuse.ts';

const work = sharedFolder();

const A = 'first-aaaaaaaa.cjs';
const B = 'other-bbbbbbbb.cjs';
const MANY = Array.from({ length: 200 }, (_, n) => `if (n > ${n}) out += 'text ${n}';`).join(' ');
const PROGRAM = {
  'main.cjs': `require('./${A}').start(require);\n`,
  [A]: `
    function many(n) { let out = ''; ${MANY} return out; }
    exports.start = (require) => {
      if (process.env.SET) for (const flag of process.env.SET.split(' ')) process.getBuiltinModule('node:v8').setFlagsFromString(flag);
      if (process.env.LOAD) require('./${B}');
      if (process.env.CALL) many(7);
      console.log('one');
    };\n`,
  [B]: `console.log('other');\n`,
};

let folder: string;
let kept: string;

/** Writes the launcher with a small program, and an empty cache folder. */
beforeEach(() => {
  folder = mkdtempSync(join(work, 'package-'));
  kept = join(folder, 'cache/docfuse/compiled', VERSION);
  for (const part of ['bin', 'dist/command', 'cache']) mkdirSync(join(folder, part), { recursive: true });
  for (const name of ['docfuse.js', 'run-bundle.js'])
    copyFileSync(join(BIN, '..', name), join(folder, 'bin', name));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', version: VERSION }));
  for (const [name, code] of Object.entries(PROGRAM)) writeChunk(name, code);
});

const writeChunk = (name: string, code: string) => writeFileSync(join(folder, 'dist/command', name), code);

/** Runs the program and returns what it printed. */
async function run(env: Readonly<Record<string, string>> = {}, flags: readonly string[] = []) {
  const variables = { PATH: process.env.PATH ?? '', HOME: folder, XDG_CACHE_HOME: join(folder, 'cache') };
  const start = [...flags, join(folder, 'bin/docfuse.js'), 'search'];
  const { code, stdout, stderr } = await execute(start, { cwd: folder, env: { ...variables, ...env } });
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

const files = (chunk = '.cjs.') => readdirSync(kept).filter((name) => name.includes(chunk));
const pathOf = (chunk: string) => join(kept, files(chunk)[0]!);

describe.runIf(process.platform === 'linux')('code that is kept (on Linux)', () => {
  test.each([
    ['3 bytes', (path: string) => truncateSync(path, 3)],
    ['nothing', (path: string) => truncateSync(path, 0)],
    ['a folder', (path: string) => [rmSync(path), mkdirSync(path)]],
  ])('is replaced if %s is in its place, and does not stop a run', async (_, spoil) => {
    await run();
    spoil(pathOf(A));
    expect(await run()).toBe('one\n');
    expect(files()).toHaveLength(1); // no draft
  });

  test('is saved for the other chunks if it cannot be saved for one', async () => {
    await run({ LOAD: '1' });
    const path = pathOf(A);
    for (const name of files()) rmSync(join(kept, name));
    mkdirSync(path);
    await run({ LOAD: '1' });
    expect(files().map((name) => name.slice(0, A.length))).toEqual([A, B]);
  });

  test('is replaced only by code with more functions', async () => {
    await run();
    const inodes = [];
    const sizes = [];
    for (const env of [{ CALL: '1', LOAD: '1' }, { LOAD: '1' }]) {
      for (const name of files(B)) rmSync(join(kept, name));
      const before = statSync(pathOf(A));
      await run(env);
      expect(files(B)).toHaveLength(1);
      sizes.push(statSync(pathOf(A)).size - before.size);
      inodes.push(statSync(pathOf(A)).ino === before.ino);
    }
    expect(inodes).toEqual([false, true]);
    expect(sizes).toEqual([expect.any(Number), 0]);
    expect(sizes[0]).toBeGreaterThan(0);
  });

  test('is not saved after a long run', async () => {
    const late = `data:text/javascript,${encodeURIComponent('process.uptime = () => 11')}`;
    await run({}, ['--import', late]);
    expect(files()).toEqual([]);
  });

  test('is not saved under flags that cannot be set again', async () => {
    const counting = `import { Script } from 'node:vm'; const { createCachedData } = Script.prototype;
      Script.prototype.createCachedData = function () { console.log('saved'); return createCachedData.call(this); };`;
    const count = ['--import', `data:text/javascript,${encodeURIComponent(counting)}`];
    const other = ['--stack-size=900', ...count];
    expect(await run({}, other)).toBe('one\nsaved\n');
    expect(await run({}, other)).toBe('one\n');
    const same = ['--semi-space-growth-factor=3', ...count];
    expect(await run({}, same)).toBe('one\n');
    // The second chunk is loaded under flags of docfuse, and saved once.
    const mixed = { LOAD: '1', SET: FLAG_SETS[2].join(' ') };
    expect(await run(mixed, same)).toBe('other\none\nsaved\n');
    expect(await run(mixed, same)).toBe('other\none\n');
    expect(files(A)).toHaveLength(1);
  });

  test('is not run for another source of the same length', async () => {
    await run();
    writeChunk(A, PROGRAM[A]!.replace("'one'", "'two'"));
    expect(await run()).toBe('two\n');
    writeChunk(A, PROGRAM[A]!);
    expect(await run()).toBe('one\n');
  });

  test('is removed after a month, when other code is saved', async () => {
    await run();
    const days = (count: number) => Date.now() / 1000 - count * 24 * 60 * 60;
    for (const [name, age] of Object.entries({ 'old.cjs.1.99': 31, 'new.cjs.1.99': 29 })) {
      writeFileSync(join(kept, name), '');
      utimesSync(join(kept, name), days(age), days(age));
    }
    await run({ LOAD: '1' });
    expect(files('.99')).toEqual(['new.cjs.1.99']);
  });
});

test('a chunk that throws is loaded anew by the next call', async () => {
  const throwOnce = 'if (!globalThis.again) { globalThis.again = true; throw new Error(); }';
  writeChunk(A, `exports.half = true; ${throwOnce} exports.whole = true;\n`);
  writeChunk(
    'main.cjs',
    `for (let n = 0; n < 2; n++) try { console.log(require('./${A}')); } catch { console.log('thrown'); }\n`,
  );
  expect(await run()).toBe('thrown\n{ half: true, whole: true }\n');
});

test('a chunk finds the files of packages', async () => {
  writeChunk('main.cjs', "console.log(require.resolve('./main.cjs'));\n");
  expect(await run()).toBe(`${join(folder, 'dist/command/main.cjs')}\n`);
});

test('code can be saved under all flags that docfuse sets', async () => {
  const garbage = new URL('../../src/surfaces/cli/garbage.ts', import.meta.url).href;
  const script = `
    import { collectOften, letGrow } from ${JSON.stringify(garbage)};
    const FLAG_SETS = ${JSON.stringify(FLAG_SETS)};
    const v8 = process.getBuiltinModule('node:v8');
    const after = (act) => (act(), v8.cachedDataVersionTag());
    const own = after(() => {});
    const often = after(collectOften);
    const growing = after(letGrow);
    const sets = FLAG_SETS.map((flags) => after(() => flags.forEach(v8.setFlagsFromString)));
    console.log(JSON.stringify([[own, growing, often], sets]));`;
  const { stdout } = await execute(['--input-type=module', '-e', script], { cwd: work, env: {} });
  const [set, known] = JSON.parse(stdout) as readonly [readonly number[], readonly number[]];
  expect(set).toEqual(known);
  expect(new Set(known).size).toBe(3);
  // The launcher sets the flags of `collectOften`, too.
  const flags = (file: string) =>
    readFileSync(file, 'utf8').match(/--(semi-space-growth-factor|heap-growing-percent)=\d+/g);
  expect(flags(SOURCE_BIN)).toEqual(flags(fileURLToPath(garbage))?.slice(0, 2));
});

test('a command that waits for ever does not end with success', async () => {
  using playground = createPlayground({ 'docs/a.md': '# A\n' });
  const never = `const fs = process.getBuiltinModule('node:fs/promises');
    for (const name of Object.keys(fs)) if (typeof fs[name] === 'function') fs[name] = () => new Promise(() => {});`;
  const start = ['--import', `data:text/javascript,${encodeURIComponent(never)}`, BIN, 'search', 'a', 'docs'];
  const { code, stdout } = await execute(start, { cwd: playground.folder, env: playground.env });
  expect([code, stdout]).toEqual([13, '']);
});
