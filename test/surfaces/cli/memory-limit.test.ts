/** A machine with little memory: Node is told to keep at most 256 MB of old objects. */
import { expect, test } from 'vitest';
import { createPlayground } from './docfuse.ts';

const LIMITED = { env: { NODE_OPTIONS: '--max-old-space-size=256' } };
const NOTES = 100;

test('a folder that is read in threads is indexed and searched under --max-old-space-size=256', async () => {
  // 1 MB of text, with 150,000 different words.
  const textOf = (note: number) =>
    Array.from({ length: 1_500 }, (_, n) => `keel${(note * 1_500 + n).toString(36)}`).join(' ');
  using playground = createPlayground(
    Object.fromEntries(
      Array.from({ length: NOTES }, (_, n) => [`docs/${n}.md`, `# Note ${n}\n\n${textOf(n)}\n`]),
    ),
  );
  const indexed = await playground.run(['index', 'docs', '--no-embed'], LIMITED);
  expect(indexed).toMatchObject({ code: 0, stdout: expect.stringContaining(`${NOTES} added`) });
  const word = `keel${(7 * 1_500 + 3).toString(36)}`;
  const found = await playground.run(['search', word, 'docs', '--mode', 'keyword', '--files'], LIMITED);
  expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining('docs/7.md') });
}, 120_000);
