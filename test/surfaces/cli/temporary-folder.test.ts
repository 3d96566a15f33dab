/** The common temporary folder belongs to all users of a machine, so nothing is ever written there. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { connectStdio, textOf } from '../mcp/connect.ts';
import { BIN, createPlayground } from './docfuse.ts';
import { startServe } from './start-serve.ts';

/** Long enough that SQLite keeps some pages in a temporary file while one statement changes them, unless told not to. */
const LONG = Array.from({ length: 2000 }, (_, section) => {
  const words = Array.from({ length: 40 }, (_, at) => `w${(section * 31 + at * at) % 3001}`);
  return `# Section ${section}\n\n${words.join(' ')}\n\n`;
});

const playground = createPlayground({
  'docs/a.md': '# Alpha\n\nThe first letter. See [b](b.md).\n',
  'docs/b.md': '# Beta\n\nThe letter after alpha.\n',
  'long/a.md': LONG.join(''),
  'set/queries.jsonl': '{"_id":"1","text":"letter after alpha"}\n',
  'set/qrels.tsv': 'query-id\tcorpus-id\tscore\n1\tb.md\t1\n',
  'repository/docfuse.toml': '[[collections]]\npath = "."\nkind = "git"\n',
});
afterAll(() => playground[Symbol.dispose]());

const temporary = join(playground.folder, 'temporary');
mkdirSync(temporary);
const env = { TMPDIR: temporary, TEMP: temporary, TMP: temporary };

/** Names of all that appears in the folder until the work is done, however soon it goes. */
async function namesSeen(work: () => Promise<void>): Promise<readonly string[]> {
  const seen: string[] = [];
  const watcher = watch(temporary, (_, name) => seen.push(String(name)));
  try {
    await work();
    writeFileSync(join(temporary, 'last'), '');
    await vi.waitFor(() => expect(seen).toContain('last'), { timeout: 10_000 });
    return [...new Set(seen)].filter((name) => name !== 'last');
  } finally {
    watcher.close();
  }
}

async function runAll(commands: readonly (readonly string[])[]): Promise<void> {
  for (const args of commands) {
    const { code, stderr } = await playground.run(args, { env });
    expect([args, code, code === 0 ? '' : stderr]).toEqual([args, 0, '']);
  }
}

test('no command writes into the temporary folder', async () => {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: join(playground.folder, 'repository') });
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '--quiet', '-m', 'Begin');
  const seen = await namesSeen(() =>
    runAll([
      ['--help'],
      ['index', 'docs'],
      ['index', 'docs', '--rebuild'],
      ['index', 'long', '--no-embed'],
      ['index', '--config', 'repository/docfuse.toml'],
      ['search', 'letter after alpha', 'docs'],
      ['related', 'docs/a.md', 'docs'],
      ['status', 'docs'],
      ['doctor', 'docs'],
      ['eval', 'set', '--docs', 'docs'],
    ]),
  );
  expect(seen).toEqual([]);
}, 120_000);

test('nor does a server', async () => {
  const seen = await namesSeen(async () => {
    const { url, child, exited } = await startServe(playground, ['docs'], env);
    const query = encodeURIComponent('letter after alpha');
    expect((await fetch(`${url}/api/search?query=${query}`)).status).toBe(200);
    await runAll([['search', 'letter after alpha', 'docs']]);
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    const { client, ...connection } = await connectStdio({
      args: [BIN, 'mcp', 'docs', '--no-server'],
      cwd: playground.folder,
      env: { ...playground.env, ...env },
    });
    const input = { name: 'query_documents', arguments: { query: 'letter after alpha' } };
    expect(textOf(await client.callTool(input))).toContain('b.md');
    await connection[Symbol.asyncDispose]();
  });
  expect(seen).toEqual([]);
}, 120_000);
