/** The command `open`, with a program in place of the browser. */
import { fork } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { browserCommand } from '../../../src/surfaces/cli/open-outside.ts';
import { BIN, createPlayground } from './docfuse.ts';
import { firstLine, startServe } from './start-serve.ts';

const FAKE = '#!/bin/sh\nprintf "%s\\n" "$0" "$@" > "$OUT"\nexit $CODE\n';
const playground = createPlayground({
  'docs/tokens.md': '# Tokens\n\nTo rotate a token, press Rotate.\n',
  'other/a.md': '# Other\n\nLanterns.\n',
  'bin/xdg-open': FAKE,
  'bin/my browser': FAKE,
});
for (const name of ['xdg-open', 'my browser']) chmodSync(join(playground.folder, 'bin', name), 0o755);
afterAll(() => playground[Symbol.dispose]());

const OUT = join(playground.folder, 'opened');
beforeEach(() => rmSync(OUT, { force: true }));
const ENV = {
  PATH: `${join(playground.folder, 'bin')}:${playground.env.PATH}`,
  OUT,
  DISPLAY: ':9',
  CODE: '0',
};
const opened = () => readFileSync(OUT, 'utf8').trimEnd().split('\n');

/** Runs `open` until it is told to stop. */
async function startOpen(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = fork(BIN, ['open', ...args], {
    cwd: playground.folder,
    env: { ...playground.env, ...ENV, ...env },
    silent: true,
  });
  let errors = '';
  child.stderr!.on('data', (text) => (errors += text));
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return { child, exited, line: await firstLine(child), errors: () => errors };
}

test('without a server, it serves, and opens the page at the query, whatever the query holds', async () => {
  const query = `how "do" I $(touch ${OUT}.bad) & rotate; #1 ü`;
  const { child, exited, line } = await startOpen(['docs', '--port', '0', '--query', query]);
  const [, url] = /^Serving \S+ at (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(line)!;
  await vi.waitFor(() => expect(opened()).toHaveLength(2), 20_000);
  const [program, address] = opened();
  expect(program).toBe(join(playground.folder, 'bin/xdg-open'));
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?q=[\w+%*.-]+$/);
  expect(new URL(address!).origin).toBe(url);
  expect(new URL(address!).searchParams.get('q')).toBe(query);
  expect(existsSync(`${OUT}.bad`)).toBe(false);
  expect((await fetch(address!)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
});

test('with a server, it opens the page of that server and ends', async () => {
  const { url, child } = await startServe(playground, ['docs']);
  const { code, stdout, stderr } = await playground.runHere(['open', 'docs', '--query', 'token'], {
    env: ENV,
  });
  expect([code, stdout, stderr]).toEqual([0, `${url}/?q=token\n`, '']);
  expect(opened()[1]).toBe(`${url}/?q=token`);
  const told = await playground.runHere(['open', 'docs', '--json', '--no-browser'], { env: ENV });
  expect(JSON.parse(told.stdout)).toMatchObject({ url, pid: child.pid });
});

test('BROWSER names the browser, with arguments', async () => {
  const { url } = await startServe(playground, ['docs']);
  const env = { ...ENV, BROWSER: `'${join(playground.folder, 'bin/my browser')}' --new` };
  expect((await playground.runHere(['open', 'docs'], { env })).code).toBe(0);
  expect(opened()).toEqual([join(playground.folder, 'bin/my browser'), '--new', `${url}/`]);
});

test('where no browser can be shown, or none is wanted, it prints the address', async () => {
  const { url } = await startServe(playground, ['docs']);
  const { DISPLAY: _, ...blind } = ENV;
  const notes = async (args: readonly string[], env: Readonly<Record<string, string>>) => {
    const { code, stdout, stderr } = await playground.runHere(['open', 'docs', ...args], { env });
    expect([code, stdout]).toEqual([0, `${url}/\n`]);
    return stderr;
  };
  const advice = `Open ${url}/ in a browser.\n`;
  expect(await notes([], blind)).toBe(`There is no display to show a browser on. ${advice}`);
  expect(await notes(['--no-browser'], ENV)).toBe(advice);
  expect(existsSync(OUT)).toBe(false);
  expect(await notes([], { ...ENV, CODE: '3' })).toBe(
    `The program xdg-open that opens a browser failed. ${advice}`,
  );
  expect(await notes([], { ...ENV, BROWSER: '/nowhere/lynx' })).toBe(
    `The program /nowhere/lynx that opens a browser cannot be started. ${advice}`,
  );
  expect(await notes(['--quiet'], blind)).toBe('');
});

test('a server that needs a token is told, and the token is not in the address', async () => {
  const { url } = await startServe(playground, ['docs'], { DOCFUSE_TOKEN: 'a-secret-token' });
  const { stdout, stderr } = await playground.runHere(['open', 'docs'], { env: ENV });
  expect([stdout, stderr]).toEqual([
    `${url}/\n`,
    'This server needs its token. The page asks for it once in each tab.\n',
  ]);
  expect(opened()[1]).toBe(`${url}/`);
});

test('if the usual port is taken by another server, a free one is used; a port that was given is not changed', async () => {
  const { url } = await startServe(playground, ['other']);
  const { port } = new URL(url);
  const taken = ['docs', '--set', `server.port=${port}`];
  const { line, child, exited } = await startOpen(taken);
  const [, own] = /at (http:\S+)\n$/.exec(line)!;
  expect(own).not.toBe(url);
  await vi.waitFor(() => expect(opened()[1]).toBe(`${own}/`), 20_000);
  child.kill('SIGTERM');
  await exited;
  const { code, stderr } = await playground.runHere(['open', 'docs', '--port', port], { env: ENV });
  expect([code, stderr]).toEqual([2, expect.stringMatching(/another program uses this port/)]);
});

test('a query that no address can hold is refused', async () => {
  const { code, stderr } = await playground.runHere(['open', 'docs', '--query', 'word '.repeat(1_500)]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('too long for the address')]);
});

test('each system has its program', () => {
  expect(browserCommand({}, 'darwin')).toEqual(['open']);
  expect(browserCommand({}, 'win32')).toEqual(['rundll32', 'url.dll,FileProtocolHandler']);
  expect(browserCommand({ WSL_DISTRO_NAME: 'Debian' }, 'linux')).toEqual(['wslview']);
  expect(browserCommand({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toEqual(['xdg-open']);
  expect(browserCommand({}, 'linux')).toEqual([]);
});
