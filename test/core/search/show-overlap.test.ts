/** A hit shows the word it was found by, and its line, also where the passage repeats it from the one before. */
import { expect, test } from 'vitest';
import { memoryIndex } from '../../support/memory-services.ts';

const LINES = Array.from({ length: 160 }, (_, index) => `Item${index}x is one of the things on this page.`);

test('the first hit holds the word, in snippet and text, and names its line', async () => {
  const { search, parts } = memoryIndex([{ path: 'a.md', text: `# A\n\n${LINES.join('\n')}\n` }]);
  expect(parts.readChunks([0, 1, 2, 3]).some(({ overlap }) => overlap > 0)).toBe(true);
  for (const [index, line] of LINES.entries()) {
    const word = line.split(' ')[0]!;
    const { hits } = await search(word, { minConfidence: 0 });
    const { text, snippet, line: shown, startLine } = hits[0]!;
    expect([word, shown]).toEqual([word, index + 3]);
    expect(text).toContain(word);
    expect(snippet.text).toContain(word);
    expect(startLine).toBeLessThanOrEqual(index + 3);
  }
});
