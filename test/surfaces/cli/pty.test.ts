/** What only a terminal shows: progress bars and colour. `script` gives the command one. */
import { spawnSync } from 'node:child_process';
import { afterAll, describe, expect, test } from 'vitest';
import { BIN, createPlayground } from './docfuse.ts';

const playground = createPlayground(
  Object.fromEntries(
    Array.from({ length: 150 }, (_, number) => [
      `docs/${number}.md`,
      `# Note ${number}\n\nLantern ${number}.\n`,
    ]),
  ),
);
afterAll(() => playground[Symbol.dispose]());

const isLinux = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

function onTerminal(...args: string[]): string {
  const command = [process.execPath, BIN, ...args].map((word) => `'${word}'`).join(' ');
  const { stdout, status } = spawnSync('script', ['-qec', `stty cols 100; ${command}`, '/dev/null'], {
    cwd: playground.folder,
    env: { ...playground.env, TERM: 'xterm-256color' },
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  return stdout;
}

describe.runIf(isLinux)('on a terminal', () => {
  test('indexing draws a bar with rate and time left, and leaves the cursor visible', () => {
    const output = onTerminal('index', 'docs');
    expect(output).toMatch(/Embedding .*\d+ of 150 · [\d,]+\/s · (\d+ s left|starting)/);
    expect(output.lastIndexOf('\u001b[?25h')).toBeGreaterThan(output.lastIndexOf('\u001b[?25l'));
    expect(output).toContain('Files: 150 added.');
  });

  test('--quiet draws none', () => {
    expect(onTerminal('index', 'docs', '--rebuild', '--quiet')).not.toContain('Embedding');
  });

  test('hits are coloured, unless told not to', () => {
    expect(onTerminal('search', 'lantern', 'docs', '-n', '1')).toMatch(/\u001b\[1mLantern/);
    const plain = onTerminal('search', 'lantern', 'docs', '-n', '1', '--no-color', '--quiet');
    expect(plain).not.toContain('\u001b[1m');
  });
});
