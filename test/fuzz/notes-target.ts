/** Fuzz target: notes of servers, as anyone might have left them beside an index, and what listens where they lead. */

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { locateIndex } from '../../src/engine/config/locate-index.ts';
import { askServer } from '../../src/surfaces/attach/ask-server.ts';
import {
  type DiscoveryFile,
  findServer,
  readDiscoveryFile,
} from '../../src/surfaces/attach/discovery-file.ts';
import { answers } from '../../src/surfaces/attach/send-request.ts';
import { status } from '../../src/surfaces/operations/status.ts';
import { createServed } from '../surfaces/http/served.ts';
import { MARKS } from './arbitrary-text.ts';
import { type FuzzTarget, fuzzTarget } from './fuzz-target.ts';

/** Another value of a field, most often of the kind that an attacker would try. */
const other = fc.oneof(
  fc.constantFrom<unknown>(0, -1, 1, 1.5, 65_536, 2 ** 53, '', '.', '..', '127.0.0.1', '::1', '0.0.0.0'),
  fc.constantFrom<unknown>(
    'localhost',
    'evil.example',
    '192.0.2.1',
    'run',
    null,
    true,
    [],
    {},
    'fake',
    ...MARKS,
  ),
  fc.jsonValue({ maxDepth: 1 }),
);
const FIELDS = ['version', 'pid', 'process_start', 'run', 'host', 'port', 'index_path', 'config'] as const;
const ANSWERS = ['relay', 'echo', 'old', 'run', 'nothing', 'text', 'long', 'redirect', 'close'] as const;

const input = fc.record({
  /** What the note says in place of the truth. */
  lies: fc.dictionary(fc.constantFrom(...FIELDS, '__proto__', 'key'), other, { maxKeys: 3 }),
  /** Whether it leads to the server of the attacker. */
  isLed: fc.boolean(),
  /** Damage to its text: what is cut out at a place, and what is put there. */
  cut: fc.option(fc.tuple(fc.nat(300), fc.nat(20), fc.constantFrom('', '"', '}', 'x', '\0', ...MARKS)), {
    freq: 4,
  }),
  kind: fc.oneof(
    { weight: 8, arbitrary: fc.constant('file' as const) },
    fc.constantFrom('link' as const, 'pipe' as const, 'folder' as const, 'none' as const),
  ),
  mode: fc.oneof({ weight: 6, arbitrary: fc.constant(0o600) }, fc.nat(0o777)),
  folderMode: fc.oneof(
    { weight: 6, arbitrary: fc.constant(0o700) },
    fc.constantFrom(0o770, 0o707, 0o755, 0o777),
  ),
  answer: fc.constantFrom(...ANSWERS),
});
type Input = typeof input extends fc.Arbitrary<infer T> ? T : never;

export const notesTarget: FuzzTarget = {
  name: 'notes',
  async run(options) {
    const work = mkdtempSync(join(tmpdir(), 'docfuse-fuzz-'));
    const { XDG_STATE_HOME: before } = process.env;
    process.env.XDG_STATE_HOME = join(work, 'state');
    await using served = await createServed();
    await served.ready();
    const attacker = await startAttacker(served.server.url);
    try {
      const [file, pipe] = [join(served.indexPath, 'server.json'), join(work, 'pipe')];
      execFileSync('mkfifo', ['-m', '600', pipe]);
      const location = locateIndex({
        roots: [served.folder],
        indexPath: served.indexPath,
        cwd: served.folder,
      });
      const truth = readDiscoveryFile(served.indexPath)!;
      const target = fuzzTarget('notes', input, async (each) => {
        const text = textOf(truth, each, attacker.port);
        rmSync(file, { force: true, recursive: true });
        place(each, text, file, join(work, 'note'), pipe);
        chmodSync(served.indexPath, each.folderMode);
        attacker.answer(each.answer);
        const found = findServer(location, served.folder);
        const wrong = found ? wrongOf(each, text, truth, served.indexPath) : [];
        if (!found) return isTrue(each, text, truth) ? ['a true note is not found'] : [];
        const [isThere, answer] = [await answers(found), await askServer(found, status, {})];
        const isReal = found.port === truth.port && found.host === truth.host && found.run === truth.run;
        if (isThere !== isReal) wrong.push(isThere ? 'a false server is believed' : 'a true one is not');
        if ((answer !== undefined) !== isReal) wrong.push('a question was answered or not');
        if (attacker.asked() > 0) wrong.push('a question was sent to the attacker');
        return wrong;
      });
      await target.run(options);
    } finally {
      chmodSync(served.indexPath, 0o700);
      await attacker.close();
      rmSync(work, { recursive: true });
      if (before === undefined) delete process.env.XDG_STATE_HOME;
      else process.env.XDG_STATE_HOME = before;
    }
  },
};

function textOf(truth: DiscoveryFile, { lies, isLed, cut }: Input, port: number): string {
  const text = JSON.stringify({ ...truth, ...(isLed && { port }), ...lies });
  if (!cut) return text;
  const [at, length, put] = cut;
  return text.slice(0, at) + put + text.slice(at + length);
}

function place({ kind, mode }: Input, text: string, file: string, aside: string, pipe: string): void {
  if (kind === 'none') return;
  if (kind === 'folder') mkdirSync(file);
  if (kind === 'pipe') linkSync(pipe, file);
  if (kind === 'folder' || kind === 'pipe') return;
  writeFileSync(aside, text);
  chmodSync(aside, mode);
  if (kind === 'link') symlinkSync(aside, file);
  else renameSync(aside, file);
}

function isTrue({ kind, mode, folderMode }: Input, text: string, truth: DiscoveryFile): boolean {
  const isWritable = ((mode | folderMode) & 0o022) !== 0 || (mode & 0o400) === 0;
  return kind === 'file' && !isWritable && text === JSON.stringify(truth);
}

/** Why this note should not have been found. */
function wrongOf(
  { kind, mode, folderMode }: Input,
  text: string,
  truth: DiscoveryFile,
  index: string,
): string[] {
  const note = JSON.parse(text) as DiscoveryFile;
  return [
    ...(kind === 'file' ? [] : [`it is a ${kind}`]),
    ...(((mode | folderMode) & 0o022) === 0 ? [] : ['others can write it']),
    ...(note.pid === process.pid && note.process_start === truth.process_start
      ? []
      : ['its process is another']),
    ...(note.index_path === index ? [] : ['it is about another index']),
    ...(note.version === truth.version && note.config === truth.config ? [] : ['it is about other settings']),
  ];
}

/** Listens where notes lead, has no key, and answers challenges as best it can. */
async function startAttacker(real: string) {
  let asked = 0;
  let how = 'nothing' as (typeof ANSWERS)[number];
  let old = '{}';
  const bodies: Readonly<Record<Exclude<typeof how, 'redirect' | 'close'>, (path: string) => unknown>> = {
    relay: async (path) => (old = await (await fetch(real + path)).text()),
    echo: (path) => JSON.stringify({ proof: path.slice(-64) }),
    old: () => old,
    run: () => '{"status":"ok","run":"run"}',
    nothing: () => '',
    text: () => JSON.stringify({ proof: 'a'.repeat(64) }),
    long: () => '"'.padEnd(100_000, 'x'),
  };
  const server = createServer(async ({ url, socket }, response) => {
    if (!url!.startsWith('/healthz?')) asked++;
    if (how === 'close') return socket.destroy();
    if (how === 'redirect') return response.writeHead(307, { location: real + url }).end();
    return response.end(await bodies[how](url!));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    answer: (next: (typeof ANSWERS)[number]) => {
      how = next;
    },
    asked: () => asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
