/** Eight processes on one index: two index, six search. `PEERS_SECONDS=120` lets them run for two minutes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { open } from '../../src/engine/open.ts';

const CHILD = join(import.meta.dirname, 'peer-child.ts');
const SECONDS = Number(process.env.PEERS_SECONDS ?? 12);

function startPeer(role: 'index' | 'search', name: string, folder: string, indexPath: string) {
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
    const folder = mkdtempSync(join(tmpdir(), 'docfuse-peers-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (let n = 0; n < 40; n++) writeFileSync(join(folder, `${n}.md`), `# Note ${n}\n\nA common lantern.\n`);
    await using index = await open({ roots: [folder], indexPath: join(folder, '.index') });
    await index.sync({ embed: false });
    const killed = startPeer('index', 'killed', folder, index.indexPath);
    const peers = [
      ...['first', 'second'].map((name) => startPeer('index', name, folder, index.indexPath)),
      ...Array.from({ length: 6 }, (_, n) => startPeer('search', `reader${n}`, folder, index.indexPath)),
    ];
    await vi.waitFor(() => expect(existsSync(join(folder, 'killed.md'))).toBe(true), 60_000);
    await sleep(300);
    killed.child.kill('SIGKILL');
    for (const { code, stderr, stdout } of await Promise.all(peers.map(({ outcome }) => outcome))) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout).rounds).toBeGreaterThan(3);
    }
    await index.sync({ embed: false });
    for (const name of ['first', 'second']) {
      const word = /and (\w+)\./.exec(readFileSync(join(folder, `${name}.md`), 'utf8'))![1]!;
      const { hits } = await index.search(word, { mode: 'keyword', minConfidence: 0 });
      expect(hits.map(({ path }) => path)).toContain(`${name}.md`);
    }
    expect((await index.check()).find(({ name }) => name === 'database')).toMatchObject({ state: 'ok' });
  },
  SECONDS * 1000 + 90_000,
);
