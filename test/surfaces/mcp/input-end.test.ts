/** What becomes of calls when the input of `docfuse mcp` ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BIN, createPlayground, type Playground } from '../cli/docfuse.ts';

let playground: Playground;
beforeAll(async () => {
  playground = createPlayground({ 'notes/a.md': '# Alpha\n\nThe first letter is alpha.\n' });
  await playground.run(['index', 'notes']);
});
afterAll(() => playground?.[Symbol.dispose]());

test('calls under way when the input ends are answered, and a line that is not JSON is skipped', async () => {
  const call = (id: number, query: string) => ({
    ...{ jsonrpc: '2.0', id, method: 'tools/call' },
    params: { name: 'query_documents', arguments: { query } },
  });
  const hello = {
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'pipe', version: '1' } },
  };
  const lines = [
    hello,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    call(2, 'alpha'),
    call(3, 'letter'),
  ];
  const input = ['no JSON', ...lines.map((line) => JSON.stringify(line))].join('\n');
  const { stdout } = await playground.run(['mcp', 'notes'], {
    onStart: (child) => child.stdin?.end(`${input}\n`),
  });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers.filter(({ id }) => id > 1).sort((a, b) => a.id - b.id)).toMatchObject([
    { result: { content: [{ text: expect.stringContaining('notes/a.md') }] } },
    { result: { content: [{ text: expect.stringContaining('notes/a.md') }] } },
  ]);
});

test('a call that is cancelled and a request that is none are not waited for when the input ends', async () => {
  const child = spawn(process.execPath, [BIN, 'mcp', '--no-server', 'notes'], {
    cwd: playground.folder,
    env: playground.env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const clientInfo = { name: 'test', version: '0' };
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const query = { name: 'query_documents', arguments: { query: 'alpha' } };
  const lines = [
    { id: 1, method: 'initialize', params: hello },
    { id: 'odd', method: 5 },
    { id: 2, method: 'ping' },
    { id: 3, method: 'tools/call', params: query },
    { method: 'notifications/cancelled', params: { requestId: 3 } },
  ];
  child.stdin.write(lines.map((line) => `${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`).join(''));
  await answers.next();
  await answers.next();
  const ended = performance.now();
  child.stdin.end();
  await once(child, 'exit');
  expect(performance.now() - ended).toBeLessThan(4_000);
});
