/** Names and texts that try to break out of where they are shown, over the real command on a terminal and in its log. */
import { spawn } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import { parse } from 'smol-toml';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { escapesIn, FOLDER, HOSTILE, NAME, ORDER, SIGNS } from '../hostile-notes.ts';
import { BIN, createPlayground } from './docfuse.ts';
import { executeHere, type Outcome } from './execute-here.ts';

const LINUX = process.platform === 'linux';
const playground = createPlayground();
afterAll(() => playground[Symbol.dispose]());

/** Colours are ours. */
const COLOUR = /\u001b\[\d{1,2}m/g;

let indexed: Outcome;
beforeAll(async () => {
  if (!LINUX) return;
  playground.write(
    Object.fromEntries(Object.entries(HOSTILE).map(([path, text]) => [`${FOLDER}/${path}`, text])),
  );
  symlinkSync('nowhere', join(playground.folder, FOLDER, `broken\n${ORDER}${SIGNS}.md`));
  indexed = await playground.runHere(['index', FOLDER, '--no-embed']);
});

test.runIf(LINUX)('files that are left out are named on a line each', () => {
  expect(indexed.code).toBe(0);
  expect(indexed.stderr.split('\n').filter((line) => line.includes('leads nowhere'))).toHaveLength(1);
  expect(escapesIn(indexed.stderr)).toEqual([]);
});

const SEARCH = ['search', 'zebra', '--mode', 'keyword', '--no-sync'];
const BAD_NAME = `gone\n${ORDER}${SIGNS}`;

describe.runIf(LINUX)('on a terminal nothing breaks out of its line', () => {
  test.each([
    ['a search', SEARCH],
    ['an explanation', [...SEARCH, '--explain']],
    ['paths', [...SEARCH, '--files']],
    ['passages', [...SEARCH, '--context']],
    ['JSON', [...SEARCH, '--json']],
    ['documents', ['list']],
    ['an unknown tag', ['list', '--tag', BAD_NAME]],
    ['tags', ['list', 'tags']],
    ['collections', ['list', 'collections']],
    ['links', ['graph']],
    ['the map', ['map']],
    ['the state', ['status']],
    ['an audit', ['audit']],
    ['settings', ['config']],
    ['checks', ['doctor']],
    ['a run', ['index', '--dry-run']],
    ['relatives', ['related', 'linked.md']],
    ['a text', ['read', NAME]],
    ['an unknown document', ['read', BAD_NAME]],
    ['a failure with its stack', ['read', BAD_NAME, '--debug']],
    ['a configuration', ['mcp', 'install', '--client', 'cursor']],
  ])('%s', async (_, args) => {
    const env = { ...playground.env, TERM: 'xterm-256color' };
    const there = { cwd: join(playground.folder, FOLDER), env, columns: 100 };
    const { stdout, stderr } = await executeHere([BIN, ...args], there);
    expect(stdout + stderr).not.toBe('');
    expect(escapesIn((stdout + stderr).replace(COLOUR, ''))).toEqual([]);
  });
});

test.runIf(LINUX)('JSON keeps the true values', async () => {
  const { stdout } = await playground.runHere([...SEARCH, '--json', FOLDER]);
  const { hits } = JSON.parse(stdout) as { readonly hits: readonly { path: string; text: string }[] };
  expect(hits.map(({ path }) => path)).toContain(NAME);
  expect(hits.map(({ text }) => text).join('\n')).toContain(`The zebra walks.${SIGNS}`);
});

test.runIf(LINUX)('a name that was shown finds its file', async () => {
  const { stdout } = await playground.runHere([...SEARCH, '--files', FOLDER]);
  const shown = stdout.split('\n').find((line) => line.includes('plan'))!;
  const { code, stdout: text } = await playground.runHere(['read', shown, FOLDER]);
  expect([code, text]).toEqual([0, expect.stringContaining('The zebra walks.')]);
});

test.runIf(LINUX)('--context is one paragraph and one fence a passage, whatever they hold', async () => {
  const { stdout } = await playground.runHere([...SEARCH, '--context', FOLDER]);
  const kinds = new MarkdownIt('commonmark').parse(stdout, {}).filter(({ level }) => level === 0);
  expect(kinds.map(({ type }) => type)).toEqual(
    Array.from({ length: 3 }, () => ['paragraph_open', 'paragraph_close', 'fence']).flat(),
  );
  expect(escapesIn(stdout)).toEqual([]);
  const named = stdout.split('\n').filter((line) => line.includes('plan `[x](y)'));
  expect(named).toEqual([expect.stringMatching(/^\[\d\] .*␊SYSTEM.*\.md:\d+-\d+ {2}Title/)]);
});

test.runIf(LINUX)('the log of a server is a line an event', async () => {
  const child = spawn(process.execPath, [BIN, 'serve', FOLDER, '--port', '0'], {
    cwd: playground.folder,
    env: playground.env,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let log = '';
  const warned = new Promise<void>((resolve) => {
    child.stderr.on('data', (data) => {
      log += data;
      if (log.includes('warning')) resolve();
    });
  });
  let said = '';
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (data) => {
      said += data;
      if (said.includes('http://')) resolve();
    });
  });
  writeFileSync(
    join(playground.folder, FOLDER, `odd\n${ORDER}${SIGNS}.md`),
    '---\ntitle: [\n---\nThe zebra.\n',
  );
  await warned;
  expect(escapesIn(said + log)).toEqual([]);
});

test.runIf(LINUX)('settings are TOML that reads back the true names', async () => {
  const { stdout } = await playground.runHere(['config', '--json', FOLDER]);
  const shown = await playground.runHere(['config', FOLDER]);
  const { index_path, collections } = JSON.parse(stdout);
  expect(parse(shown.stdout)).toMatchObject({ index_path, collections: [{ path: collections[0].root }] });
  expect(collections[0].root).toBe(join(playground.folder, FOLDER));
});
