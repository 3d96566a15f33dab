/** Texts whose size is not known before they are read are read in threads, too, once they are many. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { open } from '../../../src/engine/open.ts';
import { createVault } from '../vault.ts';

test.each([
  [700, true],
  [40, false],
])('%i commits: threads %s', async (count, inThreads) => {
  const { folder, indexPath } = createVault({});
  const git = (args: readonly string[], input = '') =>
    execFileSync('git', ['-C', folder, ...args], { input });
  git(['init', '-q', '-b', 'main']);
  const commits = Array.from({ length: count }, (_, index) => {
    const message = `Change ${index}`;
    const parent = index === 0 ? '' : `from :${index}\n`;
    return `commit refs/heads/main\nmark :${index + 1}\ncommitter A <a@b> ${1.7e9 + index} +0000\ndata ${message.length}\n${message}\n${parent}`;
  });
  git(['fast-import', '--quiet'], commits.join(''));
  const config = join(folder, 'docfuse.toml');
  writeFileSync(config, `[[collections]]\npath = "."\nkind = "git"\nname = "history"\n`);
  let started = 0;
  const onWorker = () => void started++;
  process.on('worker', onWorker);
  onTestFinished(() => void process.off('worker', onWorker));
  await using index = await open({ config, indexPath });
  const { added } = await index.sync({ embed: false });
  expect(added).toBe(count);
  expect(started > 0).toBe(inThreads);
});
