/** `index --purge` says what it did, to people and to programs. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPlayground } from './docfuse.ts';

test('a purge tells what was read again, dropped and written; a trial changes nothing', async () => {
  using playground = createPlayground({
    'docs/a.md': '# Alpha\n\nOne.\n',
    'docs/b.md': '# Beta\n\nTwo.\n',
  });
  const index = (...args: string[]) => playground.runHere(['index', 'docs', '--index', 'index', ...args]);
  await index();
  rmSync(join(playground.folder, 'docs/b.md'));
  const trial = await index('--purge', '--dry-run', '--json');
  expect(JSON.parse(trial.stdout)).toMatchObject({ removed: 1, dry_run: true });
  expect(JSON.parse(trial.stdout)).not.toHaveProperty('purged');
  expect((await index('--purge', '--dry-run')).stdout).toContain(
    'The purge would read 1 document again, delete unused vectors and rewrite the index.\n',
  );
  expect((await index('--dry-run')).stdout).not.toContain('purged');
  const { stdout } = await index('--purge');
  expect(stdout).toMatch(
    /^The purge read 1 document again, deleted 1 unused vector and rewrote the index: [\d.]+ KB before, [\d.]+ KB after\.$/m,
  );
  const { purged } = JSON.parse((await index('--purge', '--json')).stdout);
  expect(purged).toEqual({
    documents: 1,
    vectors: 0,
    bytes_before: expect.any(Number),
    bytes_after: expect.any(Number),
    complete: true,
  });
});
