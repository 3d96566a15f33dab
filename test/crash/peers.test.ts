/** Nine processes on one index: two index, one rebuilds, six search. `PEERS_SECONDS=120` lets them run for two minutes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { open } from '../../src/engine/open.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const CHILD = join(import.meta.dirname, 'peer-child.ts');
const SECONDS = Number(process.env.PEERS_SECONDS ?? 6);

interface PeerReport {
  readonly rounds: number;
  readonly refusals: readonly string[];
  readonly indexed: Readonly<Record<string, number>>;
}

function startPeer(role: 'index' | 'rebuild' | 'search', name: string, folder: string, indexPath: string) {
  const child = spawn(process.execPath, [CHILD, folder, indexPath, role, name, String(SECONDS)]);
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text) => (stdout += text));
  child.stderr.on('data', (text) => (stderr += text));
  const outcome = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
  return { child, outcome };
}

test(
  'nobody sees an error, no update is lost, and a killed writer leaves no lock behind',
  async () => {
    const folder = temporaryFolder();
    for (let n = 0; n < 40; n++) writeFileSync(join(folder, `${n}.md`), `# Note ${n}\n\nA common lantern.\n`);
    await using index = await open({ roots: [folder], indexPath: join(folder, '.index') });
    await index.sync({ embed: false });
    const killed = startPeer('index', 'killed', folder, index.indexPath);
    const peers = [
      ...['first', 'second'].map((name) => startPeer('index', name, folder, index.indexPath)),
      startPeer('rebuild', 'rebuilder', folder, index.indexPath),
      ...Array.from({ length: 6 }, (_, n) => startPeer('search', `reader${n}`, folder, index.indexPath)),
    ];
    await vi.waitFor(() => expect(existsSync(join(folder, 'killed-1.md'))).toBe(true), 60_000);
    await sleep(300);
    killed.child.kill('SIGKILL');
    const done = await Promise.all(peers.map(({ outcome }) => outcome));
    for (const { code, stderr, stdout } of done) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).not.toMatch(/SQLITE_|database is locked|\bbusy\b/);
    }
    const reports = done.map(({ stdout }): PeerReport => JSON.parse(stdout));
    for (const { rounds, refusals } of reports) {
      expect(rounds).toBeGreaterThan(3);
      for (const refusal of refusals)
        expect(refusal).toMatch(/is being written by (process \d+ since|another)/);
    }
    const textOf = async (file: string) => (await index.read(file)).text;
    for (const [file, round] of reports.flatMap(({ indexed }) => Object.entries(indexed)))
      expect(Number(/ and \D+(\d+)\./.exec(await textOf(file))?.[1])).toBeGreaterThanOrEqual(round);
    await index.sync({ embed: false });
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.md')))
      expect(`${await textOf(file)}\n`).toBe(readFileSync(join(folder, file), 'utf8'));
    if (process.env.PEERS_SECONDS) {
      const sum = (count: (report: PeerReport) => number) =>
        reports.reduce((sum, each) => sum + count(each), 0);
      const indexing = sum(({ rounds, indexed }) => (Object.keys(indexed).length > 0 ? rounds : 0));
      const waited = sum(({ refusals }) => refusals.length);
      console.log({ indexing, searching: sum(({ rounds }) => rounds) - indexing, waited });
    }
    expect((await index.check()).find(({ name }) => name === 'database')).toMatchObject({ state: 'ok' });
  },
  SECONDS * 1000 + 90_000,
);
