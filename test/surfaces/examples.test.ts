/** The examples run as they are written; what they print is what this says. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { answer } from '../../examples/search.ts';
import { createPlayground } from './cli/docfuse.ts';

test('examples/search.ts answers from its notes', async () => {
  using playground = createPlayground();
  const before = process.env.DOCFUSE_INDEX;
  process.env.DOCFUSE_INDEX = playground.folder;
  try {
    const notes = fileURLToPath(new URL('../../examples/notes', import.meta.url));
    const lines = await answer(notes, 'how do I rotate tokens');
    expect(lines[0]).toMatch(/^rotate-tokens\.md:\d+ {2}.+ {2}0\.\d\d$/);
    expect(lines.at(-1)).toMatch(/^similar: .+\.md$/);
  } finally {
    if (before === undefined) delete process.env.DOCFUSE_INDEX;
    else process.env.DOCFUSE_INDEX = before;
  }
});
