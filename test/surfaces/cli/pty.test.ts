/** What only a terminal shows: progress bars and colour. */
import { afterAll, describe, expect, test } from 'vitest';
import { createPlayground } from './docfuse.ts';
import { HAS_TERMINAL, onTerminal } from './on-terminal.ts';

const playground = createPlayground(
  Object.fromEntries(
    Array.from({ length: 150 }, (_, number) => [
      `docs/${number}.md`,
      `# Note ${number}\n\nLantern ${number}.\n`,
    ]),
  ),
);
afterAll(() => playground[Symbol.dispose]());

async function written(...args: string[]): Promise<string> {
  const { code, output } = await onTerminal(playground, args);
  expect(code).toBe(0);
  return output;
}

describe.runIf(HAS_TERMINAL)('on a terminal', () => {
  test('indexing draws a bar with rate and time left, and leaves the cursor visible', async () => {
    const output = await written('index', 'docs');
    expect(output).toMatch(/Embedding .*\d+ of 150 · [\d,]+\/s · (\d+ s left|starting)/);
    expect(output.lastIndexOf('\u001b[?25h')).toBeGreaterThan(output.lastIndexOf('\u001b[?25l'));
    expect(output).toContain('Files: 150 added.');
  });

  test('--quiet draws none', async () => {
    expect(await written('index', 'docs', '--rebuild', '--quiet')).not.toContain('Embedding');
  });
});
