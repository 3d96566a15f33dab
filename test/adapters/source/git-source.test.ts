import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { commitText } from '../../../src/adapters/source/commit-text.ts';
import { createGitSource } from '../../../src/adapters/source/git-source.ts';
import type { SourceText } from '../../../src/core/ports.ts';
import { open } from '../../../src/engine/open.ts';
import { listed, sourceContract } from '../../contracts/source-contract.ts';
import { sharedFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { writeFiles } from '../../support/write-files.ts';

const work = sharedFolder();
const root = join(work, 'app');

let day = 0;
function git(...args: string[]): string {
  const date = `${new Date(Date.UTC(2024, 0, ++day)).toISOString().slice(0, 10)}T12:00:00+02:00`;
  const env = {
    PATH: process.env.PATH,
    HOME: work,
    GIT_AUTHOR_NAME: 'Ada "A" Łukasz',
    GIT_AUTHOR_EMAIL: 'ada@example.org',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.org',
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
  };
  const { stdout, stderr, status } = spawnSync('git', ['-C', root, ...args], { env, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return stdout.trim();
}
function commit(message: string, files: Readonly<Record<string, string>>): string {
  writeFiles(root, files);
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '--allow-empty-message', '-m', message);
  return git('rev-parse', 'HEAD');
}

const nameOf = (hash: string) => `${hash.slice(0, 16)}.md`;
const all = async (from = root) =>
  (await listed(createGitSource({ root: from }))).files.map(({ path }) => path);
const textOf = async (hash: string, from = root) =>
  ((await createGitSource({ root: from }).read(nameOf(hash))) as SourceText).text;

const hashes: string[] = [];
beforeAll(async () => {
  mkdirSync(root);
  git('init', '-q', '-b', 'main');
  expect(await all()).toEqual([]);
  hashes.push(
    commit('Keep sessions in Redis', { 'src/sessions.ts': 'a', 'README.md': 'b' }),
    commit('Drop Redis\n\nSessions live in the database now:\none service less to run.\n\n---\ntitle: no\n', {
      'src/sessions.ts': 'c',
      'docs/ä `b`.md': 'd',
    }),
    commit('', { 'docs/plan.md': 'e' }),
  );
  git('checkout', '-q', '-b', 'side', 'HEAD~1');
  hashes.push(commit('On the side', { 'side.txt': 'f' }));
  git('checkout', '-q', 'main');
  git('merge', '-q', '--no-ff', '-m', 'Merge the side', 'side');
  hashes.push(git('rev-parse', 'HEAD'));
});

// A commit cannot have a path of choice, and its text says who made it when: the contract gets what each commit should be.
sourceContract(
  'git',
  (documents) => {
    const root = temporaryFolder();
    const run = (...args: string[]) =>
      execFileSync('git', ['-C', root, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
        env: { PATH: process.env.PATH, HOME: root },
        encoding: 'utf8',
      }).trim();
    run('init', '-q');
    const texts = Object.entries(documents).map(([path, message]) => {
      writeFiles(root, { [path]: message });
      run('add', '-A');
      run('commit', '-q', '--allow-empty-message', '--cleanup=verbatim', '-m', message);
      const [hash = '', date = ''] = run('log', '-1', '--format=%H %aI').split(' ');
      return [nameOf(hash), commitText({ hash, author: 'Ada', date, message, paths: [path] })] as const;
    });
    return { source: createGitSource({ root }), texts: Object.fromEntries(texts) };
  },
  { sizes: false },
);

describe('the commits of a repository', () => {
  test('are listed once, in the order of paths, with the time of the commit', async () => {
    const { files, skipped } = await listed(createGitSource({ root }));
    expect(files.map(({ path }) => path)).toEqual(hashes.map(nameOf).sort());
    expect(skipped).toEqual([]);
    for (const { modified } of files)
      expect(new Date(modified).toISOString()).toMatch(/^2024-\d\d-\d\dT10:00/);
  });

  test('say who, when, why and which files', async () => {
    expect(await textOf(hashes[1]!)).toBe(
      `---\ntitle: "Drop Redis"\nauthor: "Ada \\"A\\" Łukasz"\ndate: "${git('log', '-1', '--format=%aI', hashes[1]!)}"\n` +
        `commit: "${hashes[1]}"\naliases: [${[7, 8, 9, 10, 11, 12, 13, 40].map((digits) => `"${hashes[1]!.slice(0, digits)}"`)}]\n---\n\nSessions live in the database now:\none service less to run.\n\n---\ntitle: no\n\n` +
        'Changed files:\n\n- `` docs/ä `b`.md ``\n- `src/sessions.ts`\n',
    );
  });

  test('without a message are called by their hash, and a merge names no files', async () => {
    expect(await textOf(hashes[2]!)).toContain(`title: "Commit ${hashes[2]!.slice(0, 12)}"`);
    expect(await textOf(hashes[2]!)).toContain('- `docs/plan.md`');
    expect(await textOf(hashes[4]!)).toMatch(/\nMerge the side\n$/);
  });

  test('are read alike one at a time, in any order, and all in a row', async () => {
    const source = createGitSource({ root });
    const row = [];
    for (const path of await all()) row.push([path, await source.read(path)]);
    for (const [path, read] of row.toReversed()) expect(await source.read(path as string)).toEqual(read);
    expect(await source.read('none.md')).toMatchObject({ path: 'none.md', reason: 'unreadable' });
  });

  test('of a folder are those that changed something in it', async () => {
    expect(await all(join(root, 'docs'))).toEqual([hashes[1]!, hashes[2]!].map(nameOf).sort());
  });

  test('of a shallow clone are those it has; the oldest names no files', async () => {
    const clone = join(work, 'shallow');
    git('clone', '-q', '--depth', '1', `file://${root}`, clone);
    expect(await all(clone)).toEqual([nameOf(hashes[4]!)]);
    git('clone', '-q', '--depth', '1', '--branch', 'side', `file://${root}`, join(work, 'shallow-side'));
    expect(await textOf(hashes[3]!, join(work, 'shallow-side'))).not.toContain('Changed files');
    expect(await textOf(hashes[3]!)).toContain('- `side.txt`');
  });

  test('are listed again when HEAD moves, and only those asked for', async () => {
    const source = createGitSource({ root });
    const folders: unknown[] = [];
    const path = nameOf(hashes[0]!);
    const within = { covers: (each: string) => each === path, leadsInto: () => true };
    const found = [];
    const options = { within, onFolder: (folder: unknown) => folders.push(folder) };
    for await (const file of source.list(() => {}, undefined, options)) found.push(file.path);
    expect(found).toEqual([path]);
    expect(folders).toEqual([{ path: '', place: join(root, '.git', 'logs') }]);
    expect([source.touchedBy('HEAD', false), source.touchedBy('refs', true)]).toEqual(['', undefined]);
  });

  test('keep their files apart when one is called like another commit', async () => {
    const hash = commit('Trick', Object.fromEntries([...hashes, 'M'].map((name) => [name, ''])));
    const source = createGitSource({ root });
    const texts = new Map<string, string>();
    for (const path of await all()) texts.set(path, ((await source.read(path)) as SourceText).text);
    for (const name of [...hashes, 'M']) expect(texts.get(nameOf(hash))).toContain(`- \`${name}\``);
    for (const each of hashes) expect(texts.get(nameOf(each))).toBe(await textOf(each));
    git('reset', '-q', '--hard', 'HEAD~1');
  });

  test('of many files name a hundred', async () => {
    const files = Object.fromEntries(Array.from({ length: 130 }, (_, n) => [`many/${n}.txt`, `${n}`]));
    const text = await textOf(commit('Many', files));
    expect(text.match(/^- `/gm)).toHaveLength(100);
    expect(text).toContain('- and 30 more');
    git('reset', '-q', '--hard', hashes[4]!);
  });
});

test('a later run asks git less often than the first, wherever new commits stand by path', async () => {
  const many = join(work, 'many');
  const counted = join(work, 'counted');
  const bin = join(work, 'bin');
  mkdirSync(bin);
  writeFileSync(
    join(bin, 'git'),
    `#!/bin/sh\necho . >> '${counted}'\nPATH='${process.env.PATH}' exec git "$@"\n`,
    {
      mode: 0o755,
    },
  );
  const run = (args: readonly string[], input = '') =>
    expect(spawnSync('git', ['-C', work, ...args], { input }).status).toBe(0);
  const addCommits = (from: number, to: number) => {
    const stream = Array.from({ length: to - from }, (_, index) => {
      const on = index === 0 && from > 0 ? 'from refs/heads/main^0\n' : '';
      const message = `Change ${from + index}`;
      return `commit refs/heads/main\ncommitter A <a@b> ${1.7e9 + from + index} +0000\ndata ${message.length}\n${message}\n${on}`;
    });
    run(['-C', many, 'fast-import', '--quiet'], stream.join(''));
  };
  const source = createGitSource({ root: many });
  const seen = new Set<string>();
  const runOnce = async () => {
    writeFileSync(counted, '');
    const texts: string[] = [];
    for (const { path } of (await listed(source)).files) {
      if (seen.has(path)) continue;
      seen.add(path);
      texts.push(((await source.read(path)) as SourceText).text);
    }
    const changes = texts.map((text) => Number(/"Change (\d+)"/.exec(text)![1]));
    return { changes: changes.sort((a, b) => a - b), asked: readFileSync(counted, 'utf8').length / 2 };
  };
  run(['init', '-q', '-b', 'main', many]);
  vi.stubEnv('PATH', bin);
  onTestFinished(() => void vi.unstubAllEnvs());
  addCommits(0, 400);
  const first = await runOnce();
  expect(first.changes).toEqual(Array.from({ length: 400 }, (_, index) => index));
  addCommits(400, 500);
  const second = await runOnce();
  expect(second.changes).toEqual(Array.from({ length: 100 }, (_, index) => 400 + index));
  expect(second.asked).toBeLessThanOrEqual(first.asked);
  addCommits(500, 501);
  const third = await runOnce();
  expect(third.changes).toEqual([500]);
});

describe('git', () => {
  test('runs nothing the repository brings, and is not led elsewhere by variables', async () => {
    const trap = join(work, 'trap.sh');
    writeFileSync(trap, `#!/bin/sh\ntouch ${join(work, 'sprung')}\n`, { mode: 0o755 });
    for (const key of ['core.pager', 'diff.external', 'core.fsmonitor', 'gpg.program'])
      git('config', key, trap);
    git('config', 'log.showSignature', 'true');
    git('config', 'log.diffMerges', 'first-parent');
    git('config', 'color.ui', 'always');
    vi.stubEnv('GIT_DIR', join(work, 'nowhere'));
    vi.stubEnv('GIT_EXTERNAL_DIFF', trap);
    vi.stubEnv('GIT_TRACE', '1');
    expect(await textOf(hashes[4]!)).toMatch(/\nMerge the side\n$/);
    expect(await textOf(hashes[1]!)).toContain('- `src/sessions.ts`');
    vi.unstubAllEnvs();
    expect(spawnSync('ls', [join(work, 'sprung')]).status).not.toBe(0);
  });

  test.each([
    ['outside a repository', work, 'is not in a git repository'],
    ['without a folder', join(work, 'none'), 'Git cannot read the history'],
  ])('%s is a failure in plain words', async (_, folder, message) => {
    await expect(all(folder)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining(message),
    });
  });

  test('that is not installed is named', async () => {
    vi.stubEnv('PATH', work);
    await expect(all()).rejects.toMatchObject({
      message: expect.stringContaining('command git was not found'),
    });
    vi.unstubAllEnvs();
  });

  test('stops when asked', async () => {
    const signal = AbortSignal.abort();
    await expect(listed(createGitSource({ root }), signal)).rejects.toBe(signal.reason);
  });
});

test('an index beside the files finds the commit, by filters too, reads only new ones and forgets what a rebase left', async () => {
  const configPath = join(work, 'docfuse.toml');
  writeFileSync(configPath, '[[collections]]\npath = "app"\n[[collections]]\npath = "app"\nkind = "git"\n');
  await using index = await open({ config: configPath, cwd: work, indexPath: join(work, 'index') });
  expect(await index.sync({ embed: false })).toMatchObject({ added: 9, warnings: [] });
  const find = async (query: string, filters = {}) =>
    (await index.search(query, { mode: 'keyword', minConfidence: 0, filters })).hits.map(({ path }) => path);
  expect((await find('when did we drop Redis'))[0]).toBe(nameOf(hashes[1]!));
  expect(await find('redis', { collection: ['app'] })).toEqual([]);
  expect(
    await find('redis', {
      author: ['Ada "A" Łukasz'],
      before: Date.parse(git('log', '-1', '--format=%aI', hashes[1]!)),
    }),
  ).toHaveLength(1);
  expect(await find('plan', { path: [join(root, 'docs')] })).toEqual(['docs/plan.md']);
  for (const digits of [7, 8, 40]) {
    const asTyped = hashes[1]!.slice(0, digits);
    const { hits } = await index.search(asTyped, { mode: 'keyword' });
    expect(hits[0]?.path).toBe(nameOf(hashes[1]!));
    const within = `${hits[0]!.collection}/${asTyped}`;
    for (const name of [asTyped, within, `${within}.md`])
      expect((await index.read(name)).path).toBe(nameOf(hashes[1]!));
  }
  await expect(index.read(`app/${hashes[1]}`)).rejects.toMatchObject({ code: 'not_found' });
  git('commit', '-q', '--amend', '-m', 'Merge what was on the side');
  expect(await index.sync({ embed: false })).toMatchObject({ added: 1, removed: 1, unchanged: 8 });
});

test('include and exclude are refused beside kind = "git"', async () => {
  const configPath = join(work, 'globs.toml');
  writeFileSync(configPath, '[[collections]]\npath = "app"\nkind = "git"\nexclude = ["a"]\n');
  await expect(open({ config: configPath, cwd: work })).rejects.toMatchObject({
    code: 'config',
    message: expect.stringMatching(/globs\.toml:3: .*cannot have include/),
  });
});
