/** What only a terminal shows: progress bars and colour. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { BIN, createPlayground } from './docfuse.ts';
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

describe.runIf(HAS_TERMINAL)('on a terminal (not on Windows)', () => {
  test('indexing draws a bar with the time left, and leaves the cursor visible', async () => {
    const output = await written('index', 'docs');
    expect(output).toMatch(/Embedding .*\d+ of 150 · (\d+ s left|starting)/);
    expect(output.lastIndexOf('\u001b[?25h')).toBeGreaterThan(output.lastIndexOf('\u001b[?25l'));
    expect(output).toContain('Files: 150 added.');
  });

  // On a busy machine, a server may tell nothing in the two seconds for which a search waits.
  test('a search that a server answers draws what that server does for it', { retry: 2 }, async () => {
    const { folder: cwd, env } = playground;
    const server = spawn(process.execPath, [BIN, 'serve', 'docs', '--port', '0'], { cwd, env });
    onTestFinished(() => void server.kill('SIGKILL'));
    await once(server.stdout, 'data');
    // Short ones, so that something is done every moment. A second attempt writes other texts.
    const now = Date.now();
    const files = Array.from({ length: 600 }, (_, number) => [
      `docs/more-${number}.md`,
      `# More ${number}\n\nLamp ${number} of ${now}.\n`,
    ]);
    playground.write(Object.fromEntries(files));
    expect(await written('search', 'lamp 7', 'docs')).toMatch(/(Reading|Embedding) .*\d+ of \d+ · /);
  });

  test('--quiet draws none', async () => {
    expect(await written('index', 'docs', '--rebuild', '--quiet')).not.toContain('Embedding');
  });
});
