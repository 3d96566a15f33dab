/** One process for many clients, and no process that outlives its client. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { BIN, createPlayground, type Playground } from '../cli/docfuse.ts';
import { processFacts, TELLS } from '../process-facts.ts';
import { connectStdio, textOf } from './connect.ts';

const PARENT = fileURLToPath(new URL('./parent.ts', import.meta.url));

const MODEL = new URL('../../../models/bge-small-en-v1.5/model_quantized.onnx', import.meta.url);
/** The matrices of the model are most of its file, and are copied to be arranged for speed. */
const COPIED = statSync(MODEL).size / 2;

let playground: Playground;
beforeAll(async () => {
  playground = createPlayground(
    { 'notes/a.md': '# Alpha\n\nThe first letter is alpha.\n' },
    { packagedModel: true },
  );
  await playground.run(['index', 'notes']);
});
afterAll(() => playground?.[Symbol.dispose]());

test.each(['SIGKILL', 'SIGTERM'] as const)('a client that dies of %s leaves no process', async (signal) => {
  const parent = spawn(process.execPath, [PARENT, BIN, 'mcp', 'notes'], {
    cwd: playground.folder,
    env: playground.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(parent.stdout.setEncoding('utf8'), 'data');
  const { pid } = JSON.parse(line);
  expect(isAlive(pid)).toBe(true);
  parent.kill(signal);
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test('a root that is not there ends it before the handshake; one that has gone since does not', async () => {
  const { code, stdout, stderr } = await playground.run(['mcp', 'nope']);
  expect([code, stdout, stderr]).toEqual([
    1,
    '',
    `error: There is no file or folder ${join(playground.folder, 'nope')}.\nCheck the path.\n`,
  ]);
  playground.write({ 'gone/a.md': '# Gone\n' });
  await playground.run(['index', 'gone', '--no-embed']);
  rmSync(join(playground.folder, 'gone'), { recursive: true });
  const { folder: cwd, env } = playground;
  await using gone = await connectStdio({ cwd, env, args: [BIN, 'mcp', 'gone'] });
  const listed = await gone.client.callTool({ name: 'list_documents', arguments: {} });
  expect(textOf(listed)).toContain('gone/a.md');
});

test('a client that dies while the index is made leaves no process', async () => {
  using busy = createPlayground(
    Object.fromEntries(
      Array.from({ length: 300 }, (_, each) => [
        `notes/${each}.md`,
        `# ${each}\n\n${`Word ${each}. `.repeat(200)}`,
      ]),
    ),
    { packagedModel: true },
  );
  const parent = spawn(process.execPath, [PARENT, BIN, 'mcp', 'notes'], {
    cwd: busy.folder,
    env: busy.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(parent.stdout.setEncoding('utf8'), 'data');
  const { pid } = JSON.parse(line);
  parent.kill('SIGKILL');
  await expect.poll(() => isAlive(pid)).toBe(false);
});

// Only Linux tells the children of a process.
test.runIf(process.platform === 'linux')(
  'under an old Node: a launcher that is killed takes the server with it, even while stdin stays open',
  async () => {
    using old = createPlayground(
      {
        'notes/a.md': '# Alpha\n',
        'old.mjs': `if (!process.env.DOCFUSE_NODE_REPLACED)
        Object.defineProperty(process.versions, 'node', { value: '20.19.5' });`,
      },
      { packagedModel: true },
    );
    const holder = spawn('sleep', ['30'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const args = ['--import', join(old.folder, 'old.mjs'), BIN, 'mcp', 'notes'];
    const launcher = spawn(process.execPath, args, {
      cwd: old.folder,
      env: old.env,
      stdio: [holder.stdout, 'ignore', 'ignore'],
    });
    const children = () => readFileSync(`/proc/${launcher.pid}/task/${launcher.pid}/children`, 'utf8').trim();
    await expect.poll(children).not.toBe('');
    const pid = Number(children());
    // It has its index once it listens for the end of its parent.
    await expect.poll(() => existsSync(join(old.folder, '.data'))).toBe(true);
    await kill(launcher);
    await expect.poll(() => isAlive(pid)).toBe(false);
    await kill(holder);
  },
);

test('a line that is too long ends the server, and it says why', async () => {
  const child = spawn(process.execPath, [BIN, 'mcp', '--no-server', 'notes'], {
    cwd: playground.folder,
    env: playground.env,
    stdio: 'pipe',
  });
  child.stdin.on('error', () => {}); // the server ends before it has read all
  const hello = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '0' },
  };
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await answers.next()).value!);
  const say = (method: string, id: number, params = {}) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  say('initialize', 1, hello);
  expect(await next()).toMatchObject({ id: 1, result: {} });
  say('ping', 2, { much: 'x'.repeat(2 * 1024 * 1024) });
  expect(await next()).toMatchObject({ id: 2, result: {} });
  say('ping', 3, { much: 'x'.repeat(11 * 1024 * 1024) });
  const said = text(child.stderr);
  expect(await once(child, 'exit')).toEqual([2, null]);
  expect(await said).toContain('The client sent a line of more than 10 MiB.\nSend smaller requests.');
});

test('clients share a running server, outlive it, and end with their own client', async () => {
  const server = await serve();
  const args = [BIN, 'mcp', 'notes'];
  const target = { args, cwd: playground.folder, env: playground.env };
  await using first = await connectStdio(target);
  await using second = await connectStdio({ ...target, era: 'modern' });
  for (const { client } of [first, second]) expect(await serverOf(client)).toBe(server.pid);
  await using alone = await connectStdio({ ...target, args: [BIN, 'mcp', '--no-server', 'notes'] });
  expect(await serverOf(alone.client)).toBeUndefined();

  const [answers] = await Promise.all([ask(first.client), ask(second.client)]);
  expect(answers).toContain('notes/a.md:1-3');
  await kill(server);
  for (const { client } of [first, second]) {
    expect(await ask(client)).toContain('notes/a.md:1-3');
    expect(await serverOf(client)).toBeUndefined();
  }
});

// Windows has no way to stop a process and let it go on.
test.skipIf(process.platform === 'win32')(
  'a client that was there first goes over to a server that begins, goes on after hanging, or takes the place of another',
  async () => {
    const target = { args: [BIN, 'mcp', 'notes'], cwd: playground.folder, env: playground.env };
    await using early = await connectStdio(target);
    expect(await serverOf(early.client)).toBeUndefined();
    // So often that queries are embedded on a thread of their own.
    for (let asked = 0; asked < 25; asked++) await ask(early.client, `first letter alpha ${asked}`);
    const before = TELLS && processFacts(early.pid!);
    const first = await serve();
    // Nobody asks, and it gives its own index up all the same.
    await expect.poll(() => holdsIndex(early.pid!), { timeout: 15_000 }).not.toBe(true);
    if (before) {
      expect(before.threads).toContain('docfuse-embeddi'); // Linux keeps 15 characters of a name
      // The threads of the models have ended, and their memory is the system's again.
      const modelThreads = () =>
        processFacts(early.pid!).threads.filter((name) => /^(Main|docfuse)/.test(name));
      await expect.poll(modelThreads).toEqual(['MainThread']);
      expect(processFacts(early.pid!).hasModel).toBe(false);
      await expect.poll(() => processFacts(early.pid!).memory).toBeLessThan(before.memory - COPIED);
    }
    const asked = () => serverOf(early.client);
    expect(await asked()).toBe(first.pid);

    first.kill('SIGSTOP');
    expect(await ask(early.client)).toContain('notes/a.md:1-3');
    expect(await asked()).toBeUndefined();
    expect(holdsIndex(early.pid!)).not.toBe(false);
    first.kill('SIGCONT');
    await expect.poll(asked).toBe(first.pid);
    await expect.poll(() => holdsIndex(early.pid!)).not.toBe(true);

    await kill(first);
    const second = await serve();
    expect(await asked()).toBe(second.pid);
    expect(holdsIndex(early.pid!)).not.toBe(true);
    await kill(second);
  },
);

test('another configuration than that of the server is not asked of it', async () => {
  const server = await serve();
  const args = [BIN, 'mcp', '--set', 'search.fusion=rrf', 'notes'];
  await using other = await connectStdio({ args, cwd: playground.folder, env: playground.env });
  expect(await serverOf(other.client)).toBeUndefined();
  await kill(server);
});

/** Starts a server of the notes, which ends with the test. */
async function serve(): Promise<ChildProcess> {
  const server = spawn(process.execPath, [BIN, 'serve', '--port', '0', 'notes'], {
    cwd: playground.folder,
    env: playground.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  await once(server.stdout, 'data');
  return server;
}

/** Whether the process has the file of an index open; undefined where the system does not tell. */
function holdsIndex(pid: number): boolean | undefined {
  return TELLS ? processFacts(pid).holdsIndex : undefined;
}

type Client = Awaited<ReturnType<typeof connectStdio>>['client'];

async function ask(client: Client, query = 'first letter alpha'): Promise<string> {
  return textOf(await client.callTool({ name: 'query_documents', arguments: { query } }));
}

/** Process of the server that answers, if one does. */
async function serverOf(client: Client): Promise<number | undefined> {
  const { structuredContent } = await client.callTool({ name: 'index_status', arguments: {} });
  return (structuredContent as { readonly server?: { readonly pid: number } }).server?.pid;
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
