/** A machine with little memory: Node is told to keep at most 256 MB of old objects. */
import { expect, test } from 'vitest';
import { createPlayground } from './docfuse.ts';

const LIMITED = { env: { NODE_OPTIONS: '--max-old-space-size=256' } };
const NOTES = 3_000;
const WORDS = 60;

test('a folder that is read in threads is indexed and searched under --max-old-space-size=256', async () => {
  // 2 MB of text, with 180,000 different words.
  const textOf = (note: number) =>
    Array.from({ length: WORDS }, (_, n) => `keel${(note * WORDS + n).toString(36)}`).join(' ');
  using playground = createPlayground(
    Object.fromEntries(
      Array.from({ length: NOTES }, (_, n) => [`docs/${n}.md`, `# Note ${n}\n\n${textOf(n)}\n`]),
    ),
  );
  const indexed = await playground.run(['index', 'docs', '--no-embed'], LIMITED);
  expect(indexed).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${NOTES.toLocaleString('en')} added`),
  });
  const word = `keel${(7 * WORDS + 3).toString(36)}`;
  const found = await playground.run(['search', word, 'docs', '--mode', 'keyword', '--files'], LIMITED);
  expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining('docs/7.md') });
}, 120_000);
