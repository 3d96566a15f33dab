/** Attacks by a discovery file that came along with an index: each wants the question, and its own answer shown. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { digestConfig, locateIndex } from '../../../src/engine/config/locate-index.ts';
import { VERSION } from '../../../src/engine/version.ts';
import { processStart } from '../../../src/surfaces/attach/discovery-file.ts';
import { SMALL_MODEL } from '../../support/small-model.ts';
import { BIN, createPlayground, type Playground } from '../cli/docfuse.ts';
import { executeHere } from '../cli/execute-here.ts';
import { startServe } from '../cli/start-serve.ts';
import { listenOn } from './listen-on.ts';

// The settings of a note are those that commands have.
beforeEach(() => void vi.stubEnv('DOCFUSE_EMBEDDING_MODEL', SMALL_MODEL));
afterEach(() => void vi.unstubAllEnvs());

const FILES = {
  'other/b.md': '# Beta\n',
  'clone/docs/a.md': '# Alpha\n\nThe letter before beta.\n',
  'clone/docfuse.toml': 'index_path = ".docfuse"\n[[collections]]\npath = "docs"\n',
};
const TRUSTED = { '.config/docfuse/docfuse.toml': 'trust = ["~"]\n' };
const FORGED = { documents: [], total: 666 };

const LIES: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['pid 0', { pid: 0, process_start: '' }],
  ['pid -1', { pid: -1, process_start: '' }],
  ['a process without a start', { process_start: '' }],
  ['a relative index path', { index_path: '.docfuse' }],
  ['pid 0 and a relative index path', { pid: 0, process_start: '', index_path: '.docfuse' }],
  ['all that a real note has', {}],
];

test.each([
  ['untrusted', FILES],
  ['trusted', { ...FILES, ...TRUSTED }],
])('a discovery file with any lie gets no question, %s', async (_, files) => {
  const playground = playgroundOf(files);
  // The key is there, as on the machine of a user who serves another folder.
  await startServe(playground, ['other']);
  for (const [name, lie] of LIES) {
    rmSync(join(playground.folder, 'clone/.docfuse'), { recursive: true, force: true });
    const fake = await startFake(async () => '{"status":"ok"}');
    plantNote(playground, fake.port, lie);
    const { stdout } = await list(playground);
    expect([name, fake.asked, stdout]).toEqual([name, [], expect.not.stringContaining('666')]);
  }
});

test('a server that passes the challenge on to a real one of the same user gets no question', async () => {
  const playground = playgroundOf({ ...FILES, ...TRUSTED });
  const real = await startServe(playground, ['other']);
  let passed = 0;
  const fake = await startFake(async (path) => {
    passed++;
    return (await fetch(real.url + path)).text();
  });
  const theirs = JSON.parse(readFileSync(real.lockFile, 'utf8'));
  for (const lie of [{}, { run: theirs.run, pid: theirs.pid, process_start: theirs.process_start }]) {
    plantNote(playground, fake.port, lie);
    await list(playground);
  }
  expect(fake.asked).toEqual([]);
  expect(passed).toBeGreaterThan(0);
});

/** Removed when the servers in it have ended. */
function playgroundOf(files: Readonly<Record<string, string>>): Playground {
  const playground = createPlayground(files);
  onTestFinished(() => playground[Symbol.dispose]());
  return playground;
}

function list({ folder, env }: Playground) {
  return executeHere([BIN, 'list', '--json'], { cwd: join(folder, 'clone'), env });
}

function plantNote({ folder }: Playground, port: number, lie: Readonly<Record<string, unknown>>): void {
  const cwd = join(folder, 'clone');
  const index = join(cwd, '.docfuse');
  const { config } = locateIndex({ cwd, config: 'docfuse.toml' });
  const note = {
    ...{ version: VERSION, run: 'run', key: 'key', host: '127.0.0.1', port, index_path: index },
    ...{ pid: process.pid, process_start: processStart(process.pid), config: digestConfig(config, cwd) },
  };
  mkdirSync(index, { recursive: true, mode: 0o700 });
  writeFileSync(join(index, 'server.json'), JSON.stringify({ ...note, ...lie }), { mode: 0o600 });
}

/** Answers every question with what is forged, and challenges as it can. */
async function startFake(prove: (path: string) => Promise<string>) {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    response.setHeader('docfuse-run', 'run').setHeader('content-type', 'application/json');
    const isChallenge = request.url!.startsWith('/healthz');
    if (!isChallenge) asked.push(request.url!);
    response.end(isChallenge ? await prove(request.url!) : JSON.stringify(FORGED));
  });
  onTestFinished(() => server.closeAllConnections());
  return { asked, port: await listenOn(server) };
}
