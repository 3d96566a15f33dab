/** What many files cost: a hundred thousand tiny ones to index and compare, a `git checkout` of five thousand to follow. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { open } from '../src/engine/open.ts';
import { keepFresh } from '../src/engine/watch/keep-fresh.ts';
import { keep } from './record.ts';
import { timed } from './timed.ts';

const { values } = parseArgs({
  options: {
    tiny: { type: 'string', default: '100000' },
    checkout: { type: 'string', default: '5000' },
    out: { type: 'string' },
  },
});
const work = mkdtempSync(join(tmpdir(), 'docfuse-limits-'));
const measured: Record<string, object> = {};
measured.tiny = await indexTiny(Number(values.tiny));
measured.checkout = await followCheckout(Number(values.checkout));
rmSync(work, { recursive: true });
console.table(measured);
await keep('limits', { load: loadavg(), ...measured }, values.out);

/** By words, for a tiny file is a passage and the model takes as long for it as for any other. */
async function indexTiny(files: number): Promise<object> {
  const root = join(work, 'tiny');
  for (let n = 0; n < files; n++) {
    if (n % 100 === 0) mkdirSync(folderOf(n), { recursive: true });
    writeFileSync(join(folderOf(n), `${n}.md`), `# Tiny ${n}\n\nWord w${n % 9973} of ${n % 31}.\n`);
  }
  await using index = await open({ roots: [root], indexPath: join(work, 'tiny-index') });
  const first = await index.sync({ embed: false });
  const again = await index.sync({ embed: false });
  const search = await timed(() => index.search('w77', { mode: 'keyword', minConfidence: 0 }));
  return {
    files: first.added,
    indexSeconds: seconds(first.milliseconds),
    compareSeconds: seconds(again.milliseconds),
    unchanged: again.unchanged,
    searchMs: Math.round(search),
    residentMiB: Math.round(process.memoryUsage().rss / 2 ** 20),
  };

  function folderOf(n: number): string {
    return join(root, String(Math.floor(n / 10_000)), String(Math.floor(n / 100) % 100));
  }
}

/** From the end of `git checkout` until as many documents are in the index as there are files, there and back. */
async function followCheckout(files: number): Promise<object> {
  const root = join(work, 'repository');
  mkdirSync(join(root, 'docs'), { recursive: true });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'gc.auto=0', ...args], {
      cwd: root,
    });
  writeFileSync(join(root, 'docs/kept.md'), '# Kept\n');
  git('init', '-q', '-b', 'one');
  git('add', '.');
  git('commit', '-qm', 'one');
  git('checkout', '-qb', 'two');
  for (let n = 0; n < files; n++)
    writeFileSync(join(root, `docs/${n}.md`), `# Bed ${n}\n\nSame soil everywhere.\n`);
  git('add', '.');
  git('commit', '-qm', 'two');
  git('checkout', '-q', 'one');

  const failures: string[] = [];
  const index = await open({ roots: [root], indexPath: join(work, 'repository-index') });
  await using fresh = keepFresh(index, {
    patienceMs: 600_000,
    onFailure: (error) => failures.push(String(error)),
  });
  await fresh.sync();
  const spent: Record<string, number> = {};
  for (const [branch, documents] of [
    ['two', files + 1],
    ['one', 1],
  ] as const) {
    git('checkout', '-q', branch);
    const took = await timed(async () => {
      while ((await fresh.status()).index.documents !== documents) await sleep(50);
    });
    spent[branch] = seconds(took);
  }
  return { files, addedSeconds: spent.two, removedSeconds: spent.one, failures: failures.length };
}

function seconds(milliseconds: number): number {
  return Math.round(milliseconds / 100) / 10;
}
