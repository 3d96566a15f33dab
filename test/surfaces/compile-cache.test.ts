/** Compiled code that another user could have edited is never run. */

import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { VERSION } from '../../src/engine/version.ts';
import { canRunAsNobody, NOBODY, nobodyNote } from '../support/nobody.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { BIN, execute } from './cli/docfuse.ts';

const WRITTEN = 'Find the passages that';
const EDITED = 'FIND THE PASSAGES THAT';

/** The bytes of a header, and where in it the checksum of the rest stands: of Node's compile cache, and of bin/run-bundle.js. */
const NODE = { header: 20, checksum: 16 };
const BUNDLE = { header: 8, checksum: 0 };

const work = sharedFolder();
chmodSync(work, 0o755);

/** The launcher with a program that starts faster. */
const small = join(work, 'package');
for (const folder of ['bin', 'dist/command']) mkdirSync(join(small, folder), { recursive: true });
for (const name of ['docfuse.js', 'run-bundle.js'])
  copyFileSync(join(BIN, '..', name), join(small, 'bin', name));
writeFileSync(join(small, 'package.json'), JSON.stringify({ type: 'module', version: VERSION }));
writeFileSync(join(small, 'dist/command/main.cjs'), `require('./first-abcdefgh.cjs');\n`);
writeFileSync(join(small, 'dist/command/first-abcdefgh.cjs'), `console.log('${WRITTEN}');\n`);

const isRoot = NOBODY.uid !== undefined;
const LEVELS = ['docfuse', 'docfuse/compiled', `docfuse/compiled/${VERSION}`];

test.skipIf(process.platform === 'win32')('code in the common temporary folder is not run', async () => {
  const home = makeHome();
  const common = join(home, 'node-compile-cache');
  const start = (env: Environment) => said(home, env, { file: BIN });
  expect(await start({ NODE_COMPILE_CACHE: common })).toContain(WRITTEN);
  editCode(common);
  // Node itself runs it: the edit is one that an attacker can make.
  expect(await start({ NODE_COMPILE_CACHE: common })).toContain(EDITED);
  expect(await start({ TMPDIR: home })).toContain(WRITTEN);
});

describe.runIf(process.platform === 'linux')('code in the cache folder of the user', () => {
  /** Its cache folder holds edited code. */
  const edited = makeHome();

  beforeAll(async () => {
    expect(await said(edited)).toContain(WRITTEN);
    editCode(join(edited, '.cache'));
  });

  function editedHome(): string {
    const home = makeHome();
    cpSync(edited, home, { recursive: true });
    for (const level of ['', ...LEVELS]) chmodSync(join(home, '.cache', level), 0o700); // not copied
    return home;
  }

  test('is run where only the user can write', async () => {
    const modes = ['', ...LEVELS].map((level) => statSync(join(edited, '.cache', level)).mode & 0o777);
    expect(modes).toEqual([0o700, 0o700, 0o700, 0o700]);
    expect(await said(editedHome())).toContain(EDITED);
    const moved = editedHome();
    renameSync(join(moved, '.cache'), join(moved, 'moved'));
    expect(await said(makeHome(), { XDG_CACHE_HOME: join(moved, 'moved') })).toContain(EDITED);
    symlinkSync('moved', join(moved, '.cache'));
    expect(await said(moved)).toContain(EDITED);
  });

  test('is not run where it is damaged, and compiled again', async () => {
    const home = makeHome();
    expect(await said(home)).toContain(WRITTEN);
    editCode(join(home, '.cache'), false);
    expect(await said(home)).toContain(WRITTEN);
    editCode(join(home, '.cache'));
    expect(await said(home)).toContain(EDITED);
  });

  const spoilt = LEVELS.flatMap((level) => [
    { level, what: 'mode 777', spoil: (path: string) => chmodSync(path, 0o777) },
    { level, what: 'mode 1777', spoil: (path: string) => chmodSync(path, 0o1777) },
    { level, what: 'mode 770', spoil: (path: string) => chmodSync(path, 0o770) },
    { level, what: 'a link', spoil: replaceByLink },
  ]);
  for (const level of ['.', '..'])
    spoilt.push({ level, what: 'mode 777', spoil: (path) => chmodSync(path, 0o777) });
  if (isRoot)
    for (const level of ['..', '.', ...LEVELS])
      spoilt.push({ level, what: 'another owner', spoil: giveAway });

  test.each(spoilt)('is not run where others may write: $level, $what', async ({ level, spoil }) => {
    const home = editedHome();
    spoil(join(home, '.cache', level));
    expect(await said(home)).toContain(WRITTEN);
  });

  test('is not run where the variable leads to the working directory', async () => {
    const home = editedHome();
    expect(await said(home, { HOME: makeHome(), XDG_CACHE_HOME: '.cache' })).toContain(WRITTEN);
    expect(await said(home, { HOME: '.' })).toContain(WRITTEN);
  });

  test.runIf(isRoot && canRunAsNobody)(
    `is not made in the home of another user, nor where this one may not write${nobodyNote}`,
    async () => {
      const home = makeHome();
      expect(await said(home, {}, NOBODY)).toContain(WRITTEN);
      giveAway(home);
      expect(await said(home)).toContain(WRITTEN);
      expect(readdirSync(home)).toEqual([]);
      expect(await said(home, {}, NOBODY)).toContain(WRITTEN);
      expect(readdirSync(home)).toEqual(['.cache']);
    },
  );

  test('is not made without a home, nor where Node is told otherwise', async () => {
    const home = makeHome();
    expect(await said(home, { HOME: join(home, 'missing') })).toContain(WRITTEN);
    await said(home, { NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(readdirSync(home)).toEqual([]);
    await said(home, { NODE_COMPILE_CACHE: join(home, 'chosen') });
    expect(readdirSync(home)).toEqual(['chosen']);
  });

  test('goes with its version, a month after', async () => {
    const home = editedHome();
    const compiled = join(home, '.cache', 'docfuse', 'compiled');
    renameSync(join(compiled, VERSION), join(compiled, '0.0.1'));
    mkdirSync(join(compiled, '0.0.2'));
    const days = (count: number) => Date.now() / 1000 - count * 24 * 60 * 60;
    utimesSync(join(compiled, '0.0.1'), days(31), days(31));
    utimesSync(join(compiled, '0.0.2'), days(29), days(29));
    expect(await said(home)).toContain(WRITTEN);
    expect(readdirSync(compiled)).toEqual(['0.0.2', VERSION]);
  });
});

function makeHome(): string {
  return mkdtempSync(join(work, 'home-'));
}

type Environment = Readonly<Record<string, string>>;
interface Start {
  /** @default the launcher with the small program */
  readonly file?: string;
  readonly uid?: number;
  readonly gid?: number;
}

/** What `docfuse search --help` prints with this home, which is the working directory, too. */
async function said(home: string, env: Environment = {}, { file, ...user }: Start = {}): Promise<string> {
  const variables = { PATH: process.env.PATH ?? '', HOME: home, ...env };
  const start = [file ?? join(small, 'bin/docfuse.js'), 'search', '--help'];
  const { code, stdout, stderr } = await execute(start, { cwd: home, env: variables, ...user });
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

/** Edits a text of the program in its compiled code, and makes the checksums fit. */
function editCode(folder: string, fits = true): void {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((at) => at.isFile());
  let edits = 0;
  for (const { parentPath, name } of entries) {
    const bytes = readFileSync(join(parentPath, name));
    const at = bytes.indexOf(WRITTEN);
    if (at < 0) continue;
    bytes.write(EDITED, at);
    const { header, checksum } = name.includes('.cjs.') ? BUNDLE : NODE;
    if (fits) bytes.writeUInt32LE(crc32(bytes.subarray(header)), checksum);
    writeFileSync(join(parentPath, name), bytes);
    edits++;
  }
  expect(edits).toBeGreaterThan(0);
}

function replaceByLink(path: string): void {
  renameSync(path, `${path}-moved`);
  symlinkSync(`${path}-moved`, path);
}

function giveAway(path: string): void {
  chownSync(path, NOBODY.uid!, NOBODY.gid!);
}
