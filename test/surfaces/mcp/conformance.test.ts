/** The official conformance suite, against the real server and against our plumbing with the suite's own fixtures. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { open } from '../../../src/engine/open.ts';
import { createServer } from '../../../src/surfaces/http/create-server.ts';
import { createEventLog } from '../../../src/surfaces/http/event-log.ts';
import { LOOPBACK_HOSTS } from '../../../src/surfaces/http/guard.ts';
import { listen } from '../../../src/surfaces/http/listen.ts';
import { createMcpServerFactory } from '../../../src/surfaces/mcp/create-mcp-server.ts';
import { createPlayground, execute } from '../cli/docfuse.ts';
import { startServe } from '../cli/start-serve.ts';
import { createServed, NOTES } from '../http/served.ts';
import { fixtureOperations, mountFixtures, showFixture } from './conformance-fixtures.ts';

const FIXTURE =
  'calls a tool, reads a resource or gets a prompt of the suite’s own; the second run has these';
const ASKS =
  'the server asks its client something in the middle of a request, over HTTP in the form before 2026-07-28: that needs a ' +
  'session to bring the answer back. sampling.test.ts asks over stdio, and over HTTP in the newer form';
const ENDS_EARLY =
  'the server hangs up in the middle of a request and the client comes back for the rest: that needs a session and stored ' +
  'events. The suite itself counts it as pending';

/** Scenarios that are left out, each with the reason. The suite complains about one that would pass. */
const LEFT_OUT_OF_SERVE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'completion-complete',
      'tools-call-simple-text',
      'tools-call-image',
      'tools-call-audio',
      'tools-call-embedded-resource',
      'tools-call-mixed-content',
      'tools-call-with-logging',
      'tools-call-error',
      'tools-call-with-progress',
      'json-schema-2020-12',
      'resources-read-text',
      'resources-read-binary',
      'resources-templates-read',
      'prompts-get-simple',
      'prompts-get-with-args',
      'prompts-get-embedded-resource',
      'prompts-get-with-image',
    ].map((name) => [name, FIXTURE]),
  ),
  'server-sse-polling': ENDS_EARLY,
  'logging-set-level': 'no operation logs to its client, and logging is deprecated since 2026-07-28',
  'resources-subscribe': 'documents change by the hundred, and a search always sees the newest',
  'resources-unsubscribe': 'see resources-subscribe',
};
const LEFT_OUT: Readonly<Record<string, string>> = {
  'server-sse-multiple-streams':
    'wants a session before it opens its streams; three at once are tested below',
  'tools-call-sampling': ASKS,
  'tools-call-elicitation': ASKS,
  'elicitation-sep1034-defaults': ASKS,
  'elicitation-sep1330-enums': ASKS,
};
describe('the command docfuse serve', () => {
  const playground = createPlayground(NOTES);
  afterAll(() => playground[Symbol.dispose]());

  test('passes every scenario that needs nothing of the suite’s own', { timeout: 30_000 }, async () => {
    const { url } = await startServe(playground, ['.']);
    const outcome = await runSuite(url, 'all', { ...LEFT_OUT, ...LEFT_OUT_OF_SERVE });
    expect(outcome.unexpected).toBe('');
    expect(outcome.passed).toEqual([
      'server-initialize',
      'ping',
      'tools-list',
      'resources-list',
      'prompts-list',
      'dns-rebinding-protection',
    ]);
  });

  test('answers three streams at once, each on its own', async () => {
    const { url } = await startServe(playground, ['.']);
    const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
    const asked = [1, 2, 3].map((id) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list', params: {} });
      return fetch(`${url}/mcp`, { method: 'POST', headers, body });
    });
    for (const [place, answer] of (await Promise.all(asked)).entries()) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/event-stream');
      expect(await answer.text()).toContain(`"id":${place + 1}`);
    }
  });
});

test('our transport and operations pass the whole active suite', { timeout: 30_000 }, async () => {
  await using served = await createServed();
  const context = {
    options: {},
    now: () => 0,
    open: () => open({ roots: [served.folder], indexPath: served.indexPath }),
  };
  const server = createServer({
    context,
    guard: { hosts: LOOPBACK_HOSTS, origins: [], tokens: [] },
    mcp(run) {
      const operations = fixtureOperations;
      const make = createMcpServerFactory({
        run,
        operations,
        show: showFixture,
        version: '0',
        collections: [],
      });
      return () => mountFixtures(make());
    },
    ...{ events: createEventLog({ run: 'test' }), version: '0', run: 'test' },
  });
  const listener = await listen(server.fetch, { host: '127.0.0.1', port: 0 });
  try {
    const url = `http://127.0.0.1:${listener.port}`;
    const active = await runSuite(url, 'active', LEFT_OUT);
    expect(active.unexpected).toBe('');
    expect(active.passed).toHaveLength(25);
  } finally {
    server.close();
    await listener.close(100);
  }
});

const SUITE = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);

async function runSuite(
  url: string,
  suite: 'all' | 'active',
  leftOut: Readonly<Record<string, string>>,
): Promise<{
  readonly passed: readonly string[];
  readonly unexpected: string;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'docfuse-conformance-'));
  try {
    const baseline = join(folder, 'left-out.yml');
    writeFileSync(baseline, `server: ${JSON.stringify(Object.keys(leftOut))}\n`);
    const args = [SUITE, 'server', '--url', `${url}/mcp`, '--suite', suite, '--expected-failures', baseline];
    const { code, stdout, stderr } = await execute(args, {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '' },
    });
    const results = [...stdout.matchAll(/^✓ ([\w-]+): (\d+) passed, 0 failed$/gm)];
    return {
      passed: results.filter(([, , checks]) => checks !== '0').map(([, name]) => name!),
      unexpected: code === 0 ? '' : stdout.slice(stdout.indexOf('=== SUMMARY')) + stderr,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
