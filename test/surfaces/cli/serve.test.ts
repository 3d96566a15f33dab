/** The real command `serve`, and the commands that attach to it. */
import { existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { locateIndex } from '../../../src/engine/config/locate-index.ts';
import { askServer } from '../../../src/surfaces/attach/ask-server.ts';
import { findServer } from '../../../src/surfaces/attach/discovery-file.ts';
import { status } from '../../../src/surfaces/operations/status.ts';
import { startService } from '../../adapters/openai/service.ts';
import { SMALL_ENV } from '../../support/small-model.ts';
import { standBetween } from '../attach/stand-between.ts';
import { createPlayground } from './docfuse.ts';
import { startServe as start } from './start-serve.ts';

const playground = createPlayground({
  'docs/tokens.md': '# Tokens\n\nTo rotate a token, press Rotate.\n',
  'docs/backup.md': '# Backups\n\nA snapshot is taken every night.\n',
  'other/a.md': '# Other\n\nLanterns.\n',
});
afterAll(() => playground[Symbol.dispose]());
// This process has the settings of the commands, and looks for the key of servers where they look.
beforeEach(() => {
  for (const [name, value] of Object.entries({ ...SMALL_ENV, XDG_STATE_HOME: playground.env.XDG_STATE_HOME }))
    vi.stubEnv(name, value);
});
afterEach(() => void vi.unstubAllEnvs());

const startServe = (args: readonly string[], env?: Readonly<Record<string, string>>) =>
  start(playground, args, env);

const statusOf = async (...args: string[]) =>
  JSON.parse((await playground.runHere(['status', 'docs', '--json', ...args])).stdout) as {
    readonly server?: { readonly url: string; readonly pid: number };
  };

beforeAll(async () => {
  expect((await playground.run(['index', 'docs'])).code).toBe(0);
});

describe('while a server runs', () => {
  test('commands of the same index and settings ask it, and print what they print without', async () => {
    const { url, child } = await startServe(['docs']);
    expect((await statusOf()).server).toMatchObject({ url, pid: child.pid });
    const search = ['search', 'rotate a token', 'docs'];
    const attached = await playground.run(search);
    const alone = await playground.run([...search, '--no-server']);
    expect(attached.stdout).toBe(alone.stdout);
    expect(attached.stdout).toContain('docs/tokens.md:3');
    expect((await statusOf('--no-server')).server).toBeUndefined();
    expect((await statusOf('--set', 'top_n=3')).server).toBeUndefined();
    expect((await statusOf('--index', 'elsewhere')).server).toBeUndefined();
    const wrong = await playground.run(['search', 'token', 'docs', '--top-n', '0']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--top-n')]);
    expect((await playground.run(['index', 'docs'])).stderr).toBe(
      `A server keeps this index up to date (process ${child.pid}).\n`,
    );
  });

  test('`ask` and `search --files` have it search, and answer what they answer without', async () => {
    await using service = await startService();
    service.chat = ['Press Rotate [1].'];
    playground.write({
      'ask.toml': `[answer]\nbase_url = "${service.url}"\nmodel = "tiny"\n[[collections]]\npath = "docs"\n`,
    });
    const searches: string[] = [];
    const running = await startServe(['--config', 'ask.toml']);
    // Until then, an answer says that the index is being brought up to date.
    const asked = ['status', '--config', 'ask.toml', '--json'];
    const activity = async () => JSON.parse((await playground.run(asked)).stdout).server?.activity.state;
    await expect.poll(activity).toBe('idle');
    await standBetween(running, playground.env.XDG_STATE_HOME!, (request) => searches.push(request));
    const question = ['ask', 'how do I rotate a token', '--config', 'ask.toml', '--json'];
    const attached = await playground.run(question);
    expect(searches).toEqual(['POST /api/search']);
    const alone = await playground.run([...question, '--no-server']);
    expect(searches).toHaveLength(1);
    const files = ['search', 'how do I rotate a token', '--config', 'ask.toml', '--files'];
    expect((await playground.run(files)).stdout).toContain('tokens.md\n');
    expect(searches).toEqual(['POST /api/search', 'POST /api/search']);
    expect([attached.code, attached.stderr]).toEqual([0, '']);
    expect(JSON.parse(attached.stdout)).toMatchObject({
      answer: 'Press Rotate [1].',
      citations: [{ path: 'tokens.md' }],
    });
    expect(attached.stdout).toBe(alone.stdout);
    expect(service.requests).toHaveLength(2);
    const [here, there] = service.requests.map(({ body }) => JSON.stringify(body).replace(/<\/?\w{8}>/g, ''));
    expect(here).toBe(there);
  });

  test('its note is for its owner alone; a second server of the index is refused, one of another is not', async () => {
    const { lockFile, url } = await startServe(['docs']);
    if (process.platform !== 'win32') expect(statSync(lockFile).mode & 0o777).toBe(0o600);
    const second = await playground.run(['serve', 'docs', '--port', '0']);
    expect(second.code).toBe(2);
    expect(second.stderr).toContain(`served already at ${url}`);
    const other = await startServe(['other']);
    expect(other.url).not.toBe(url);
  });

  test('it sees changed files, and so do commands that ask it', async () => {
    await startServe(['docs']);
    playground.write({ 'docs/new.md': '# Quinces\n\nA quince is hard.\n' });
    const { stdout } = await playground.run(['search', 'quince', 'docs', '--mode', 'keyword']);
    expect(stdout).toContain('docs/new.md');
  });

  test('a root that is a link pointed elsewhere is read where it leads now, by the next question', async () => {
    symlinkSync('other', join(playground.folder, 'linked'));
    await startServe(['linked']);
    const search = (...more: string[]) =>
      playground.run(['search', 'lanterns', 'linked', '--mode', 'keyword', '--json', ...more]);
    expect((await search()).stdout).toContain('Lanterns.');
    playground.write({ 'third/b.md': '# Third\n\nLanterns of paper.\n' });
    rmSync(join(playground.folder, 'linked'));
    symlinkSync('third', join(playground.folder, 'linked'));
    const { hits } = JSON.parse((await search()).stdout) as { hits: { path: string }[] };
    expect(hits.map(({ path }) => path)).toEqual(['b.md']);
  });

  test('commands know its token, which is not written down', async () => {
    const { url, lockFile } = await startServe(['docs'], { DOCFUSE_TOKEN: 'a-secret-token' });
    expect((await fetch(`${url}/api/status`)).status).toBe(401);
    expect(
      (await fetch(`${url}/api/status`, { headers: { authorization: 'Bearer a-secret-token' } })).status,
    ).toBe(200);
    expect(readFileSync(lockFile, 'utf8')).not.toContain('a-secret-token');
    expect((await statusOf()).server?.url).toBe(url);
  });
});

describe('a server that ends', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s does so within three seconds, with exit code 0, and leaves no note',
    async (signal) => {
      const { child, exited, lockFile, url } = await startServe(['docs']);
      // Streams and idle connections do not hold it up.
      const events = await fetch(`${url}/api/events`);
      await (await fetch(`${url}/healthz`)).text();
      const began = performance.now();
      child.kill(signal);
      expect(await exited).toBe(0);
      expect(performance.now() - began).toBeLessThan(3_000);
      expect(existsSync(lockFile)).toBe(false);
      await events.body?.cancel().catch(() => {});
    },
  );

  test('by Ctrl-C says that it stopped, and nothing of work that was cut off', async () => {
    const { code, stderr } = await playground.run(['serve', 'docs', '--port', '0'], {
      onStart: (child) => void child.stdout?.once('data', () => child.kill('SIGINT')),
    });
    expect([code, stderr]).toEqual([0, 'Stopped.\n']);
  });

  test('because its parent is gone leaves no orphan', async () => {
    const { child, exited, lockFile } = await startServe(['docs']);
    // What happens to the channel when the parent is killed.
    child.disconnect();
    expect(await exited).toBe(0);
    expect(existsSync(lockFile)).toBe(false);
  });

  test('by being killed leaves a note that harms nobody', async () => {
    const { child, exited, lockFile, url } = await startServe(['docs']);
    child.kill('SIGKILL');
    await exited;
    expect(existsSync(lockFile)).toBe(true);
    expect((await statusOf()).server).toBeUndefined();
    const next = await startServe(['docs']);
    expect(next.url).not.toBe('');
    expect((await statusOf()).server?.url).toBe(next.url);
    expect(url).not.toBe(next.url);
  });
});

test('a note that is not true: the command does it by itself', async () => {
  const { lockFile } = await startServe(['docs']);
  const lock = JSON.parse(readFileSync(lockFile, 'utf8'));
  const changed = (change: object) => JSON.stringify({ ...lock, ...change });
  const wrong = {
    'cut short': '{"version":',
    'no object': 'null',
    'of another version': changed({ version: '9.9.9' }),
    'of other settings': changed({ config: 'x' }),
    'of a process that began at another time': changed({ process_start: '1' }),
    'of a process that is not there': changed({ pid: 4_194_304 }),
    'of a port where nobody listens': changed({ port: 1 }),
    'of another run': changed({ run: 'x' }),
  };
  for (const [name, text] of Object.entries(wrong)) {
    writeFileSync(lockFile, text);
    expect(await askFound(lock.index_path), name).toBeUndefined();
  }
  writeFileSync(lockFile, wrong['of a port where nobody listens']);
  expect((await statusOf()).server).toBeUndefined();
  writeFileSync(lockFile, JSON.stringify(lock));
  expect(await askFound(lock.index_path)).toMatchObject({ server: { pid: lock.pid } });
});

// Windows has no way to stop a process and let it go on.
test.skipIf(process.platform === 'win32')('a server that hangs is not waited for', async () => {
  const { child, lockFile } = await startServe(['docs']);
  const { index_path } = JSON.parse(readFileSync(lockFile, 'utf8'));
  child.kill('SIGSTOP');
  expect(await askFound(index_path)).toBeUndefined();
  child.kill('SIGCONT');
  expect(await askFound(index_path)).toMatchObject({ server: { pid: child.pid } });
});

test.skipIf(process.platform === 'win32')(
  'a server that is killed while a search waits for it leaves the search to do it by itself',
  async () => {
    const { child } = await startServe(['docs']);
    child.kill('SIGSTOP');
    const { code, stdout } = await playground.run(['search', 'rotate a token', 'docs'], {
      onStart: () => void setTimeout(() => child.kill('SIGKILL'), 700),
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining('docs/tokens.md:3')]);
  },
);

test('of servers that start at once for one index one stays, and the others say so', async () => {
  const started = await Promise.allSettled([1, 2, 3].map(() => startServe(['docs'])));
  const running = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  expect((await statusOf()).server?.pid).toBe(running[0]?.child.pid);
  expect(running).toHaveLength(1);
  for (const each of started)
    if (each.status === 'rejected') expect(String(each.reason)).toContain('This index is served already');
});

/** What the server answers that a command finds, if one does. */
async function askFound(indexPath: string): Promise<unknown> {
  const options = { cwd: playground.folder, roots: ['docs'], indexPath };
  const server = findServer(locateIndex(options), playground.folder);
  return server && askServer(server, status, {});
}

test('another address needs a token, and says so', async () => {
  const open = await playground.run(['serve', 'docs', '--host', '0.0.0.0', '--port', '0']);
  expect(open.code).toBe(2);
  expect(open.stderr).toContain('gives other machines access');
  const { url } = await startServe(['docs', '--host', '0.0.0.0', '--token', 'secret']);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await fetch(`${url}/api/status`)).status).toBe(401);
});

test.each([
  [['--port', 'x'], 'is not a port, 0–65535.'],
  [['--port', '65536'], 'is not a port, 0–65535.'],
  [['--token', 'two words'], 'a header cannot contain'],
  [['nowhere'], 'There is no file or folder'],
])('%j is refused with a sentence', async (args, sentence) => {
  const { code, stderr } = await playground.run(['serve', '--port', '0', ...args]);
  expect(code).toBeGreaterThan(0);
  expect(stderr).toContain(sentence);
});

test('a port that is taken is named', async () => {
  const { url } = await startServe(['docs']);
  const { code, stderr } = await playground.run(['serve', 'other', '--port', new URL(url).port]);
  expect(code).toBe(2);
  expect(stderr).toContain('another program uses this port');
});
