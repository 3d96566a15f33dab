import { expect, test } from 'vitest';
import { createPlayground } from './docfuse.ts';

test('a query as long as a document is refused instead of crashing', async () => {
  using playground = createPlayground({ 'a.md': '# A\n' });
  const { code, stderr } = await playground.run(['search', 'word '.repeat(6000), '.']);
  expect(code).toBe(2);
  expect(stderr).toContain('The query and its options are longer than 16,000 characters');
});
