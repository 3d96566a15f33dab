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

test('a hit that is shown as a part of a long section has its line and its snippet in it', async () => {
  const { search } = memoryIndex([{ path: 'a.md', text: `# A\n\n${LINES.join('\n')}\n` }]);
  for (const line of LINES) {
    const { hits } = await search(line.split(' ')[0]!, { minConfidence: 0, parents: true });
    for (const { startLine, endLine, line: shown, snippet } of hits) {
      expect(Math.min(shown, snippet.startLine)).toBeGreaterThanOrEqual(startLine);
      expect(shown).toBeLessThanOrEqual(endLine);
    }
  }
});
