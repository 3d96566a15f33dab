/** Progress of a request, and an end to it before its time. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, type Progress } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { digestConfig, locateIndex } from '../../../src/engine/config/locate-index.ts';
import { VERSION } from '../../../src/engine/version.ts';
import { writeDiscoveryFile } from '../../../src/surfaces/attach/discovery-file.ts';
import { makeServerSecret } from '../../../src/surfaces/attach/server-secret.ts';
import { createServer } from '../../../src/surfaces/http/create-server.ts';
import { createEventLog } from '../../../src/surfaces/http/event-log.ts';
import { LOOPBACK_HOSTS } from '../../../src/surfaces/http/guard.ts';
import { listen } from '../../../src/surfaces/http/listen.ts';
import { createMcpServerFactory } from '../../../src/surfaces/mcp/create-mcp-server.ts';
import { startBusy } from '../attach/busy.ts';
import { BIN, createPlayground, type Playground } from '../cli/docfuse.ts';
import { type Connected, connectHttp, connectStdio, ERAS, type Era } from './connect.ts';
import { waiting } from './waiting.ts';

const WAIT_SERVER = fileURLToPath(new URL('./wait-server.ts', import.meta.url));

test.each(ERAS)('%s: progress while the index is made, ever growing', async (era) => {
  using playground = createPlayground(notes(60, 40), { packagedModel: true });
  await using connected = await connectNotes(playground, era);
  checkProgress(await progressWhenTold(playground, connected));
});

test.each(ERAS)('%s: progress of the server that is asked, ever growing', async (era) => {
  using playground = createPlayground({ 'notes/first.md': '# First\n' }, { packagedModel: true });
  const server = spawn(process.execPath, [BIN, 'serve', '--port', '0', 'notes'], {
    cwd: playground.folder,
    env: playground.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  // Before its folder goes: it writes there until it ends.
  await using _ended = {
    async [Symbol.asyncDispose]() {
      server.kill('SIGKILL');
      await once(server, 'exit');
    },
  };
  await once(server.stdout, 'data');
  await using connected = await connectNotes(playground, era);
  expect(
    (await connected.client.callTool({ name: 'index_status', arguments: {} })).structuredContent,
  ).toMatchObject({
    server: { pid: server.pid },
  });
  checkProgress(await progressWhenTold(playground, connected));
});

test.each(ERAS)('%s over stdio: a request that is cancelled stops the operation', async (era) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [WAIT_SERVER],
    stderr: 'pipe',
  });
  let told = '';
  transport.stderr!.on('data', (text) => {
    told += text;
  });
  const mode = era === 'modern' ? ({ pin: '2026-07-28' } as const) : 'legacy';
  const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  const stop = new AbortController();
  const call = client.callTool({ name: 'wait', arguments: {} }, { signal: stop.signal });
  call.catch(() => {});
  await expect.poll(() => told).toContain('started');
  expect(told).not.toContain('stopped');
  stop.abort();
  await expect(call).rejects.toThrow();
  await expect.poll(() => told).toContain('stopped');
  expect((await client.listTools()).tools).toHaveLength(1);
  await client.close();
});

test.each(ERAS)('%s: a request that is cancelled hangs up on the server that is asked', async (era) => {
  using playground = createPlayground({ 'notes/first.md': '# First\n' }, { packagedModel: true });
  const location = locateIndex({
    cwd: playground.folder,
    roots: ['notes'],
    indexPath: join(playground.folder, '.i'),
  });
  await using server = await startBusy(
    {},
    {
      ...{ config: digestConfig(location.config), version: VERSION, index_path: location.indexPath },
      secret: makeServerSecret(join(playground.env.XDG_STATE_HOME!, 'docfuse')),
    },
  );
  const { secret: _, ...note } = server.note;
  writeDiscoveryFile(note);
  const env = { ...playground.env, DOCFUSE_INDEX: location.indexPath };
  await using connected = await connectNotes({ ...playground, env }, era);
  const stop = new AbortController();
  const call = connected.client.callTool(
    { name: 'query_documents', arguments: { query: 'first' } },
    { signal: stop.signal },
  );
  call.catch(() => {});
  await expect.poll(server.load).toBe(1);
  expect(server.hungUp()).toBe(0);
  stop.abort();
  await expect.poll(server.hungUp).toBe(1);
});

test('over HTTP: a request whose client hangs up stops the operation', async () => {
  const told: string[] = [];
  const server = createServer({
    context: { options: {}, now: () => 0, open: () => Promise.reject(new Error('no index')) },
    guard: { hosts: LOOPBACK_HOSTS, origins: [], tokens: [] },
    mcp: (run) =>
      createMcpServerFactory({
        ...{ run, version: '0', collections: [] },
        operations: [waiting((event) => told.push(event))],
      }),
    ...{ events: createEventLog({ run: 'test' }), version: '0' },
  });
  const listener = await listen(server.fetch, { host: '127.0.0.1', port: 0 });
  try {
    await using connected = await connectHttp(`http://127.0.0.1:${listener.port}`, { era: 'modern' });
    const stop = new AbortController();
    const call = connected.client.callTool({ name: 'wait', arguments: {} }, { signal: stop.signal });
    call.catch(() => {});
    await expect.poll(() => told).toEqual(['started']);
    stop.abort();
    await expect.poll(() => told).toEqual(['started', 'stopped']);
    expect(server.load()).toBe(0);
  } finally {
    server.close();
    await listener.close(100);
  }
});

test('nothing but protocol on stdout, and an end when stdin ends', async () => {
  using playground = createPlayground({ 'notes/a.md': '# A\n\nAlpha.\n' }, { packagedModel: true });
  const child = spawn(process.execPath, [BIN, 'mcp', 'notes'], {
    cwd: playground.folder,
    env: playground.env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '0' } };
  send({ id: 1, method: 'initialize', params });
  send({ method: 'notifications/initialized' });
  child.stdin.write('this is no message\n');
  const call = { name: 'query_documents', arguments: { query: 'alpha' } };
  send({ id: 2, method: 'tools/call', params: call });
  await expect.poll(() => stdout).toContain('"id":2');
  const exit = once(child, 'exit');
  child.stdin.end();
  expect(await exit).toEqual([0, null]);
  const messages = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const message of messages) expect(message.jsonrpc).toBe('2.0');
  expect(messages.find(({ id }) => id === 2).result.structuredContent.hits).toHaveLength(1);
});

/** Enough of them that their vectors take a while. */
function notes(count: number, sentences: number): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, each) => [
      `notes/${each}.md`,
      `# Note ${each}\n\n${`Something about subject ${each}. `.repeat(sentences)}\n`,
    ]),
  );
}

function connectNotes({ folder, env }: Playground, era: Era): Promise<Connected> {
  return connectStdio({ args: [BIN, 'mcp', 'notes'], cwd: folder, env, era });
}

async function progressOfQuery({ client }: Connected): Promise<readonly Progress[]> {
  const seen: Progress[] = [];
  const answer = await client.callTool(
    { name: 'query_documents', arguments: { query: 'subject 7' } },
    { onprogress: (progress) => seen.push(progress) },
  );
  expect(answer.isError).toBeUndefined();
  return seen;
}

/** Asks until progress is told: on a busy machine, all may have been read before the question comes. */
async function progressWhenTold(playground: Playground, connected: Connected): Promise<readonly Progress[]> {
  let seen = await progressOfQuery(connected);
  for (let round = 1; seen.length === 0; round++) {
    // Short ones, so that something is done every moment.
    playground.write(notes(400, round));
    seen = await progressOfQuery(connected);
  }
  return seen;
}

function checkProgress(seen: readonly Progress[]): void {
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.map(({ progress }) => progress)).toEqual(
    [...new Set(seen.map(({ progress }) => progress))].sort((a, b) => a - b),
  );
  for (const { progress, total, message } of seen) {
    expect(progress).toBeLessThanOrEqual(total!);
    expect(message).toMatch(/^(Reading files|Embedding passages)$/);
  }
}
