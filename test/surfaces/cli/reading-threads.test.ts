import { expect, test } from 'vitest';
import { createPlayground } from './docfuse.ts';

test('the packed command reads a large folder in threads', async () => {
  using playground = createPlayground({
    'docs/a.md': `# Lanterns\n\n${'The lantern is lit at dusk. '.repeat(25_000)}`,
    'docs/b.md': `# Harbours\n\n${'The harbour is dark. '.repeat(25_000)}`,
  });
  const { code, stdout, stderr } = await playground.run(['index', 'docs', '--no-embed']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('2 added')]);
  expect(stderr).not.toMatch(/left out|could not start/);
  const found = await playground.run([
    'search',
    'lanterns',
    'docs',
    '--no-wait',
    '--mode',
    'keyword',
    '--files',
  ]);
  expect(found.stdout).toContain('docs/a.md');
});
