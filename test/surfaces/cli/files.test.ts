import { expect, test } from 'vitest';
import { createPlayground } from './docfuse.ts';

test('--files counts paths where variety takes the place of the limit per document', async () => {
  const words = ['amber', 'basalt', 'cobalt', 'damask', 'ebony'];
  const sections = words.map((word) => `## The ${word} lantern\n\n${`Some ${word} light. `.repeat(20)}\n`);
  using playground = createPlayground({
    'lit/a.md': sections.join('\n'),
    'lit/b.md': '# A lantern\n',
    'lit/c.md': '# Lantern\n',
  });
  const ask = ['lantern', 'lit', '--files', '--min-confidence', '0'];
  for (const [option, value] of [
    ['--preset', 'research'],
    ['--set', 'mmr_enabled=true'],
  ] as const) {
    const { stdout, stderr } = await playground.runHere(['search', ...ask, option, value, '-n', '3']);
    const paths = stdout.trimEnd().split('\n');
    expect(stderr).toMatch(new RegExp(`^${paths.length} files? in `, 'm'));
    if (option === '--preset') expect(paths).toHaveLength(3);
  }
});
