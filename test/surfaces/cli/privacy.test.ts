/** What is private stays so: no connection to anywhere, nothing readable for others. */
import type { ChildProcess } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test, vi } from 'vitest';
import { connectStdio, textOf } from '../mcp/connect.ts';
import { BIN, createPlayground, execute } from './docfuse.ts';
import { startServe } from './start-serve.ts';

const playground = createPlayground(
  {
    'secret.md': '# Secret\n\nThe password is swordfish.\n',
    'docs/a.md':
      '---\nrelated: [../secret.md, ../../../../etc/passwd, b]\n---\n# Alpha\n\nSee [b](b.md), [s](../secret.md), ![[../secret]] and [p](/etc/passwd).\n',
    'docs/b.md': '# Beta\n\nThe letter after alpha.\n',
    'set/queries.jsonl': '{"_id":"1","text":"letter after alpha"}\n',
    'set/qrels.tsv': 'query-id\tcorpus-id\tscore\n1\tb.md\t1\n',
  },
  { packagedModel: true },
);
afterAll(() => playground[Symbol.dispose]());

const TRAP = pathToFileURL(join(import.meta.dirname, 'no-network-child.ts')).href;
const log = join(playground.folder, 'trapped.txt');
const LATE = { timeout: 30_000, interval: 50 };
const cache = join(playground.folder, '.cache');
const trapped = { XDG_CACHE_HOME: cache, NODE_OPTIONS: `--import=${TRAP}`, NETWORK_TRAP: log };

/** Every way out that Node has, as a program would take it. */
const ROADS: Readonly<Record<string, string>> = {
  'net.connect': "require('net').connect(9)",
  'Socket.connect': "new (require('net').Socket)().connect(9)",
  'Server.listen': "require('http').createServer().listen(0)",
  'tls.connect': "require('tls').connect(9)",
  'http.get': "require('http').get('http://127.0.0.1:9')",
  'https.request': "require('https').request('https://127.0.0.1:9')",
  'http2.connect': "require('http2').connect('http://127.0.0.1:9')",
  'dgram.createSocket': "require('dgram').createSocket('udp4')",
  'dns.lookup': "require('dns').lookup('localhost', () => {})",
  'dns/promises.lookup': "require('dns').promises.lookup('localhost')",
  'dns/promises.resolve4': "require('dns/promises').resolve4('localhost')",
  'child_process.spawn': "require('child_process').spawn('true')",
  'child_process.execFileSync': "require('child_process').execFileSync('true')",
  fetch: "fetch('http://127.0.0.1:9')",
  WebSocket: "new WebSocket('ws://127.0.0.1:9')",
};

test('the trap catches every way out, in threads, too', async () => {
  const env = { ...playground.env, ...trapped };
  const each = Object.values(ROADS).map(
    (code) => `try { ${code} } catch (error) { console.log(error.message) }`,
  );
  const again =
    "const { isMainThread, Worker } = require('worker_threads'); if (isMainThread) new Worker(__filename)";
  playground.write({ 'roads.cjs': [...each, again].join('\n') });
  const { stdout } = await execute(['roads.cjs'], { cwd: playground.folder, env });
  const names = Object.keys(ROADS);
  expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual([...names, ...names]);
  expect(stdout.match(/The network was used/g)).toHaveLength(2 * names.length);
});

test('the whole main job needs no network and tries none', async () => {
  playground.write({ 'trapped.txt': '' });
  for (const args of [
    ['index', 'docs'],
    ['search', 'letter after alpha', 'docs'],
    ['read', 'docs/b.md', 'docs'],
    ['related', 'docs/a.md', 'docs'],
    ['list', 'docs'],
    ['status', 'docs'],
    ['doctor', 'docs'],
    ['eval', 'set', '--docs', 'docs'],
  ]) {
    const { code, stderr } = await playground.run(args, { env: trapped });
    expect([args[0], code, code === 0 ? '' : stderr]).toEqual([args[0], 0, '']);
  }
  expect(readFileSync(log, 'utf8')).toBe('');
}, 120_000);

test('nor does a server of tools that speaks to its client over stdio', async () => {
  playground.write({ 'trapped.txt': '', 'docs/c.md': '# Gamma\n\nThe letter after beta.\n' });
  const env = { ...playground.env, ...trapped };
  const { client, ...connection } = await connectStdio({
    args: [BIN, 'mcp', 'docs'],
    cwd: playground.folder,
    env,
  });
  const answers = [];
  for (const [name, input] of Object.entries({
    query_documents: { query: 'letter after beta' },
    read_document: { document: 'docs/c.md' },
    index_status: {},
  }))
    answers.push(textOf(await client.callTool({ name, arguments: input })));
  await connection[Symbol.asyncDispose]();
  expect(answers).toEqual([
    expect.stringContaining('c.md'),
    expect.stringContaining('The letter after beta.'),
    expect.stringContaining('3'),
  ]);
  expect(readFileSync(log, 'utf8')).toBe('');
}, 120_000);

test('nor does `index --watch`, while files change', async () => {
  playground.write({ 'trapped.txt': '' });
  let out = '';
  let child: ChildProcess | undefined;
  const outcome = playground.run(['index', 'docs', '--watch'], {
    env: trapped,
    onStart(started) {
      child = started;
      started.stdout?.on('data', (text: string) => (out += text));
      started.stderr?.on('data', (text: string) => (out += text));
    },
  });
  await vi.waitFor(() => expect(out).toContain('Watching for changes'), LATE);
  playground.write({ 'docs/d.md': '# Delta\n\nThe letter after gamma.\n' });
  await vi.waitFor(() => expect(out).toContain('added docs/d.md'), LATE);
  child?.kill('SIGINT');
  expect((await outcome).code).toBe(0);
  expect(readFileSync(log, 'utf8')).toBe('');
}, 120_000);

test('nor does a server, which listens on this machine alone, while it is asked and files change', async () => {
  playground.write({ 'trapped.txt': '' });
  const { url, child, exited } = await startServe(playground, ['docs'], trapped);
  playground.write({ 'docs/e.md': '# Epsilon\n\nThe letter after delta.\n' });
  const answer = async (path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(
      `${url}${path}`,
      body && { method: 'POST', headers, body: JSON.stringify(body) },
    );
    return [response.status, await response.text()];
  };
  expect(await answer('/api/search', { query: 'letter after delta' })).toEqual([
    200,
    expect.stringContaining('e.md'),
  ]);
  expect(await answer('/api/status')).toEqual([200, expect.stringContaining('"server"')]);
  expect(await answer('/')).toEqual([200, expect.any(String)]);
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
  expect(readFileSync(log, 'utf8')).toBe('');
}, 120_000);

test('a configuration file that came with a folder sends nothing anywhere, and it is said what was left out', async () => {
  const service = 'base_url = "https://evil.example/v1"\napi_key_env = "MY_SECRET"\nmodel = "m"\n';
  const outside = '[[collections]]\npath = "../docs"\n';
  playground.write({
    'trapped.txt': '',
    'clone/docfuse.toml': `[embedding]\nprovider = "openai"\n${service}[answer]\n${service}${outside}`,
    'clone/a.md': '# Alpha\n\nThe letter before beta.\n',
  });
  const cwd = join(playground.folder, 'clone');
  const env = { ...playground.env, ...trapped, MY_SECRET: 's3cr3t' };
  const commands: readonly (readonly string[])[] = [
    ...[['index'], ['search', 'letter before beta'], ['status'], ['ask', 'letter before beta'], ['doctor']],
    ...[['config'], ['mcp'], ['mcp', '--no-server'], ['mcp', 'install', '--client', 'cursor'], ['eval']],
  ];
  for (const args of commands) {
    const { stdout, stderr } = await execute([BIN, ...args], { cwd, env }, ({ stdin }) => stdin?.end());
    expect([args, (stdout + stderr).replace(/\s+/g, ' ')]).toEqual([
      args,
      expect.stringMatching(/docfuse\.toml is not trusted, so docfuse ignores .*--config/),
    ]);
    expect(stdout + stderr).not.toContain('s3cr3t');
  }
  const found = await execute([BIN, 'search', 'letter before beta'], { cwd, env });
  expect(found.stdout).toContain('a.md');
  expect(readFileSync(log, 'utf8')).toBe('');
}, 120_000);

// Native code goes past the trap: ONNX Runtime kept what it wanted to send to its maker in the user's cache folder.
test('nothing of all this left anything outside the data folder, but the key of servers and compiled code', () => {
  const hidden = readdirSync(playground.folder).filter((name) => name.startsWith('.'));
  expect(hidden).toEqual(['.cache', '.data', '.state']);
  expect(readdirSync(join(playground.folder, '.state/docfuse'))).toEqual(['server.key']);
  expect(globSync('*/*', { cwd: cache })).toEqual([join('docfuse', 'compiled')]);
});

test('nothing outside the folder is read, whatever links and front matter say', async () => {
  symlinkSync('../secret.md', join(playground.folder, 'docs', 'link.md'));
  symlinkSync('..', join(playground.folder, 'docs', 'up'));
  const { stdout } = await playground.run([
    'search',
    'password swordfish',
    'docs',
    '--json',
    '--min-confidence',
    '0',
  ]);
  expect(stdout).not.toContain('The password');
  const related = await playground.run(['related', 'docs/a.md', 'docs', '--json']);
  expect(related.stdout).toContain('docs/b.md');
  expect(related.stdout).not.toMatch(/"title": "Secret"|swordfish|root:/);
  for (const path of [
    '../secret.md',
    'docs/../secret.md',
    'docs/link.md',
    'docs/up/secret.md',
    '/etc/passwd',
  ]) {
    const { code, stdout: text } = await playground.run(['read', path, 'docs']);
    expect([path, code]).toEqual([path, 1]);
    expect(text).not.toMatch(/swordfish|root:/);
  }
}, 120_000);

test.skipIf(process.platform === 'win32')(
  'the index is for its owner alone, side files and lock included',
  () => {
    const files = globSync('.data/docfuse/indexes/**', { cwd: playground.folder, withFileTypes: true });
    expect(files.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['index.sqlite', 'index.sqlite.lock']),
    );
    for (const file of files) {
      const path = join(file.parentPath, file.name);
      if (!existsSync(path)) continue;
      expect([file.name, statSync(path).mode & 0o077]).toEqual([file.name, 0]);
    }
  },
);
